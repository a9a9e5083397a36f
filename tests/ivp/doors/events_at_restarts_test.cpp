// Events whose zeros are where f jumps: between the end of one piece and the begin of the next.

#include <cmath>
#include <functional>
#include <utility>
#include <vector>

#include "ivp/solve.hpp"
#include "tests/catch.hpp"

using namespace daewave;
using ivp::Event;
using ivp::Options;
using ivp::Solution;

namespace {

struct Steady {
  using State = Vec<2>;
  State f(const State& z, double) const { return {z[1], 0}; }
};

/// Functions that are zero at t, where z[0] is t too.
std::vector<std::function<double(double, const VecX&)>> functions_zero_at(double t) {
  return {[t](double now, const VecX&) { return now - t; },
          [t](double now, const VecX&) { return 1e6 * (t - now); },
          [t](double, const VecX& z) { return z[0] - t; },
          [t](double now, const VecX&) { return std::sin(3 * (now - t)); },
          [t](double now, const VecX& z) { return z[0] + now - 2 * t; }};
}

Solution steady(const Event& event, double sign, std::vector<double> restart_times) {
  Options options{.rtol = 1e-8, .seek_way_out = false, .dense = true};
  options.events = {event};
  options.restart_times = std::move(restart_times);
  return ivp::solve(Steady{}, Vec<2>(0, 1), {0, sign}, options);
}

}  // namespace

TEST_CASE("an event at a restart time, or as near as rounding, is found exactly once",
          "[restarts]") {
  for (const double sign : {1.0, -1.0}) {
    for (const double off : {0.0, 1e-16, -1e-16, 4e-16, -4e-16, 1e-15, -1e-15, 3e-15, -3e-15, 1e-13,
                             -1e-13, 1e-9, -1e-9}) {
      const double at = sign * (0.5 + off);
      int number = 0;
      for (const auto& function : functions_zero_at(at)) {
        CAPTURE(sign, off, number++);
        const Solution plain = steady({"e", function}, sign, {sign * 0.5});
        REQUIRE(plain.report.usable());
        REQUIRE(plain.occurrences.size() == 1);
        CHECK(std::abs(plain.occurrences[0].t - at) < 1e-14);
        CHECK(plain.report.integration.events == 1);
        CHECK(plain.t.back() == sign);

        Event stops{"e", function};
        stops.then = Event::Then::stop;
        const Solution stopped = steady(stops, sign, {sign * 0.5});
        REQUIRE(stopped.report.usable());
        REQUIRE(stopped.occurrences.size() == 1);
        CHECK(std::abs(stopped.t.back() - at) < 1e-14);
        CHECK(stopped.report.integration.reached == stopped.t.back());
        CHECK_THAT(stopped.report.message, contains_text("event \"e\" at t = "));

        Event fails{"e", function};
        fails.then = Event::Then::fail;
        const Solution failed = steady(fails, sign, {sign * 0.5});
        CHECK(failed.report.termination == Termination::refused);
        CHECK(std::abs(failed.t.back() - at) < 1e-14);

        Event changes{"e", function};
        changes.change = [](double, VecX z) {
          z[1] += 1;
          return z;
        };
        const Solution changed = steady(changes, sign, {sign * 0.5});
        INFO(changed.report.full());
        REQUIRE(changed.report.usable());
        REQUIRE(changed.occurrences.size() == 1);
        CHECK(std::abs(changed.occurrences[0].t - at) < 1e-14);
        CHECK(std::abs(changed.end()[0] - sign * 1.5) < 1e-8);
        for (int i = 1; i < changed.count(); ++i) {
          CHECK(sign * changed.t[i] >= sign * changed.t[i - 1]);
        }
      }
    }
  }
}

TEST_CASE("an event that fails the run does so at the time of one that changes the state too",
          "[restarts]") {
  const auto function = [](double t, const VecX&) { return t - 0.4; };
  Event changes{"kick", function};
  changes.change = [](double, VecX z) { return z; };
  Event fails{"border", function};
  fails.then = Event::Then::fail;
  for (const bool first : {false, true}) {
    Options options{.rtol = 1e-8, .seek_way_out = false};
    options.events = first ? std::vector{fails, changes} : std::vector{changes, fails};
    const Solution solution = ivp::solve(Steady{}, Vec<2>(0, 1), {0, 1}, options);
    INFO(solution.report.full());
    CHECK(solution.report.termination == Termination::refused);
    CHECK_THAT(solution.report.message, contains_text("event \"border\" at t = 0.4"));
    CHECK(solution.t.back() == Approx(0.4));
  }
}

TEST_CASE("a zero at a restart where the run begins is no event, and one where it ends is",
          "[restarts]") {
  for (const double sign : {1.0, -1.0}) {
    CHECK(steady({"e", [](double t, const VecX&) { return t; }}, sign, {0}).occurrences.empty());
    const Solution end =
        steady({"e", [sign](double t, const VecX&) { return t - sign; }}, sign, {sign});
    CHECK(end.occurrences.size() == 1);
  }
}

TEST_CASE("a force that jumps where an event changes the state is seen on its own side",
          "[restarts]") {
  struct Jumps {
    using State = Vec<2>;
    State f(const State& z, double t) const { return {z[1], t <= 0.5 ? 0.0 : 2.0}; }
  };
  for (const double off : {0.0, 1e-15, -1e-15}) {
    Options options{.rtol = 1e-8};
    options.restart_times = {0.5};
    options.events = {{.name = "turns",
                       .function = [off](double t, const VecX&) { return t - (0.5 + off); },
                       .change =
                           [](double, VecX z) {
                             z[1] = -z[1];
                             return z;
                           }}};
    const Solution solution = ivp::solve(Jumps{}, Vec<2>(0, 1), {0, 1}, options);
    CAPTURE(off, solution.report.full());
    REQUIRE(solution.report.usable());
    CHECK(solution.report.integration.rejected == 0);
    REQUIRE(solution.occurrences.size() == 1);
    CHECK(solution.end()[0] == Approx(0.25).epsilon(1e-10));
  }
}
