#include <cmath>
#include <numbers>
#include <stdexcept>

#include "ivp/one_step/explicit_rk_step.hpp"
#include "ivp/run/integrate.hpp"
#include "tests/catch.hpp"
#include "tests/ivp/plain_systems.hpp"

namespace daewave::ivp {
namespace {

using std::numbers::pi;

Event sine(Event::Direction direction = Event::Direction::any,
           Event::Then then = Event::Then::go_on) {
  return {"sine", [](double, const VecX& z) { return z[0]; }, direction, then};
}

Event at_time(double t, Event::Then then = Event::Then::go_on) {
  return {"clock", [t](double now, const VecX&) { return now - t; }, Event::Direction::any, then};
}

Solution oscillation(const Options& options, Interval span, Stepper stepper = Stepper::dop853) {
  Oscillator system;
  ExplicitRkStep step(system, tableau(stepper), Tolerance(options, 2));
  return integrate(step, Oscillator::exact(span.begin), span, options);
}

Options precise(std::vector<Event> events) {
  Options options;
  options.atol = options.rtol = 1e-12;
  options.events = std::move(events);
  return options;
}

}  // namespace

TEST_CASE("an event that is not a number ends the run and says which, when", "[steppers]") {
  for (const bool fixed : {false, true}) {
    Options options = precise({sine(), at_time(2)});
    options.events.push_back({"root", [](double t, const VecX&) { return std::sqrt(3.005 - t); }});
    if (fixed) options.h = 1e-2;
    const Solution solution = oscillation(options, {0, 10});
    INFO(solution.report.full());
    CHECK(solution.report.termination == Termination::diverged);
    CHECK_THAT(solution.report.message, contains_text("event \"root\" is not a number at t = 3."));
    CHECK_FALSE(solution.report.advice.empty());
    CHECK(solution.occurrences.size() == 1);
    CHECK(solution.t.back() == solution.report.integration.reached);
    CHECK((solution.end() - Oscillator::exact(solution.t.back())).norm() < 1e-9);
  }
  Options options = precise({{"never", [](double, const VecX&) { return std::nan(""); }}});
  CHECK_THAT(oscillation(options, {0, 1}).report.message, contains_text("\"never\""));
}

TEST_CASE("events faster than the steps are told, and those of steps short enough are not",
          "[steppers]") {
  const auto fast = [](double t, const VecX&) { return std::sin(60 * t + 0.3); };  // 191 zeros.
  for (int i = 0; i < 60; ++i) {
    Options options = precise({{"fast", fast}});
    options.h = 0.3 * std::pow(0.95, i);
    const Solution solution = oscillation(options, {0, 10});
    CAPTURE(*options.h, solution.occurrences.size());
    if (*options.h < 0.08) {  // Less than a period.
      CHECK(solution.occurrences.size() == 191);
      CHECK(solution.report.warnings.empty());
      continue;
    }
    CHECK(solution.occurrences.size() <= 191);
    if (solution.occurrences.size() == 191 && solution.report.warnings.empty()) continue;
    REQUIRE(solution.report.warnings.size() == 1);
    CHECK_THAT(solution.report.warnings[0], contains_text("event \"fast\"") &&
                                                contains_text("more than once") &&
                                                contains_text("smaller h"));
  }
  // What it says, done, helps.
  for (const bool fixed : {true, false}) {
    Options options = precise({{"fast", fast}, sine()});
    if (fixed) options.h = 0.01;
    if (!fixed) options.largest_step = 0.04;
    const Solution solution = oscillation(options, {0, 10});
    CHECK(solution.occurrences.size() == 194);
    CHECK(solution.report.warnings.empty());
  }
}

TEST_CASE("an event that is infinite has a sign, and is found where that changes", "[steppers]") {
  const Solution solution = oscillation(
      precise({{"jump", [](double t, const VecX&) { return t < 1.25 ? -INFINITY : INFINITY; }}}),
      {0, 10});
  CHECK(solution.report.usable());
  REQUIRE(solution.occurrences.size() == 1);
  CHECK(solution.occurrences[0].t == Approx(1.25).epsilon(1e-9));
}

TEST_CASE("an event that throws leaves what was valid, with its message", "[steppers]") {
  Options options = precise({{"thrower", [](double t, const VecX&) -> double {
                                if (t > 3) throw std::runtime_error("no contact beyond 3");
                                return 1;
                              }}});
  const Solution solution = oscillation(options, {0, 10});
  CHECK(solution.report.termination == Termination::stopped);
  CHECK_THAT(solution.report.message, contains_text("no contact beyond 3"));
  CHECK_FALSE(solution.report.advice.empty());
  CHECK(solution.count() > 2);
  CHECK(solution.t.back() == solution.report.integration.reached);
}

TEST_CASE("every zero of an event is found once, to the accuracy of the solution", "[steppers]") {
  for (Stepper stepper : {Stepper::dopri5, Stepper::dop853}) {
    const Solution solution = oscillation(precise({sine()}), {0.5, 32}, stepper);
    REQUIRE(solution.occurrences.size() == 10);
    for (int i = 0; i < 10; ++i) {
      const Occurrence& one = solution.occurrences[i];
      CHECK(one.t == Approx((i + 1) * pi).epsilon(1e-10));
      CHECK(std::abs(one.state[0]) <= 1e-14);
      CHECK(one.rising == (i % 2 == 1));
    }
    CHECK(solution.report.integration.events == 10);
    CHECK(solution.report.message == solution.report.brief().substr(11));
  }
}

TEST_CASE("events look in the direction they are told to", "[steppers]") {
  const Solution solution = oscillation(
      precise({sine(Event::Direction::rising), sine(Event::Direction::falling)}), {0.5, 20});
  REQUIRE(solution.occurrences.size() == 6);
  for (int i = 0; i < 6; ++i) {
    CHECK(solution.occurrences[i].event == (i % 2 == 0 ? 1 : 0));
    CHECK(solution.occurrences[i].t == Approx((i + 1) * pi));
  }
}

TEST_CASE("events of one step come in the order of time, up to one that stops", "[steppers]") {
  Options options =
      precise({at_time(0.7), at_time(0.5), at_time(0.6, Event::Then::stop), at_time(0.55)});
  options.h = 1;
  const Solution solution = oscillation(options, {0, 3}, Stepper::dopri5);
  REQUIRE(solution.occurrences.size() == 3);
  CHECK(solution.occurrences[0].event == 1);
  CHECK(solution.occurrences[1].event == 3);
  CHECK(solution.occurrences[2].event == 2);
  CHECK(solution.occurrences[2].t == Approx(0.6).epsilon(1e-14));
}

TEST_CASE("an event that stops ends the solution with its state", "[steppers]") {
  Options options = precise({sine(Event::Direction::falling, Event::Then::stop)});
  options.dense = true;
  const Solution solution = oscillation(options, {0.5, 100});
  CHECK(solution.report.usable());
  CHECK_THAT(solution.report.message, contains_text("event \"sine\" at t = 3.14159"));
  CHECK(solution.t.back() == solution.occurrences.back().t);
  CHECK(solution.end() == solution.occurrences.back().state);
  CHECK(solution.multiplier(solution.count() - 1)[0] == Approx(-1));
  CHECK(solution.report.integration.reached == solution.t.back());
  CHECK(solution.at(3)[0] == Approx(std::sin(3)).epsilon(1e-10));
  CHECK_THROWS_WITH(solution.at(3.2), contains_text("[0.5, 3.14159"));
  for (int i = 1; i < solution.count(); ++i) CHECK(solution.t[i] > solution.t[i - 1]);
}

TEST_CASE("where equations do not hold beyond an event the run ends and has failed", "[steppers]") {
  Options options = precise({at_time(2), sine(Event::Direction::falling, Event::Then::fail)});
  options.events[1].advice = "a model that holds there";
  const Solution solution = oscillation(options, {0.5, 100});
  INFO(solution.report.full());
  CHECK(solution.report.termination == Termination::refused);
  CHECK_THAT(solution.report.message, contains_text("event \"sine\" at t = 3.14159"));
  CHECK(solution.report.advice == "a model that holds there");
  REQUIRE(solution.occurrences.size() == 2);
  CHECK(solution.t.back() == Approx(pi));
}

TEST_CASE("zeros of an event that come and go within one step are found", "[steppers]") {
  for (const Stepper stepper : {Stepper::dopri5, Stepper::dop853}) {
    for (const double rtol : {1e-4, 1e-6, 1e-9}) {
      for (const double level : {0.9, 0.99, 0.999, -0.99, -0.999}) {
        if (1 - std::abs(level) < 50 * rtol) continue;  // The amplitude is not kept so well.
        const double low = level < 0 ? 1 : -1;  // Begins far from the level, whose turns are told.
        for (const double shift : {0.0, 0.1, 0.4, 0.77}) {
          Options options;
          options.atol = options.rtol = rtol;
          options.events = {{"height", [level](double, const VecX& z) { return z[0] - level; }}};
          const double begin = low * pi / 2 + 0.5 * shift;
          const Solution solution = oscillation(options, {begin, begin + 40 * pi}, stepper);
          CAPTURE(name_of(stepper), rtol, level, shift, solution.report.integration.steps);
          CHECK(solution.occurrences.size() == 40);
          CHECK(solution.report.warnings.empty());
          for (std::size_t k = 1; k < solution.occurrences.size(); ++k) {
            CHECK(solution.occurrences[k].rising != solution.occurrences[k - 1].rising);
          }
        }
      }
    }
  }
}

TEST_CASE("an event that stops or looks in one direction is seen within a step", "[steppers]") {
  for (const double level : {0.9, 0.99, 0.999}) {
    for (const double turns : {20.0, 21.0, 22.0, 23.0}) {
      Options options;
      options.atol = options.rtol = 1e-8;
      const double until = turns * 2 * pi;
      options.events = {
          {"peak",
           [level, until](double t, const VecX& z) { return z[0] - level - (t < until ? 1 : 0); },
           Event::Direction::rising, Event::Then::stop}};
      const Solution solution = oscillation(options, {0, 300}, Stepper::dop853);
      CAPTURE(level, turns);
      CHECK(solution.t.back() == Approx(until + std::asin(level)).epsilon(1e-7));
    }
  }
}

TEST_CASE("an event exactly at the end of a step is found once", "[steppers]") {
  Options options = precise({at_time(0.5)});
  options.h = 0.25;
  Solution solution = oscillation(options, {0, 1}, Stepper::rk4);
  REQUIRE(solution.occurrences.size() == 1);
  CHECK(solution.occurrences[0].t == 0.5);
  CHECK(solution.occurrences[0].state == solution.state(2));
  options.events[0].then = Event::Then::stop;
  solution = oscillation(options, {0, 1}, Stepper::rk4);
  REQUIRE(solution.occurrences.size() == 1);
  CHECK(solution.count() == 3);
  CHECK(solution.t.back() == 0.5);
}

TEST_CASE("a zero at the start is where the run begins, not an event", "[steppers]") {
  CHECK(oscillation(precise({sine()}), {0, 3}).occurrences.empty());
  CHECK(oscillation(precise({sine()}), {0, 4}).occurrences.size() == 1);
}

TEST_CASE("a zero at the begin of a step hides none behind it in the same step", "[steppers]") {
  for (const double sign : {1.0, -1.0}) {
    for (const double behind : {1e-4, 1e-3, 0.03, 0.2}) {
      for (const double first : {0.0, 0.5}) {
        const auto pair = [=](double t, const VecX&) {
          return (sign * t - first) * (sign * t - first - behind);
        };
        Options options = precise({{"pair", pair}});
        options.h = 0.25;
        const Solution solution = oscillation(options, {0, sign}, Stepper::rk4);
        CAPTURE(sign, behind, first);
        REQUIRE(solution.occurrences.size() == (first > 0 ? 2 : 1));
        CHECK(std::abs(solution.occurrences.back().t - sign * (first + behind)) < 1e-12);
        CHECK(solution.occurrences.back().rising);
      }
    }
  }
}

TEST_CASE("events are found backward, rising as they are passed", "[steppers]") {
  const Solution solution = oscillation(precise({sine()}), {7, 2});
  REQUIRE(solution.occurrences.size() == 2);
  CHECK(solution.occurrences[0].t == Approx(2 * pi));
  CHECK_FALSE(solution.occurrences[0].rising);
  CHECK(solution.occurrences[1].t == Approx(pi));
}

}  // namespace daewave::ivp
