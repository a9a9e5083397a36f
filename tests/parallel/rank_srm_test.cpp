// Iterates of a sequential regularization over ranks are the step-local computation, to the last
// bit.

#include <memory>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "ivp/options/rank_pipeline.hpp"
#include "ivp/solve.hpp"
#include "parallel/rank_threads.hpp"
#include "problems/pendulum.hpp"
#include "tests/catch.hpp"
#include "tests/ivp/same_runs.hpp"
#include "tests/problems/compiled_problems.hpp"

using namespace daewave;

namespace {

const problems::Pendulum pendulum;

ivp::Options fixed(int iterates) {
  ivp::Options options{.method = ivp::Srm{.iterates = iterates}, .h = 0.002};
  options.seek_way_out = false;
  return options;
}

ivp::Options over(const Communicator& ranks, ivp::Options options, std::optional<int> steps) {
  auto& srm = std::get<ivp::Srm>(options.method);
  ivp::Pipelined pipelined;
  pipelined.steps = steps;
  pipelined.pipeline = std::make_shared<RankPipeline>(ranks);
  if (const auto* given = std::get_if<ivp::Pipelined>(&srm.loops)) {
    pipelined.checkpoints = given->checkpoints;
  }
  srm.loops = pipelined;
  return options;
}

/// What the first rank has; the others must tell the same end.
template <class P>
ivp::Solution over_ranks(int size, const P& problem, const ivp::Options& options,
                         std::optional<int> steps = 16, double t_end = 1) {
  std::vector<ivp::Solution> all(static_cast<std::size_t>(size));
  parallel::run_ranks(size, [&](const Communicator& ranks) {
    all[static_cast<std::size_t>(ranks.rank())] =
        ivp::solve(problem, problem.start(), {0, t_end}, over(ranks, options, steps));
  });
  for (const ivp::Solution& one : all) {
    CHECK(one.report.termination == all[0].report.termination);
    CHECK(one.report.message == all[0].report.message);
  }
  return all[0];
}

/// Whose mass is lost on the way.
struct Lost : problems::Pendulum {
  static constexpr bool in_lanes = false;
  double at = 0.5;
  template <class T>
  VecOf<T, 2> f(const VecOf<T, 2>&, const VecOf<T, 2>&, const T& t) const {
    if (t > at) return {T(0), T(0) / T(0)};
    return {T(0), T(-g0)};
  }
};

/// Which cannot be asked for on the way.
struct Throws : problems::Pendulum {
  static constexpr bool in_lanes = false;
  template <class T>
  VecOf<T, 2> f(const VecOf<T, 2>&, const VecOf<T, 2>&, const T& t) const {
    if (t > 0.5) throw FileError("no such table");
    return {T(0), T(-g0)};
  }
};

}  // namespace

TEST_CASE("iterates over ranks have the bits of the step-local order", "[ranks][srm]") {
  const ivp::Options options = fixed(4);
  const ivp::Solution alone = ivp::solve(pendulum, pendulum.start(), {0, 1}, options);
  REQUIRE(alone.report.usable());
  for (const int size : {1, 2, 3, 4}) {
    for (const std::optional<int>& steps : {std::optional<int>(), std::optional<int>(7)}) {
      CAPTURE(size, steps.value_or(0));
      testing::check_same_runs(over_ranks(size, pendulum, options, steps), alone);
    }
  }
}

TEST_CASE("implicit iterates over ranks have the bits of the step-local order", "[ranks][srm]") {
  ivp::Options options = fixed(3);
  std::get<ivp::Srm>(options.method).formula = {.stepper = ivp::Stepper::radau, .stages = 2};
  const ivp::Solution alone = ivp::solve(pendulum, pendulum.start(), {0, 1}, options);
  REQUIRE(alone.report.usable());
  for (const int size : {2, 3})
    testing::check_same_runs(over_ranks(size, pendulum, options), alone);
}

