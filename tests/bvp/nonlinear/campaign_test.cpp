// Random nonlinear problems with known solutions: what is claimed to be solved is solved, between
// nodes and stages too. Some of them here; a thousand by `daewave_test_nonlinear "[campaign]"`,
// which prints what it has found by class.

#include <fmt/format.h>

#include <map>

#include "tests/bvp/nonlinear/random_outcome.hpp"
#include "tests/catch.hpp"

namespace daewave::bvp {
namespace {

/// Of one class.
struct Count {
  int all = 0, claimed = 0, beyond = 0, far_beyond = 0, slow = 0;
  std::map<std::string, int> refused;
};

std::string text_of(const std::map<std::string, Count>& counts) {
  std::string text = fmt::format("{:22}{:>6}{:>9}{:>8}{:>6}{:>6}\n", "", "all", "claimed", "beyond",
                                 "far", "slow");
  for (const auto& [name, count] : counts) {
    text += fmt::format("{:22}{:6}{:9}{:8}{:6}{:6}", name, count.all, count.claimed, count.beyond,
                        count.far_beyond, count.slow);
    for (const auto& [why, times] : count.refused) text += fmt::format("  {} {}", times, why);
    text += "\n";
  }
  return text;
}

std::map<std::string, Count> campaign(unsigned from, unsigned to) {
  std::map<std::string, Count> counts;
  const bool verbose = std::getenv("CAMPAIGN_VERBOSE") != nullptr;
  for (unsigned seed = from; seed < to; ++seed) {
    const RandomNonlinearCase drawn = testing::random_nonlinear_case(seed);
    const Outcome outcome = solved(drawn);
    const Report& report = outcome.report;
    // What is carried by singular variants was not asked for.
    const double error =
        outcome.carries_By ? outcome.errors.x : std::max(outcome.errors.x, outcome.errors.carried);
    const bool claimed = report.usable();
    std::vector<std::string> classes = drawn.classes;
    classes.push_back(std::string(" ") + name_of(drawn.kind));
    classes.push_back(" all");
    if (verbose) {
      std::string all;
      for (const auto& c : classes) all += c + ", ";
      fmt::print("{} {:.0e} x {:.2g} c {:.2g} {} {:.2f}s n{} {} | {} | {} {}\n", seed,
                 drawn.tolerance, outcome.errors.x, outcome.errors.carried,
                 claimed ? (error > 10  ? "WRONG"
                            : error > 1 ? "beyond"
                                        : "ok")
                         : std::string("REF-") + name_of(report.termination),
                 outcome.seconds, report.intervals, all, outcome.carries_By ? "By" : "y",
                 report.message, outcome.threw);
      std::fflush(stdout);
    }
    for (const std::string& name : classes) {
      Count& count = counts[name];
      ++count.all;
      if (claimed) {
        ++count.claimed;
        if (!(error <= 1)) ++count.beyond;
        if (!(error <= 10)) ++count.far_beyond;
      } else {
        ++count.refused[outcome.threw.empty() ? name_of(report.termination) : "threw"];
      }
      if (outcome.seconds > 5) ++count.slow;
    }
  }
  return counts;
}

}  // namespace

TEST_CASE("what is claimed of random nonlinear problems holds", "[nonlinear]") {
  const Count count = campaign(0, 40)[" all"];
  CHECK(count.far_beyond == 0);
}

TEST_CASE("what is claimed of a thousand random nonlinear problems holds", "[.][campaign]") {
  const char* from = std::getenv("CAMPAIGN_FROM");
  const char* to = std::getenv("CAMPAIGN_TO");
  auto counts = campaign(from ? std::atoi(from) : 1000, to ? std::atoi(to) : 2000);
  WARN(text_of(counts));
  CHECK(counts[" all"].far_beyond == 0);
}

}  // namespace daewave::bvp
