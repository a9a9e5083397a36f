// Runs in pieces that are shorter than what lies between two calls of progress().

#include <cmath>
#include <string>
#include <vector>

#include "ivp/solve.hpp"
#include "problems/pendulum.hpp"
#include "tests/catch.hpp"
#include "tests/problems/compiled_problems.hpp"

using namespace daewave;
using ivp::Options;
using ivp::Solution;

namespace {

const DaeProblem& swing() {
  static const DaeProblemPtr problem = problem_of(problems::Pendulum{});
  return *problem;
}

}  // namespace

TEST_CASE("a run in legs that take no time is told of, and stops with a checkpoint", "[legs]") {
  const std::string method = GENERATE("", "s-both2", "bdf-projection");
  CAPTURE(method);
  Options options{.every = 0};
  if (!method.empty()) options.method = ivp::method_named(method);
  options.checkpoints.steps = 20;
  std::vector<Checkpoint> saved;
  options.checkpoints.save = [&](const Checkpoint& at) { saved.push_back(at); };
  int told = 0;
  double at = 0;
  options.progress = [&](const ivp::RunProgress& now) {
    CHECK(now.begin == 0);
    CHECK(now.end == 1e5);
    CHECK(now.t > at);
    at = now.t;
    return ++told < 2;
  };
  const Solution solution = ivp::solve(swing(), *swing().start(), Interval{0, 1e5}, options);
  CHECK(told == 2);
  CHECK(solution.report.termination == Termination::stopped);
  CHECK(solution.report.integration.reached == at);
  CHECK(solution.t.back() == at);
  REQUIRE(saved.size() == 1);
  CHECK(saved[0].t <= at);
  CHECK(saved[0].t > 0.9 * at);
}

TEST_CASE("where a run starts anew in every step progress is told all the same", "[legs]") {
  Options options{.every = 0};
  SECTION("at given times") {
    for (int i = 1; i < 200000; ++i) options.restart_times.push_back(2e-3 * i);
    options.h = 1e-3;
    SECTION("one step after the other") { options.method = ivp::method_named("s-both2"); }
    SECTION("in sweeps") { options.method = ivp::Srm{.iterates = 3, .exact_start = 1}; }
  }
  SECTION("at events") {
    options.events = {{.function = [](double t, const VecX&) { return std::sin(200 * t); },
                       .change = [](double, const VecX& z) { return z; }}};
  }
  int told = 0;
  options.progress = [&](const ivp::RunProgress&) { return ++told < 2; };
  const Solution solution = ivp::solve(swing(), *swing().start(), Interval{0, 1e4}, options);
  CAPTURE(solution.report.message);
  CHECK(told == 2);
  CHECK(solution.report.termination == Termination::stopped);
  CHECK(solution.report.integration.reached < 1e4);
}
