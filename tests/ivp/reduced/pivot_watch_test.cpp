// Index reduction through configurations where constraints become dependent is told by a warning.

#include "ivp/reduced/pivot_watch.hpp"

#include <cmath>

#include "ivp/one_step/explicit_rk_step.hpp"
#include "ivp/run/integrate.hpp"
#include "problems/al2.hpp"
#include "problems/pendulum.hpp"
#include "problems/slider_crank.hpp"
#include "problems/slider_crank_reference.hpp"
#include "tests/catch.hpp"
#include "tests/ivp/struct_doors.hpp"
#include "tests/problems/compiled_problems.hpp"

using namespace daewave;
using ivp::PivotWatch;
using ivp::Stepper;

namespace {

ivp::Solution stabilized(const DaeProblemPtr& problem, Stepper stepper, double rtol, double end) {
  const auto system = ivp::reduced(problem, {.kind = ivp::ReductionKind::s_both2});
  const VecX start = *problem->start();
  ivp::Options options{.rtol = rtol};
  const ivp::Tolerance tolerance(options, static_cast<int>(start.size()));
  ivp::ExplicitRkStep step(*system, ivp::tableau(stepper), tolerance, true);
  ivp::Solution solution = ivp::integrate(step, start, {0, end}, options);
  tell_pivots(system->pivots(), solution.report);
  return solution;
}

/// A step that ends where the pivot is `pivot` of that at the start.
bool refuses(PivotWatch& watch, double pivot) {
  watch.see(0, pivot, true);
  return watch.refuses_end();
}

}  // namespace

TEST_CASE("only the smallest pivot is kept, over that of the first evaluation", "[pivots]") {
  ivp::PivotWatch watch;
  CHECK(watch.ratio() == 1);
  watch.see(0, 0.5, true);
  watch.see(1, 0.75, true);
  CHECK(watch.ratio() == 1);
  watch.see(2, 0.125, true);
  watch.see(3, 0.25, false);
  CHECK(watch.ratio() == 0.25);
  CHECK(watch.at() == 2);
}

TEST_CASE("the largest pivot is of states that the run came to, not of stages", "[pivots]") {
  ivp::PivotWatch watch;
  watch.see(0, 0.5, true);
  CHECK(watch.most() == 0);
  watch.reached();
  watch.see(1, 1e6, true);
  CHECK(watch.most() == 0.5);
  watch.see(1, 0.75, true);
  watch.reached();
  CHECK(watch.most() == 0.75);
}

TEST_CASE("constraints dependent from the start on are nothing to warn of", "[pivots]") {
  ivp::PivotWatch watch;
  watch.see(0, 1e-17, false);
  watch.see(1, 0, false);
  Report report;
  tell_pivots(watch, report);
  CHECK(report.integration.pivot_ratio == 1);
  CHECK(report.warnings.empty());
}

TEST_CASE("no slider-crank ends on another branch without a warning", "[pivots]") {
  const problems::SliderCrank crank;
  const DaeProblemPtr problem = problem_of(crank);
  constexpr double end = 30;  // 20 passages.
  problems::SliderCrankReference reference(crank);
  const double exact = reference.at(end)[0];
  int runs_told = 0;
  for (Stepper stepper : {Stepper::dopri5, Stepper::dop853}) {
    for (int i = 0; i <= 12; ++i) {
      const double rtol = std::pow(10, -2 - 0.25 * i);
      CAPTURE(ivp::name_of(stepper), rtol);
      const ivp::Solution solution = stabilized(problem, stepper, rtol, end);
      const IntegrationReport& went = solution.report.integration;
      const bool told = went.pivot_ratio < ivp::near_dependent;
      CHECK(solution.report.warnings.size() == (told ? 1 : 0));
      if (told) {
        CHECK_THAT(solution.report.warnings[0], contains_text("nearly became dependent") &&
                                                    contains_text("estimate_error = true"));
      }
      const bool there =
          solution.report.usable() && std::abs(solution.end()[2] - exact) < 0.01 + 1000 * rtol;
      CHECK((there || told));
      runs_told += told ? 1 : 0;
      if (!there || rtol > 1e-4) continue;
      // The last pivot of G is L cos(phi1), 1/sqrt 2 at the start; stages are as near to the motion
      // as their low order lets them.
      const double angle = reference.at(went.pivot_ratio_at)[0];
      CHECK(std::abs(std::abs(std::cos(angle)) * std::sqrt(2) - went.pivot_ratio) < 0.1);
    }
  }
  // How many end elsewhere is a matter of rounding; that most come near is not.
  CHECK(runs_told > 13);
}

TEST_CASE("a constraint of index 2 that vanishes is told", "[pivots]") {
  const DaeProblemPtr problem = problem_of(problems::Al2Example62{});  // G = x^T, 0 at t = 1/2.
  const ivp::Solution solution = stabilized(problem, Stepper::dopri5, 1e-6, 1);
  CHECK(solution.report.integration.pivot_ratio < ivp::near_dependent);
  CHECK(solution.report.integration.pivot_ratio_at == Approx(0.5).margin(0.02));
  CHECK(solution.report.warnings.size() == 1);
}

TEST_CASE("no warning where constraints stay independent", "[pivots]") {
  const DaeProblemPtr pendulum = problem_of(problems::Pendulum{});
  for (Stepper stepper : {Stepper::dopri5, Stepper::dop853}) {
    for (double rtol : {1e-3, 1e-6, 1e-9}) {
      CAPTURE(ivp::name_of(stepper), rtol);
      const ivp::Solution solution = stabilized(pendulum, stepper, rtol, 10);
      CHECK(solution.report.warnings.empty());
      // The larger coordinate of a point of the circle.
      CHECK(solution.report.integration.pivot_ratio > 0.1);
      CHECK(solution.report.integration.pivot_ratio <= 1);
    }
  }
}

TEST_CASE("a step that ends beside dependent constraints is refused twice, then taken",
          "[pivots]") {
  PivotWatch watch;
  CHECK_FALSE(refuses(watch, 1));
  CHECK_FALSE(refuses(watch, 0.02));
  CHECK(refuses(watch, 0.005));
  CHECK(refuses(watch, 1e-9));
  CHECK_FALSE(refuses(watch, 1e-3));
  // It begins beside them now: where it goes is not refused, until it has come away.
  CHECK_FALSE(refuses(watch, 1e-4));
  CHECK_FALSE(refuses(watch, 0.5));
  CHECK(refuses(watch, 1e-4));
  // An end elsewhere, and the next one is refused as often again.
  CHECK_FALSE(refuses(watch, 0.3));
  CHECK(refuses(watch, 1e-4));
  CHECK(refuses(watch, 1e-4));
  CHECK_FALSE(refuses(watch, 1e-4));
}

TEST_CASE("ends beside dependent constraints are refused twice, however short steps get",
          "[pivots]") {
  PivotWatch watch;
  CHECK_FALSE(refuses(watch, 1));
  int refused = 0;
  for (int step = 0; step < 20; ++step) {
    // Beside them, and then shorter, nearly there; longer again, and so on.
    if (refuses(watch, 0.0099)) {
      ++refused;
      CHECK_FALSE(refuses(watch, 0.0101));
    }
  }
  CHECK(refused == 2);
}

TEST_CASE("a run that starts where constraints are dependent is refused no end", "[pivots]") {
  PivotWatch watch;
  watch.see(0, 0, false);
  CHECK_FALSE(watch.refuses_end());
  CHECK_FALSE(refuses(watch, 1e-12));
}
