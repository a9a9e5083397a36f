// Runs that start anew: at events that change the state, and where forces jump in t. What they give
// out, where they end, and what they refuse.

#include <algorithm>
#include <cmath>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "ivp/solve.hpp"
#include "tests/catch.hpp"
#include "tests/ivp/doors/rail.hpp"

using namespace daewave;
using ivp::Event;
using ivp::Options;
using ivp::Solution;
using testing::drop;
using testing::impact;
using testing::oscillate;
using testing::precise;
using testing::Rail;
using testing::run;

TEST_CASE("a force that jumps at a given time is seen on its own side only", "[restarts]") {
  for (const bool later : {false, true}) {
    for (const bool fixed : {false, true}) {
      for (const double from : {0.0, 3.0}) {  // Forward and backward.
        const Rail rail{
            [later](double, double, double t) { return (later ? t <= 1.3 : t < 1.3) ? 0.0 : 2.0; }};
        Options options = precise({});
        options.restart_times = {1.3};
        options.times = {0.5, 1.3, 2};
        options.dense = true;
        if (fixed) options.h = 0.25;
        const auto s = [](double t) { return t < 1.3 ? 0 : (t - 1.3) * (t - 1.3); };
        const auto ds = [](double t) { return t < 1.3 ? 0 : 2 * (t - 1.3); };
        const Solution solution =
            run(rail, Rail::state(s(from), ds(from)), {from, 3 - from}, options);
        CAPTURE(later, fixed, from);
        CHECK(solution.report.usable());
        CHECK(solution.report.integration.rejected == 0);
        CHECK(solution.report.integration.restarts == 1);
        REQUIRE(solution.count() == 5);
        for (int i = 0; i < 5; ++i) {
          const double t = solution.t[i];
          CHECK(std::abs(Rail::s(solution.state(i)) - s(t)) < 1e-13);
          CHECK(std::abs(Rail::s(solution.at(t)) - s(t)) < 1e-13);
        }
        CHECK(solution.t[2] == 1.3);
        CHECK(solution.t[4] == 3 - from);
      }
    }
  }
}

TEST_CASE("what the problem throws where a later piece begins leaves those before", "[restarts]") {
  for (const bool fixed : {false, true}) {
    for (const double from : {0.0, 3.0}) {
      const Rail rail{[from](double, double, double t) {
        if (from == 0 ? t > 1.3 : t < 1.3) throw std::runtime_error("the table ends at 1.3");
        return 0.0;
      }};
      Options options = precise({});
      options.restart_times = {1.3};
      if (fixed) options.h = 0.25;
      const Solution solution = run(rail, Rail::state(0, 1), {from, 3 - from}, options);
      CAPTURE(fixed, from, solution.report.full());
      CHECK(solution.report.termination == Termination::stopped);
      CHECK_THAT(solution.report.message,
                 contains_text("1.3") && contains_text("the table ends at 1.3"));
      CHECK_FALSE(solution.report.advice.empty());
      REQUIRE(solution.count() >= 2);
      CHECK(solution.t.back() == 1.3);
      CHECK(std::abs(Rail::s(solution.end()) - (1.3 - from)) < 1e-12);
    }
  }
}

TEST_CASE("impacts that accumulate end the run with where they do", "[restarts]") {
  // The first at 1, the others e^k 2 apart.
  for (const double e : {0.001, 0.05, 0.5, 0.8}) {
    for (const bool fixed : {false, true}) {
      Options options = precise({impact(e)});
      if (fixed) options.h = 0.01;
      const Solution solution = drop(options, 20);
      const double rest = 1 + 2 * e / (1 - e);
      INFO(solution.report.full());
      CAPTURE(e, fixed);
      CHECK_FALSE(solution.report.usable());
      CHECK(solution.report.termination == Termination::step_too_small);
      CHECK_THAT(solution.report.message,
                 contains_text("event \"wall\"") && contains_text("accumulate"));
      CHECK_FALSE(solution.report.advice.empty());
      CHECK(std::abs(solution.report.integration.reached - rest) < (fixed ? 1e-2 : 1e-4));
      for (int i = 0; i < solution.count(); ++i) CHECK(Rail::s(solution.state(i)) > -1e-9);
    }
  }
  const Solution dead = drop(precise({impact(0)}), 20);
  CHECK_FALSE(dead.report.usable());
  CHECK_THAT(dead.report.message, contains_text("would go through"));
  CHECK(dead.report.integration.reached == Approx(1));
}

TEST_CASE("bounces shorter than a step are found all the same", "[restarts]") {
  Options options = precise({impact(0.2)});
  options.h = 0.9;
  const Solution solution = drop(options, 1.45);
  CHECK(solution.occurrences.size() >= 2);
  CHECK(std::abs(solution.occurrences[1].t - 1.4) < 1e-12);
}

