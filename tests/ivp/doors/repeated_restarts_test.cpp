// Runs with restarts that are taken more than once: estimates of their error, and sensitivities
// beside closed forms.

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/adapt/problem_from_functions.hpp"
#include "ivp/sensitivities.hpp"
#include "ivp/solve.hpp"
#include "tests/catch.hpp"
#include "tests/ivp/doors/rail.hpp"

using namespace daewave;
using ivp::Event;
using ivp::Options;
using ivp::Solution;
using testing::impact;
using testing::precise;
using testing::Rail;
using testing::run;
using testing::StickSlip;

TEST_CASE("the error of a run that starts anew is estimated, beside its events",
          "[restarts][error]") {
  for (const double rtol : {1e-5, 1e-8}) {
    for (const bool jumps : {false, true}) {
      // Elastic, and on the way a force that jumps by one: about s = 1 from t = 4 on.
      const Rail rail{[jumps](double s, double, double t) { return jumps && t > 4 ? 1 - s : -s; }};
      Options options;
      options.rtol = rtol;
      options.events = {impact(1)};
      options.estimate_error = true;
      if (jumps) options.restart_times = {4};
      const Solution solution = run(rail, Rail::state(1, 0), {0, 9}, options);
      CAPTURE(rtol, jumps, solution.report.full());
      CHECK(solution.report.usable());
      REQUIRE(solution.report.error.available);
      CHECK_THAT(solution.report.error.how, contains_text("; events by "));
      const Solution exact = run(rail, Rail::state(1, 0), {0, 9}, [&] {
        Options tight = precise({impact(1)});
        tight.restart_times = options.restart_times;
        tight.times = solution.error_times;
        return tight;
      }());
      double truth = 0, estimate = 0;
      for (std::size_t i = 0; i < solution.error_times.size(); ++i) {
        const double t = solution.error_times[i];
        for (int k = 0; k < exact.count(); ++k) {
          if (exact.t[k] != t) continue;
          const auto at = std::find(solution.t.begin(), solution.t.end(), t);
          const VecX given = solution.state(static_cast<int>(at - solution.t.begin()));
          truth = std::max(truth, (given - exact.state(k)).lpNorm<Eigen::Infinity>());
        }
        estimate = std::max(estimate, solution.error(static_cast<int>(i)));
      }
      CHECK(solution.error_times.size() > 10);
      CHECK(estimate < 3 * truth);
      CHECK(estimate > truth / 3);
    }
  }
}

TEST_CASE("what events set beside the state is set back before a second run", "[restarts][error]") {
  bool sticks = true;
  const StickSlip mass(sticks);
  Options options;
  options.rtol = 1e-8;
  options.estimate_error = true;
  options.events = mass.events;
  options.reset = [&sticks] { sticks = true; };
  const Interval span{0, 4};  // Ends in slip.
  const Solution solution = run(mass.rail, Rail::state(0, 1), span, options);
  CAPTURE(solution.report.full());
  CHECK(solution.report.usable());
  CHECK(solution.report.error.available);
  CHECK(solution.report.error.x < 1e-6);
  // Without it the second run slips from the start, and that is seen.
  options.reset = {};
  sticks = true;
  const Solution wrong = run(mass.rail, Rail::state(0, 1), span, options);
  CAPTURE(wrong.report.full());
  CHECK(wrong.report.termination == Termination::tolerance_not_met);
  CHECK_THAT(wrong.report.message, contains_text("passes other events"));
  CHECK_THAT(wrong.report.advice, contains_text("reset"));
}

