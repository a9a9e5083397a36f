// What steps, formulas and results are before anything is written into them.

#include "ivp/doors/method_choice.hpp"
#include "ivp/equations/invariant_rows.hpp"
#include "ivp/equations/reduction.hpp"
#include "ivp/estimate/second_run.hpp"
#include "ivp/lanes/compiled_lanes.hpp"
#include "ivp/lanes/lane_formula.hpp"
#include "ivp/lanes/lane_iterate.hpp"
#include "ivp/lanes/lane_members.hpp"
#include "ivp/lanes/lane_run.hpp"
#include "ivp/multistep/bdf_step.hpp"
#include "ivp/multistep/grid_coefficients.hpp"
#include "ivp/multistep/multistep_newton.hpp"
#include "ivp/multistep/multistep_past.hpp"
#include "ivp/one_step/collocation_accuracy.hpp"
#include "ivp/one_step/stage_transform.hpp"
#include "ivp/one_step/tableaux.hpp"
#include "ivp/reduced/passing_step.hpp"
#include "ivp/reduced/stiff_change.hpp"
#include "ivp/run/leg.hpp"
#include "ivp/run/solution.hpp"
#include "ivp/sensitivities.hpp"
#include "ivp/srm/iterate_changes.hpp"
#include "ivp/srm/srm_defaults.hpp"
#include "ivp/srm/srm_windows.hpp"
#include "ivp/variation/end_difference.hpp"
#include "ivp/variation/solve_varied.hpp"
#include "ivp/windows/compiled_windows.hpp"
#include "ivp/windows/term_model.hpp"
#include "ivp/windows/window_length.hpp"
#include "ivp/windows/window_sweeps.hpp"
#include "tests/catch.hpp"

