// Newton's method on meshes that ranks share.

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "bvp/solve.hpp"
#include "core/error.hpp"
#include "problems/bent_beams.hpp"
#include "problems/index_one.hpp"
#include "problems/measles.hpp"
#include "problems/similarity_flows.hpp"
#include "tests/catch.hpp"
#include "tests/parallel/ropes.hpp"
#include "tests/parallel/whole_of_ranks.hpp"

using namespace daewave;
using daewave::testing::check_any_ranks;
using daewave::testing::over_ranks;
using daewave::testing::Whole;

namespace {

/// @return what they found, on any number of them.
template <class P>
Whole check_same(const P& problem, const bvp::Options& options) {
  Whole found = check_any_ranks(problem, options);
  CHECK(found.report.usable());
  return found;
}

/// On a mesh that is given, and to a tolerance on meshes of more partitions than there are ranks.
template <class P>
void check_kinds(const P& problem, int stages, double tolerance) {
  check_same(problem, {.stages = stages, .intervals = 700});
  const Whole chosen = check_same(problem, {.tolerance = tolerance, .stages = stages});
  CHECK(chosen.nodes.size() > 7 * 64);
}

std::string refusal(const std::function<void(const bvp::Options&)>& solve, bvp::Options options) {
  std::string words;
  parallel::run_ranks(2, [&](const Communicator& ranks) {
    bvp::Options mine = options;
    mine.ranks = &ranks;
    try {
      solve(mine);
    } catch (const InvalidOption& refused) {
      if (ranks.rank() == 0) words = refused.what();
    }
  });
  return words;
}

}  // namespace

TEST_CASE("nonlinear problems have the same bits on any number of ranks", "[ranks][nonlinear]") {
  check_kinds(problems::Elastica{}, 2, 1e-10);
  check_kinds(problems::Measles{}, 2, 1e-9);
  check_kinds(problems::IndexOneLayer{}, 2, 1e-7);
}

TEST_CASE("schemes of one stage, and with stages at nodes, have the same bits on any ranks",
          "[ranks][nonlinear]") {
  check_same(problems::Elastica{}, {.tolerance = 1e-4, .scheme = Scheme::gauss, .stages = 1});
  check_same(problems::Elastica{}, {.tolerance = 1e-8, .scheme = Scheme::lobatto, .stages = 3});
  check_same(problems::Elastica{},
             {.tolerance = 1e-8, .scheme = Scheme::radau, .stages = 2, .partitions = 9});
}

TEST_CASE("conditions that couple both ends have the same bits with any number of partitions",
          "[ranks][nonlinear]") {
  check_same(problems::Measles{}, {.stages = 2, .intervals = 500, .partitions = 190});
}

TEST_CASE("ranks find what one machine finds", "[ranks][nonlinear]") {
  const bvp::Options options{.stages = 4, .intervals = 300};
  const Whole alone = testing::whole_of(bvp::solve(problems::Elastica{}, options));
  const Whole whole = over_ranks(3, problems::Elastica{}, options);
  REQUIRE(whole.x.cols() == alone.x.cols());
  CHECK((whole.x - alone.x).cwiseAbs().maxCoeff() < 1e-11 * alone.x.cwiseAbs().maxCoeff());
}

TEST_CASE("unknown parameters, integrals and states inside are found by ranks",
          "[ranks][nonlinear][families]") {
  const bvp::ProblemFamily ropes = testing::ropes_through_a_point();
  check_kinds(ropes, 1, 1e-6);
  const bvp::Options options{.tolerance = 1e-6, .stages = 2};
  const bvp::Solution alone = bvp::solve(ropes, options);
  for (const int size : {2, 3}) {
    over_ranks(size, [&](const Communicator& ranks) {
      bvp::Options mine = options;
      mine.ranks = &ranks;
      mine.partitions = 3;
      bvp::Solution part = bvp::solve(ropes, mine);
      CHECK((part.parameters - alone.parameters).cwiseAbs().maxCoeff() < 1e-5);
      return part;
    });
  }
}

TEST_CASE("what cannot be evaluated on one rank is told by all, with its time",
          "[ranks][nonlinear]") {
  struct Broken : problems::Elastica {
    State f(const State& s, double t) const {
      State slope = problems::Elastica::f(s, t);
      if (t > 0.45) slope[1] = std::sqrt(-t);
      return slope;
    }
  };
  const Whole whole = over_ranks(4, Broken{}, {.intervals = 500});
  CHECK_THAT(whole.report.message, contains_text("x', row 2, is not finite at t = 0.45"));
}

TEST_CASE("a function that throws on one rank ends all", "[ranks][nonlinear]") {
  struct Throws : problems::Elastica {
    State f(const State& s, double t) const {
      if (t > 0.45) throw FileError("no such table");
      return problems::Elastica::f(s, t);
    }
  };
  std::vector<std::string> told(3);
  parallel::run_ranks(3, [&](const Communicator& ranks) {
    try {
      bvp::solve(Throws{}, {.intervals = 500, .ranks = &ranks});
    } catch (const Error& thrown) {
      told[static_cast<std::size_t>(ranks.rank())] = thrown.what();
    }
  });
  for (const std::string& words : told) CHECK_THAT(words, contains_text("no such table"));
}

TEST_CASE("a stop that one rank is asked for ends Newton's method on all", "[ranks][nonlinear]") {
  std::vector<Report> reports(3);
  parallel::run_ranks(3, [&](const Communicator& ranks) {
    int calls = 0;
    bvp::Options options{.tolerance = 1e-9, .stages = 2, .ranks = &ranks};
    options.progress = [&](const bvp::Progress&) { return ranks.rank() != 1 || ++calls < 8; };
    reports[static_cast<std::size_t>(ranks.rank())] =
        bvp::solve(problems::Elastica{}, options).report;
  });
  for (const Report& report : reports) {
    CHECK(report.termination == Termination::stopped);
    CHECK(report.message == reports[0].message);
  }
}

TEST_CASE("nonlinear problems that ranks do not solve are refused by name", "[ranks]") {
  const auto solve = [](const auto& problem) {
    return [&problem](const bvp::Options& options) { bvp::solve(problem, options); };
  };
  const problems::Elastica rod;
  CHECK_THAT(refusal(solve(rod), {.intervals = 100, .linear_solver = "block_lu"}),
             contains_text("parallel_block"));
  CHECK_THAT(refusal(solve(rod), {.intervals = 60}), contains_text("partition"));
}