TEST_CASE("bounces off a wall that moves are those off one that rests, as seen from it",
          "[restarts]") {
  const Rail rail{[](double, double, double) { return -1.0; }};
  for (const double speed : {-3.0, 0.5, 3.0}) {
    const Event wall{
        .name = "wall",
        .function = [speed](double t, const VecX& z) { return Rail::s(z) - speed * t; },
        .direction = Event::Direction::falling,
        .change =
            [speed](double t, const VecX& z) {
              return Rail::state(speed * t, speed - 0.2 * (Rail::ds(z) - speed));
            }};
    Options options = precise({wall});
    options.h = 0.9;
    const Solution solution = run(rail, Rail::state(0.5, speed), {0, 1.45}, options);
    REQUIRE(solution.occurrences.size() >= 2);
    CHECK(std::abs(solution.occurrences[0].t - 1) < 1e-12);
    CHECK(std::abs(solution.occurrences[1].t - 1.4) < 1e-12);
  }
}

TEST_CASE("a state after an event is on the constraints to rounding", "[restarts]") {
  Event wall = impact(1);
  // Off them by less than a start may be.
  wall.change = [](double, const VecX& z) {
    VecX after = Rail::state(0, -Rail::ds(z));
    after[1] += 5e-10;
    after[3] -= 5e-10;
    return after;
  };
  const Solution solution = oscillate(precise({wall}), {0, 3});
  REQUIRE(solution.occurrences.size() == 1);
  const VecX& after = solution.occurrences[0].after;
  REQUIRE(after.size() == 4);
  CHECK(std::abs(after[1] - 0.5 * after[0]) < 1e-13);
  CHECK(std::abs(after[3] - 0.5 * after[2]) < 1e-13);
  CHECK(solution.report.integration.drift_position < 1e-12);
}

TEST_CASE("a state that is moved by more than 1e-6 of the positions is told", "[restarts]") {
  for (const double off : {0.4e-6, 2.5e-6}) {
    Event wall = impact(1);
    wall.change = [off](double, const VecX& z) {
      VecX after = Rail::state(0, -Rail::ds(z));
      after[1] += off;
      return after;
    };
    CAPTURE(off);
    const Solution solution = oscillate(precise({wall}), {0, 3});
    REQUIRE(solution.occurrences.size() == 1);
    CHECK(solution.report.warnings.empty() == (off < 1e-6));
  }
}

TEST_CASE("what is given out tells the states before and after, and counts on", "[restarts]") {
  Options options = precise({impact(1)});
  options.h = 0.1;
  options.dense = true;
  std::vector<double> seen;
  std::vector<long> steps;
  options.sink = [&](const ivp::Output& out) {
    seen.push_back(out.t);
    steps.push_back(out.step);
    return true;
  };
  const Solution all = oscillate(options, {0, 4});
  CHECK(seen == all.t);
  CHECK(std::is_sorted(seen.begin(), seen.end()));
  CHECK(std::is_sorted(steps.begin(), steps.end()));
  CHECK(steps.back() == all.report.integration.steps);
  const double t = all.occurrences.at(0).t;
  const auto at = std::find(seen.begin(), seen.end(), t);
  REQUIRE(at != seen.end());
  REQUIRE(*(at + 1) == t);
  const int row = static_cast<int>(at - seen.begin());
  CHECK(Rail::ds(all.state(row)) == Approx(-1).epsilon(1e-5));
  CHECK(Rail::ds(all.state(row + 1)) == Approx(1).epsilon(1e-5));
  CHECK(all.at(t) == all.state(row + 1));
  CHECK(Rail::s(all.at(1)) == Approx(std::cos(1)).epsilon(1e-4));
  CHECK(Rail::s(all.at(2)) == Approx(-std::cos(2)).epsilon(1e-4));
  CHECK_THAT(all.report.full(), contains_text("1 restarts"));
  options.keep = false;
  const Solution last = oscillate(options, {0, 4});
  CHECK(last.count() == 1);
  CHECK(last.end() == all.end());
  // The sink stops after the event too.
  options.sink = [](const ivp::Output& out) { return out.t < 3; };
  const Solution stopped = oscillate(options, {0, 4});
  CHECK(stopped.report.termination == Termination::stopped);
  CHECK(stopped.report.integration.reached < 3.2);
  options.sink = [](const ivp::Output& out) -> bool {
    if (out.t > 3) throw InvalidOption("of the caller");
    return true;
  };
  CHECK_THROWS_WITH(oscillate(options, {0, 4}), "of the caller");
}