TEST_CASE("sensitivities go through impacts, and through forces that jump",
          "[restarts][sensitivities]") {
  const auto turned = [](double t) {
    return (Mat<2, 2>() << std::cos(t), std::sin(t), -std::sin(t), std::cos(t)).finished();
  };
  // Along the rail: from (s, s') to what they move.
  MatX along(4, 2);
  along << Rail::state(1, 0), Rail::state(0, 1);
  const auto check = [&](const ivp::Sensitivities& found, const MatX& expected) {
    CAPTURE(found.how, found.error);
    REQUIRE(found.solution.report.usable());
    CHECK(found.error < 1e-6);
    CHECK((found.start * along - along * expected).lpNorm<Eigen::Infinity>() < 1e-6);
  };
  Options options;
  options.rtol = 1e-9;
  options.events = {impact(0.9)};
  const auto spring = problem_of(Rail{[](double s, double, double) { return -s; }});
  // A wall at s = 0 makes -e of all there is.
  check(ivp::sensitivities(*spring, Rail::state(1, 0), {0, 9}, options),
        std::pow(-0.9, 3) * turned(9));
  options.events.clear();
  options.restart_times = {4};
  const auto jumps =
      problem_of(Rail{[](double s, double, double t) { return t > 4 ? 1 - s : -s; }});
  const ivp::Sensitivities varied = ivp::sensitivities(*jumps, Rail::state(1, 0), {0, 9}, options);
  CHECK(varied.how.find("equations of first order") == 0);
  check(varied, turned(9));
  // Without events that change, what only looks is not looked at.
  options.events = {impact(1)};
  options.events[0].change = nullptr;
  check(ivp::sensitivities(*jumps, Rail::state(1, 0), {0, 9}, options), turned(9));
}

TEST_CASE("sensitivities are refused where an event stops the run or does not come again",
          "[restarts][sensitivities]") {
  const auto spring = problem_of(Rail{[](double s, double, double) { return -s; }});
  Options options;
  options.events = {impact(1)};
  options.events[0].change = nullptr;
  options.events[0].then = Event::Then::stop;
  CHECK_THROWS_WITH(ivp::sensitivities(*spring, Rail::state(1, 0), {0, 9}, options),
                    contains_text("stops the run at t = 1.57"));
  // The wall is met at the very end: beside this run before it, or not at all.
  options.events[0] = impact(1);
  CHECK_THROWS_WITH(ivp::sensitivities(*spring, Rail::state(1, 0), {0, std::acos(0.0)}, options),
                    contains_text("passes other events"));
}

TEST_CASE("what an event throws back passes it again, however soon", "[restarts]") {
  // x' = 1 up to 1, from there to 0.9 (a saw); x' = -x down to 0.5, from there up to 0.6.
  for (const bool saw : {true, false}) {
    ProblemFunctions of{.kind = Kind::ordinary, .sizes = {.nq = 1}};
    of.f = [saw](const Points& at, double* out) {
      for (int p = 0; p < at.count; ++p) out[p] = saw ? 1 : -at.q[p];
    };
    const DaeProblemPtr problem = problem_from_functions(of);
    const double level = saw ? 1 : 0.5, to = saw ? 0.9 : 0.6;
    const double first = saw ? 1 : std::log(2.0), period = saw ? 0.1 : std::log(1.2);
    for (const Event::Direction direction :
         {Event::Direction::any, saw ? Event::Direction::rising : Event::Direction::falling}) {
      Options options{.rtol = 1e-9, .atol = 1e-9, .first_step = 0.3};
      options.events.push_back({.name = "level",
                                .function = [=](double, const VecX& x) { return x[0] - level; },
                                .direction = direction,
                                .change = [=](double, const VecX&) { return VecX(Vec<1>(to)); }});
      const Solution run = ivp::solve(*problem, VecX(Vec<1>(saw ? 0 : 1)), {0, 2.95}, options);
      INFO(run.report.full());
      REQUIRE(run.report.usable());
      REQUIRE(run.occurrences.size() == static_cast<std::size_t>((2.95 - first) / period) + 1);
      for (std::size_t k = 0; k < run.occurrences.size(); ++k) {
        CHECK(std::abs(run.occurrences[k].t - first - static_cast<double>(k) * period) < 1e-7);
      }
    }
  }
}
