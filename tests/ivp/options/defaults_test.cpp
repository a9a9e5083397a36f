// What is not said is as the headers of ivp/options/ tell it, one by one.

#include <limits>

#include "ivp/equations/projection.hpp"
#include "ivp/equations/reduction.hpp"
#include "ivp/options/options.hpp"
#include "ivp/reduced/reduce.hpp"
#include "ivp/run/monitors.hpp"
#include "tests/catch.hpp"

namespace daewave::ivp {

TEST_CASE("options that are not given are as documented", "[options]") {
  const Options options;
  CHECK(std::holds_alternative<Automatic>(options.method));
  CHECK_FALSE(options.h);
  CHECK(options.rtol == 1e-6);
  CHECK_FALSE(options.atol);
  CHECK(options.atol_each.empty());
  CHECK_FALSE(options.first_step);
  CHECK_FALSE(options.largest_step);
  CHECK_FALSE(options.control);
  CHECK(options.most_steps == 1'000'000'000);
  CHECK_FALSE(options.estimate_error);
  CHECK_FALSE(options.accuracy);
  CHECK(options.seek_way_out);
  CHECK_FALSE(options.repair_start);
  CHECK(options.start_tolerance == 1e-8);
  CHECK(options.rank_tolerance == 1e-12);
  CHECK(options.every == 1);
  CHECK(options.times.empty());
  CHECK_FALSE(options.dense);
  CHECK(options.keep);
  CHECK(options.multipliers);
  CHECK(options.monitor);
  CHECK_FALSE(starts_anew(options));
  CHECK(least_rtol == 10 * std::numeric_limits<double>::epsilon());
}

TEST_CASE("the step control is by default that of Hairer and Wanner without the error before",
          "[options]") {
  const Control control;
  CHECK(control.safety == 0.9);
  CHECK(control.beta == 0);
  CHECK(control.shrink == 0.2);
  CHECK(control.grow == 10);
}

TEST_CASE("methods leave open what they are not told", "[options]") {
  const Srm srm;
  CHECK_FALSE(srm.variant);
  CHECK_FALSE(srm.epsilon);
  CHECK_FALSE(srm.iterates);
  CHECK_FALSE(srm.weight);
  CHECK_FALSE(srm.alpha1);
  CHECK_FALSE(srm.alpha2);
  CHECK_FALSE(srm.alpha3);
  CHECK_FALSE(srm.exact_start);
  CHECK(std::holds_alternative<StepLocal>(srm.loops));
  CHECK_FALSE(std::get<StepLocal>(srm.loops).checkpoints.save);
  CHECK(std::get<StepLocal>(srm.loops).checkpoints.seconds == 60);
  CHECK(std::get<StepLocal>(srm.loops).checkpoints.resume == nullptr);
  CHECK(Pipelined{}.pipeline == nullptr);
  CHECK_FALSE(Pipelined{}.steps);
  CHECK_FALSE(Pipelined{}.groups);
  CHECK_FALSE(InLanes{}.simd);
  CHECK_FALSE(SymmetricProjection{}.stages);
  CHECK_FALSE(SymmetricProjection{}.stage_iteration);
  CHECK_FALSE(AdamsMoulton{}.c);
  for (const Method& method : all_methods()) {
    CAPTURE(name_of(method));
    if (const Formula* formula = formula_of(method)) {
      CHECK_FALSE(formula->stepper);
      CHECK_FALSE(formula->stages);
    }
  }
}

TEST_CASE("corrections are by default whole, in the metric of M, and those printed", "[options]") {
  CHECK(Baumgarte{}.alpha1 == 0);
  CHECK(Baumgarte{}.alpha0 == 0);
  CHECK(SFull{}.factor == 1);
  CHECK(SBoth{}.factor == 1);
  CHECK(SBoth2{}.factor == 1);
  CHECK(SVel{}.factor == 1);
  CHECK(SPos{}.factor == 1);
  for (const Metric metric :
       {SBoth{}.metric, SBoth2{}.metric, SVel{}.metric, SPos{}.metric, StabilizedOde{}.metric}) {
    CHECK(metric == Metric::mass);
  }
  CHECK(SBoth2{}.second_step == SecondStep::frozen);
  CHECK(StabilizedOde{}.gamma == 0);
  CHECK(StabilizedOde{}.direction == StabilizedOde::Direction::both);
  CHECK(LocalStateSpace{}.parameters == LocalStateSpace::Parameters::coordinates);
  CHECK(LocalStateSpace{}.bound == 2);
}

TEST_CASE("projections are by default onto all invariants but the energy", "[options]") {
  CHECK(ProjectEachStep{}.onto == Onto::both);
  CHECK(ProjectEachStep{}.metric == ProjectionMetric::orthogonal);
  CHECK_FALSE(ProjectEachStep{}.energy);
  CHECK(ProjectedInvariants{}.onto == Onto::both);
  CHECK_FALSE(ProjectedInvariants{}.energy);
  CHECK(BdfProjection{}.onto == Onto::both);
  CHECK_FALSE(BdfProjection{}.metric);
  CHECK_FALSE(BdfProjection{}.energy);
  CHECK_FALSE(BdfProjection{}.estimate);
  CHECK(BdfProjection{}.form == MultiplierForm::eliminated);
  CHECK_FALSE(BdfProjection{}.order);
  CHECK(BdfProjectedInvariants{}.onto == Onto::both);
  CHECK(BdfProjectedInvariants{}.form == MultiplierForm::eliminated);
  CHECK_FALSE(BdfProjectedInvariants{}.energy);
  CHECK_FALSE(BdfProjectedInvariants{}.order);
  CHECK(Projection{}.onto == Onto::both);
  CHECK(Projection{}.metric == ProjectionMetric::orthogonal);
  CHECK_FALSE(Projection{}.estimate);
}

TEST_CASE("formulas of index 2 leave their order open, and control the error of x alone",
          "[options]") {
  CHECK_FALSE(Dcbdf{}.order);
  CHECK_FALSE(DcbdfBdf{}.order);
  CHECK_FALSE(AdamsMoulton{}.order);
  CHECK_FALSE(Bdf{}.order);
  CHECK(Dcbdf{}.blocking == Blocking::multiplier);
  CHECK(AdamsMoulton{}.blocking == Blocking::multiplier);
  CHECK_FALSE(Dcbdf{}.control_multiplier);
  CHECK_FALSE(DcbdfBdf{}.control_multiplier);
  CHECK_FALSE(AdamsMoulton{}.control_multiplier);
  CHECK_FALSE(Bdf{}.control_multiplier);
}

TEST_CASE("a reduction that is not told more is the underlying one with the guard of the options",
          "[options]") {
  const Reduction how;
  CHECK(how.kind == ReductionKind::underlying);
  CHECK(how.rank_tolerance == Options{}.rank_tolerance);
  CHECK(how.stabilization.metric == Metric::mass);
  CHECK(how.stabilization.second_step == SecondStep::frozen);
  CHECK(how.stabilization.factor == 1);
  CHECK(how.stabilization.gamma == 0);
  CHECK(how.stabilization.direction == StabilizedOde::Direction::both);
  CHECK(how.projection.onto == Onto::both);
  CHECK(how.state_space.bound == 2);
}

TEST_CASE("a run that watches is told of drift, begins where it was asked to, and corrects nothing",
          "[options]") {
  const Monitors monitors;
  CHECK_FALSE(monitors.energy);
  CHECK_FALSE(monitors.node);
  CHECK(monitors.drift);
  CHECK_FALSE(monitors.second_order);
  CHECK_FALSE(monitors.carries_By);
  CHECK(monitors.piece.gives_begin);
  CHECK(monitors.piece.passed.empty());
  const Correction correction;
  CHECK_FALSE(correction.position);
  CHECK_FALSE(correction.velocity);
  CHECK_FALSE(correction.together);
  CHECK(correction.times == 0);
  const EvaluationFailure failure;
  CHECK(failure.kind == EvaluationFailure::Kind::none);
  CHECK(failure.t == 0);
  CHECK(failure.rank == 0);
  CHECK(failure.rows == 0);
}

TEST_CASE("an event is seen both ways and stops nothing; what is given out has no multiplier",
          "[options]") {
  const Event event;
  CHECK(event.direction == Event::Direction::any);
  CHECK(event.then == Event::Then::go_on);
  CHECK_FALSE(event.change);
  const Occurrence occurrence;
  CHECK(occurrence.event == 0);
  CHECK(occurrence.t == 0);
  CHECK_FALSE(occurrence.rising);
  const Output output{1, 2, nullptr, nullptr};
  CHECK(output.ny == 0);
  CHECK_FALSE(output.carries_By);
  const RunProgress progress{1, 2, 3, 4, 5};
  CHECK(progress.drift_of_iterates.empty());
  CHECK(progress.seconds == 0);
  CHECK(progress.seconds_left == 0);
}

}  // namespace daewave::ivp