TEST_CASE("an event and a sink end a run of all ranks where they end one machine's",
          "[ranks][srm]") {
  ivp::Options options = fixed(3);
  options.events = {{.name = "below",
                     .function = [](double, const VecX& z) { return z[1] + 0.3; },
                     .then = ivp::Event::Then::stop}};
  const ivp::Solution alone = ivp::solve(pendulum, pendulum.start(), {0, 1}, options);
  REQUIRE(alone.t.back() < 0.9);
  testing::check_same_runs(over_ranks(3, pendulum, options), alone);
  options.events.clear();
  options.sink = [](const ivp::Output& output) { return output.t < 0.4; };
  testing::check_same_runs(over_ranks(3, pendulum, options),
                           ivp::solve(pendulum, pendulum.start(), {0, 1}, options));
}

TEST_CASE("what an iterate of any rank cannot evaluate ends all, with what is valid",
          "[ranks][srm]") {
  const ivp::Options options = fixed(3);
  const ivp::Solution alone = ivp::solve(Lost{}, Lost{}.start(), {0, 1}, options);
  REQUIRE_FALSE(alone.report.usable());
  testing::check_same_runs(over_ranks(3, Lost{}, options), alone);
  // In the first step too.
  const Lost at_once{{}, 1e-9};
  testing::check_same_runs(over_ranks(2, at_once, options),
                           ivp::solve(at_once, at_once.start(), {0, 1}, options));
  testing::check_same_runs(over_ranks(3, Throws{}, options),
                           ivp::solve(Throws{}, Throws{}.start(), {0, 1}, options));
}

TEST_CASE("a run over ranks goes on from a checkpoint with the same bits", "[ranks][srm]") {
  ivp::Options options = fixed(3);
  ivp::Pipelined loops;
  std::vector<Checkpoint> taken;
  loops.checkpoints.save = [&](const Checkpoint& one) { taken.push_back(one); };
  loops.checkpoints.seconds = 0;
  std::get<ivp::Srm>(options.method).loops = loops;
  const ivp::Solution whole = over_ranks(3, pendulum, options);
  REQUIRE(taken.size() > 3);
  loops.checkpoints.save = {};
  for (const std::size_t from : {taken.size() / 2, taken.size() - 1}) {
    loops.checkpoints.resume = std::make_shared<const Checkpoint>(taken[from]);
    std::get<ivp::Srm>(options.method).loops = loops;
    for (const int size : {1, 2, 3}) {
      CAPTURE(from, size);
      const ivp::Solution rest = over_ranks(size, pendulum, options, 5);
      CHECK(rest.report.message == whole.report.message);
      CHECK(rest.end() == whole.end());
      // The start is evaluated once more, by each iterate.
      CHECK(rest.report.integration.evaluations == whole.report.integration.evaluations + 3);
    }
  }
}

TEST_CASE("a rank that is lost on the way ends the others", "[ranks][srm]") {
  std::vector<std::string> told(3);
  CHECK_THROWS_AS(parallel::run_ranks(
                      3,
                      [&](const Communicator& ranks) {
                        ivp::Options options = fixed(3);
                        options.sink = [](const ivp::Output& output) {
                          if (output.t > 0.5) throw FileError("the disk is full");
                          return true;
                        };
                        try {
                          ivp::solve(pendulum, pendulum.start(), {0, 1}, over(ranks, options, 16));
                        } catch (const Error& thrown) {
                          told[static_cast<std::size_t>(ranks.rank())] = thrown.what();
                          throw;
                        }
                      }),
                  FileError);
  for (const std::string& words : told) CHECK_THAT(words, contains_text("the disk is full"));
}

TEST_CASE("what iterates over ranks cannot do is refused by name", "[ranks][srm]") {
  const auto refused = [](ivp::Options options, int size) {
    std::string words;
    parallel::run_ranks(size, [&](const Communicator& ranks) {
      try {
        ivp::solve(pendulum, pendulum.start(), {0, 1}, over(ranks, options, 16));
      } catch (const InvalidOption& thrown) {
        if (ranks.rank() == 0) words = thrown.what();
      }
    });
    return words;
  };
  CHECK_THAT(refused(fixed(2), 3), contains_text("take fewer ranks"));
  ivp::Options options = fixed(3);
  options.estimate_error = true;
  CHECK_THAT(refused(options, 2), contains_text("estimate_error"));
  options = fixed(3);
  options.h.reset();
  CHECK_THAT(refused(options, 2), contains_text("fixed h"));
}