namespace daewave::ivp {

TEST_CASE("formulas are of one stage and order until they are told, and estimate nothing",
          "[formulas]") {
  const ExplicitTableau tableau;
  CHECK(tableau.stepper == Stepper::forward_euler);
  CHECK(tableau.stages == 1);
  CHECK(tableau.order == 1);
  CHECK(tableau.error_order == 0);
  CHECK_FALSE(tableau.ends_with_slope);
  CHECK(tableau.dense_order == 3);
  CHECK(tableau.dense_degree() == 3);
  CHECK(Combination{}.count == 0);
  CHECK(Combination{}.of(0) == 0);
  const StageTransform transform;
  CHECK(transform.stages == 0);
  CHECK(transform.order == 0);
  CHECK_FALSE(transform.ends_at_node);
  CHECK_FALSE(transform.has_real);
  CHECK(transform.mu_real == 0);
  CHECK(transform.pairs == 0);
  const CollocationAccuracy accuracy;
  CHECK_FALSE(accuracy.estimates);
  CHECK(accuracy.unit == 1);
  CHECK(accuracy.not_converged == 0);
  CHECK(accuracy.goal.rounding);
  CHECK(accuracy.goal.error == 1e-15);
  CHECK(accuracy.goal.coupled);
  CHECK_FALSE(accuracy.goal.filters);
  const Control control = collocation_control();
  CHECK(control.safety == 0.9);
  CHECK(control.beta == 0);
  CHECK(control.shrink == 0.125);
  CHECK(control.grow == 8);
}

TEST_CASE("formulas of many steps are those of order 6, and of k = 3 unblocked", "[formulas]") {
  const BdfOptions bdf;
  CHECK(bdf.order == 6);
  CHECK_FALSE(bdf.fixed);
  CHECK_FALSE(bdf.multipliers);
  CHECK(bdf.rank_tolerance == 1e-12);
  const BlockedFormula blocked;
  CHECK(blocked.family == MultistepFamily::dcbdf);
  CHECK(blocked.k == 3);
  CHECK(blocked.c == 0);
  CHECK(blocked.blocking == Blocking::multiplier);
  CHECK(GridNodes{}.count == 0);
  const GridCoefficients grid;
  CHECK(grid.multiplier == 1);
  CHECK(grid.predicts_from == 0);
  CHECK(grid.extrapolates_from == 0);
  CHECK(grid.error == 0);
  const BlockingInterval interval;
  CHECK(interval.best == 0);
  CHECK(interval.radius == 0);
  CHECK(interval.least == 0);
  CHECK(interval.greatest == 0);
  CHECK(interval.empty());
  const BdfOrder order;
  CHECK(order.order() == 1);
  CHECK(order.length() == 0);
  CHECK(order.rejections() == 0);
  CHECK_FALSE(order.may_change());
  CHECK(order.knows_higher());
}

TEST_CASE("choices of a regularization begin with three iterates of scale one", "[formulas]") {
  const SrmChoices choices;
  CHECK(choices.iterates == 3);
  CHECK(choices.largest_step == 0);
  const SrmStart start;
  CHECK_FALSE(start.second_order);
  CHECK_FALSE(start.multibody);
  CHECK_FALSE(start.reducible);
  CHECK(start.time_scale == 1);
  CHECK(start.GBE == 1);
  CHECK(start.least_eigenvalue == 0);
  CHECK(start.obliqueness == 1);
}

TEST_CASE("windows, passages and solutions are empty until they are filled", "[formulas]") {
  const WindowBegin begin;
  CHECK(begin.nq == 0);
  CHECK(begin.t == 0);
  CHECK(begin.h == 0);
  CHECK(begin.q == nullptr);
  CHECK(begin.v == nullptr);
  CHECK_FALSE(begin.aside);
  CHECK(Sweep{}.change == 0);
  CHECK(Sweep{}.pivot == 0);
  CHECK(Sweep{}.evaluated);
  CHECK(Spectrum{}.middle == 0);
  CHECK(Spectrum{}.upper == 0);
  CHECK(Spectrum{}.top == 0);
  CHECK(Passage{}.t == 0);
  CHECK(Passage{}.pivot == 0);
  CHECK(Passage{}.length == 0);
  CHECK(EndDifference{}.value.size() == 0);
  CHECK(EndDifference{}.apart == INFINITY);
  const Solution solution;
  CHECK(solution.nz == 0);
  CHECK(solution.ny == 0);
  CHECK_FALSE(solution.second_order);
  CHECK_FALSE(solution.carries_By);
  CHECK(solution.count() == 0);
  CHECK_FALSE(solution.has_values());
  CHECK(Drift{}.position == 0);
  CHECK(Drift{}.velocity == 0);
  // Four points that are exact for polynomials of degree 4.
  double of_one = 0, of_first = 0, of_third = 0;
  for (int i = 0; i < 4; ++i) {
    of_one += difference_weight[i];
    of_first += difference_weight[i] * difference_point[i];
    of_third +=
        difference_weight[i] * difference_point[i] * difference_point[i] * difference_point[i];
  }
  CHECK(of_one == Approx(0).margin(1e-16));
  CHECK(of_first == Approx(1));
  CHECK(of_third == Approx(0).margin(1e-15));
}

TEST_CASE("facts of a problem are those of a plain mechanism until it is looked at", "[formulas]") {
  const MethodFacts facts;
  CHECK(facts.reducible);
  CHECK(facts.full_rank);
  CHECK_FALSE(facts.redundant);
  CHECK(facts.passes);
  CHECK_FALSE(facts.backward);
  CHECK_FALSE(facts.invariants);
  CHECK(facts.keeps);
  CHECK_FALSE(facts.windows);
  const InvariantRows rows;
  CHECK(rows.row == 0);
  CHECK(rows.rows == 0);
  CHECK(rows.column == 0);
  CHECK(rows.columns == 0);
  CHECK(Compared{}.events_apart == 0);
  CHECK_FALSE(Compared{}.stopped);
  CHECK_FALSE(Compared{}.other_events);
  CHECK(FormulaChange{}.t == 0);
  CHECK_FALSE(FormulaChange{}.stiff);
  CHECK(Sensitivities{}.error == 0);
  CHECK(Variation{}.starts == 0);
  CHECK(Output{}.ny == 0);
  CHECK_FALSE(Output{}.carries_By);
  CHECK(RunProgress{}.seconds == 0);
  CHECK(RunProgress{}.seconds_left == 0);
}

TEST_CASE("lanes and windows are of one iterate, dense, and point nowhere", "[formulas]") {
  const LaneTask task;
  CHECK(task.kind == Kind::multibody);
  CHECK_FALSE(task.diagonal);
  CHECK(task.iterates == 1);
  const LaneFormula::Row row;
  CHECK(row.count == 0);
  for (const int stage : row.stage) CHECK(stage == 0);
  for (const double coefficient : row.coefficient) CHECK(coefficient == 0);
  CHECK(LaneRescue{}.who == nullptr);
  CHECK(LaneEnergy{}.who == nullptr);
  CHECK(LaneEnergy{}.evaluate == nullptr);
  const LaneMember member;
  CHECK(member.constraints == 0);
  CHECK(member.rank == 0);
  CHECK(member.index == 0);
  CHECK(member.second_order);
  const LaneShape shape;
  CHECK(shape.lanes == 0);
  CHECK(shape.nz == 0);
  CHECK(shape.nc == 0);
  CHECK(shape.points == 1);
  const LaneSteps steps;
  for (const double* const none : {steps.x, steps.slope, steps.after, steps.before, steps.drift}) {
    CHECK(none == nullptr);
  }
  const WindowTask window;
  CHECK_FALSE(window.diagonal);
  CHECK_FALSE(window.mass_constant);
  CHECK_FALSE(window.chain);
  CHECK(window.rank_tolerance == 1e-12);
  CHECK(window.least_pivot == pivots_of_windows);
  CHECK_FALSE(window.all_at_once);
  CHECK(WindowPoint{}.t == 0);
  CHECK(WindowPoint{}.pivot == 0);
  CHECK(TermSlope{}.entry == 0);
  CHECK(TermSlope{}.variable == 0);
  CHECK(TermSlope{}.value == 0);
}

TEST_CASE("equations and nodes of multistep formulas are at t = 0, windows of srm of no step",
          "[formulas]") {
  const MultistepEquation equation;
  CHECK(equation.t == 0);
  CHECK(equation.h == 0);
  CHECK(equation.gamma == 0);
  CHECK(equation.part == 1);
  CHECK(PastNode{}.t == 0);
  CHECK(LastIterates{}.t == 0);
  const SrmWindow window;
  CHECK(window.first == 0);
  CHECK(window.count == 0);
  CHECK(window.valid == 0);
  CHECK_FALSE(window.wants_kept);
  CHECK(window.evaluations == 0);
}

TEST_CASE("legs, corrections and choices of a method do nothing until they are told",
          "[formulas]") {
  const Leg leg;
  CHECK(leg.steps == 0);
  CHECK(leg.next_step == 0);
  CHECK(leg.until_output == 0);
  CHECK_FALSE(leg.energy_start);
  CHECK_FALSE(leg.ended);
  CHECK(leg.t == 0);
  const Correction correction;
  CHECK_FALSE(correction.position);
  CHECK_FALSE(correction.velocity);
  CHECK_FALSE(correction.together);
  CHECK(correction.times == 0);
  const MethodChoice choice;
  CHECK(choice.stepper == Stepper::dop853);
  CHECK(choice.stages == 0);
  CHECK_FALSE(choice.changes_where_stiff);
  const LaneFormula formula;
  CHECK(formula.stages == 1);
  CHECK(formula.end_stage == 1);
  CHECK(formula.rows == 1);
  CHECK(formula.dense_rows == 0);
  CHECK(formula.points == 1);
}

}  // namespace daewave::ivp