TEST_CASE("a change that is no state ends the run with what was before", "[restarts]") {
  const auto ends = [](std::function<VecX(double, const VecX&)> change) {
    Event wall = impact(1);
    wall.change = std::move(change);
    const Solution solution = oscillate(precise({wall}), {0, 5});
    CHECK_FALSE(solution.report.usable());
    CHECK_FALSE(solution.report.advice.empty());
    CHECK(solution.t.back() == Approx(std::acos(0.0)));
    return solution.report.message;
  };
  CHECK_THAT(ends([](double, const VecX&) { return VecX::Zero(3); }), contains_text("3 entries"));
  CHECK_THAT(ends([](double, const VecX&) { return VecX::Constant(4, NAN); }),
             contains_text("not finite"));
  CHECK_THAT(ends([](double, const VecX&) -> VecX { throw std::runtime_error("no such clutch"); }),
             contains_text("no such clutch"));
  Event off = impact(1);
  off.change = [](double, const VecX& z) { return VecX(-z + VecX::Unit(4, 1)); };
  const Solution moved = oscillate(precise({off}), {0, 2});
  CHECK(moved.report.integration.drift_position < 1e-12);
  REQUIRE_FALSE(moved.report.warnings.empty());
  CHECK_THAT(moved.report.warnings[0], contains_text("off the constraints"));
}

TEST_CASE("whichever call of an event or its change throws, what was valid until there is kept",
          "[restarts]") {
  const auto solve = [](long thrown_at, long& calls, const ivp::Method& method) {
    const auto call = [&calls, thrown_at] {
      if (++calls == thrown_at) throw std::runtime_error("call " + std::to_string(thrown_at));
    };
    Event wall = impact(0.5);
    const Event plain = wall;
    wall.function = [plain, call](double t, const VecX& z) {
      call();
      return plain.function(t, z);
    };
    wall.change = [plain, call](double t, const VecX& z) {
      call();
      return plain.change(t, z);
    };
    Options options = precise({wall});
    options.method = method;
    return drop(options, 2.4);  // One impact at 1, one at 2.
  };
  for (const ivp::Method& method : {ivp::Method(ivp::SBoth2{}), ivp::Method(ivp::GaussWindows{})}) {
    long all = 0;
    const Solution whole = solve(0, all, method);
    REQUIRE(whole.report.usable());
    REQUIRE(whole.occurrences.size() == 2);
    for (long thrown_at = 1; thrown_at <= all; ++thrown_at) {
      CAPTURE(name_of(method), thrown_at, all);
      long calls = 0;
      Solution solution;
      if (thrown_at == 1) {  // At the start there is nothing yet.
        CHECK_THROWS_WITH(solve(thrown_at, calls, method), "call 1");
        continue;
      }
      REQUIRE_NOTHROW(solution = solve(thrown_at, calls, method));
      CHECK_FALSE(solution.report.usable());
      CHECK_THAT(solution.report.message, contains_text("call " + std::to_string(thrown_at)));
      CHECK_FALSE(solution.report.advice.empty());
      for (int i = 0; i < solution.count(); ++i) {
        const double t = solution.t[i], after = t - 1;
        const double first = 0.5 - 0.5 * t * t, second = 0.5 * after - 0.5 * after * after;
        CAPTURE(t, Rail::s(solution.state(i)), solution.report.full());
        if (t <= 2) CHECK(std::abs(Rail::s(solution.state(i)) - (t < 1 ? first : second)) < 1e-9);
      }
    }
  }
}

TEST_CASE("what cannot start anew is refused by name", "[restarts]") {
  const auto refused = [](const Options& options, const std::string& why) {
    CHECK_THROWS_WITH(oscillate(options, {0, 5}), contains_text(why));
  };
  Event stops = impact(1);
  stops.then = Event::Then::stop;
  refused(precise({stops}), "stops and has a change");
  Options options = precise({impact(1)});
  options.h = 0.01;
  for (const char* loops : {"sweeps", "pipelined", "lanes"}) {
    options.method = ivp::Srm{.loops = ivp::loops_named(loops)};
    refused(options, std::string("loops = ") + loops);
  }
  ivp::StepLocal local;
  local.checkpoints.save = [](const Checkpoint&) {};
  options.method = ivp::Srm{.loops = local};
  refused(options, "checkpoints: ");
  options = precise({});
  options.restart_times = {2, 1};
  refused(options, "restart_times[1] = 1");
  options.restart_times = {2, 7};
  refused(options, "restart_times[1] = 7");
  options.restart_times = {NAN};
  refused(options, "restart_times[0]");
}
