// What nothing was written into yet: a report of no run has no numbers, a setting that is not given
// is the documented one.

#include "core/adapt/foreseen.hpp"
#include "core/adapt/line_formulas.hpp"
#include "core/adapt/problem_from_functions.hpp"
#include "core/blocks/checked_solver.hpp"
#include "core/blocks/interval_chain.hpp"
#include "core/blocks/linear_solver.hpp"
#include "core/derivatives/check_derivatives.hpp"
#include "core/derivatives/dual.hpp"
#include "core/equations/equations.hpp"
#include "core/equations/variables.hpp"
#include "core/expression/compiled_tapes.hpp"
#include "core/expression/tape.hpp"
#include "core/problem/dae_problem.hpp"
#include "core/problem/what_is_missing.hpp"
#include "core/ranks/communicator.hpp"
#include "core/ranks/mesh_share.hpp"
#include "core/regularize/compiled_batches.hpp"
#include "core/regularize/regularization.hpp"
#include "core/regularize/regularized_batch.hpp"
#include "core/report/checkpoint.hpp"
#include "core/report/drawing.hpp"
#include "core/report/report.hpp"
#include "core/stages/constraint_scan.hpp"
#include "core/stages/singular_limit.hpp"
#include "core/start/consistent_start.hpp"
#include "core/start/exact_start.hpp"
#include "core/start/pose_scan.hpp"
#include "tests/catch.hpp"

using namespace daewave;

TEST_CASE("a report of no run has no numbers, and says so", "[report]") {
  const Report report;
  CHECK(report.termination == Termination::not_run);
  CHECK(report.message == "solve() was not called");
  CHECK(report.nx == 0);
  CHECK(report.ny == 0);
  CHECK(report.intervals == 0);
  CHECK(report.smallest_step == 0);
  CHECK(report.largest_step == 0);
  CHECK(report.parasitic_growth == 1);
  CHECK(report.seconds.condense == 0);
  CHECK(report.seconds.factorize == 0);
  CHECK(report.seconds.solve == 0);
  CHECK(report.seconds.total == 0);
  CHECK_FALSE(report.usable());
  const ErrorEstimate& error = report.error;
  CHECK_FALSE(error.available);
  CHECK(error.x == 0);
  CHECK(error.By == 0);
  CHECK(error.tolerance == 0);
  CHECK(error.iterates == 0);
  const LinearSolveReport& linear = report.linear_solve;
  CHECK(linear.analyses == 0);
  CHECK(linear.factorizations == 0);
  CHECK(linear.solves == 0);
  CHECK(linear.refinements == 0);
  CHECK(linear.worst_residual == 0);
  CHECK(linear.bytes_per_interval == 0);
  const ConditioningReport& conditioning = report.conditioning;
  CHECK_FALSE(conditioning.available);
  CHECK(conditioning.boundary == 0);
  CHECK(conditioning.forcing == 0);
  CHECK(conditioning.rounding == 0);
  CHECK(conditioning.growing == 0);
  CHECK(conditioning.decaying == 0);
  CHECK(conditioning.neutral == 0);
  CHECK(conditioning.modes() == 0);
  CHECK(conditioning.fastest_growth == 0);
  CHECK(ConditioningReport{.growing = 1, .decaying = 20, .neutral = 300}.modes() == 321);
}

TEST_CASE("a report of an integration begins with nothing done and nothing off", "[report]") {
  const IntegrationReport went;
  CHECK_FALSE(went.available);
  for (const double number : {went.begin, went.reached, went.end, went.smallest_step,
                              went.largest_step, went.drift_position, went.drift_velocity,
                              went.pivot_ratio_at, went.energy_start, went.energy_change}) {
    CHECK(number == 0);
  }
  for (const long number : {went.steps, went.rejected, went.evaluations, went.guarded,
                            went.parameter_choices, went.events, went.restarts}) {
    CHECK(number == 0);
  }
  CHECK(went.index == 0);
  CHECK(went.constraints == 0);
  CHECK(went.rank == 0);
  CHECK(went.pivot_ratio == 1);
  CHECK_FALSE(went.has_energy);
}

TEST_CASE("rows of a report begin with zeros, and are the solver's own", "[report]") {
  CHECK_FALSE(Choice{}.by_user);
  const IterateReport iterate;
  CHECK(iterate.iterate == 0);
  CHECK(iterate.change == 0);
  CHECK(iterate.change_at == 0);
  CHECK(iterate.drift == 0);
  CHECK(iterate.residual == 0);
  CHECK(iterate.refinements == 0);
  CHECK(SingularPoint{}.t == 0);
  CHECK(SingularPoint{}.pivot == 0);
  CHECK(ParameterReport{}.value == 0);
  CHECK_FALSE(ParameterReport{}.found);
  CHECK(RowsBefore{}.count == 0);
  CHECK(RowsBefore{}.width == 0);
  CHECK(Checkpoint{}.step == 0);
  CHECK(Checkpoint{}.t == 0);
}

TEST_CASE("a part that is drawn is a body of no size, its points are on the ground", "[report]") {
  CHECK(DrawnFrame{}.first == 0);
  CHECK(DrawnPoint{}.frame == -1);
  CHECK(DrawnPoint{}.at == std::array<double, 3>{0, 0, 0});
  CHECK(DrawnPart{}.kind == DrawnPart::Kind::body);
  CHECK(DrawnPart{}.axis == std::array<double, 3>{0, 0, 0});
  CHECK(DrawnPart{}.radius == 0);
  CHECK_FALSE(Drawing{}.spatial);
}

TEST_CASE("a regularization that is not told more is the singular one with E = (CB)^-1",
          "[regularize]") {
  const Regularization form;
  CHECK(form.variant == Variant::singular);
  CHECK(form.weight == Weight::inverse);
  CHECK(form.epsilon == 1e-3);
  CHECK(form.alpha1 == 0);
  CHECK(form.alpha2 == 1);
  CHECK(form.alpha3 == 1);
  CHECK(form.delta == 1e-6);
  CHECK(form.rank_tolerance == 1e-12);
}

TEST_CASE("a problem that tells nothing has dense matrices, G and a curvature", "[problem]") {
  const Sizes sizes;
  CHECK(sizes.nq == 0);
  CHECK(sizes.ny == 0);
  CHECK(sizes.nk == 0);
  CHECK(sizes.nw == 0);
  CHECK(sizes.nh == 0);
  const Structure structure;
  CHECK(structure.mass == Structure::Mass::dense);
  CHECK(structure.constraints == Structure::Constraints::dense);
  CHECK_FALSE(structure.mass_constant);
  CHECK(structure.has_jacobian);
  CHECK(structure.has_curvature);
  CHECK_FALSE(structure.has_f_jacobian);
  CHECK_FALSE(structure.has_mass);
  CHECK_FALSE(structure.has_energy);
  CHECK(structure.position_invariants == 0);
  CHECK(structure.positions == 0);
  const Points points;
  CHECK(points.count == 1);
  CHECK(points.stride == 1);
  CHECK(points.t == nullptr);
  CHECK(points.q == nullptr);
  CHECK(points.v == nullptr);
  CHECK(points.w == nullptr);
  CHECK(Terms{}.stride == 1);
}

TEST_CASE("what may be asked of a problem is one bit each, so that sets of them are told apart",
          "[problem]") {
  const std::vector<Ask> all{Ask::f,   Ask::M,         Ask::B,   Ask::G,   Ask::g,
                             Ask::g_t, Ask::curvature, Ask::r,   Ask::h,   Ask::r_w,
                             Ask::H,   Ask::f_q,       Ask::f_v, Ask::f_w, Ask::r_q};
  Ask every = Ask::f;
  for (const Ask one : all) every = every | one;
  for (const Ask one : all) {
    CHECK(asks(every, one));
    for (const Ask other : all) {
      CHECK(asks(one, other) == (one == other));
      CHECK(asks(one | other, one));
      CHECK(asks(without(every, one), other) == (one != other));
    }
  }
}

TEST_CASE("a scan that saw nothing has no pivots, and what is not oblique", "[report]") {
  CHECK(ConstraintPivots{}.B == 0);
  CHECK(ConstraintPivots{}.C == 0);
  CHECK(ConstraintPivots{}.transversality == 0);
  const ConstraintScan scan;
  CHECK(scan.regular());
  CHECK(scan.largest_A == 0);
  CHECK(scan.obliqueness == 1);
  const StartPolynomial none;
  CHECK(none.begin == 0);
  CHECK(none.degree == -1);
  CHECK(none.ok());
  CHECK(SingularPose{}.rank == 0);
  CHECK(PoseScan{}.directions == 0);
  CHECK(Communicator::Message{}.from == 0);
}

TEST_CASE("functions and equations that tell nothing more are of a mechanism with a dense mass",
          "[problem]") {
  const ProblemFunctions functions;
  CHECK(functions.kind == Kind::multibody);
  CHECK(functions.mass == Structure::Mass::dense);
  CHECK_FALSE(functions.mass_constant);
  CHECK_FALSE(functions.differences);
  CHECK_FALSE(functions.dear_calls);
  const expression::Equations equations;
  CHECK(equations.kind == Kind::multibody);
  CHECK(equations.nq == 0);
  CHECK(equations.position_invariants == 0);
  CHECK(equations.positions == 0);
  CHECK(equations.seek_structure);
  CHECK(equations.parts.f);
  CHECK(equations.parts.M);
  CHECK(equations.parts.mass == Structure::Mass::dense);
  CHECK(equations.parts.f_jacobian);
  CHECK(equations.has_velocity());
  CHECK(expression::Node{}.operation == expression::Operation::number);
  CHECK(expression::Node{}.a == -1);
  CHECK(expression::Node{}.b == -1);
  CHECK(expression::Node{}.c == -1);
  CHECK(expression::Node{}.value == 0);
}

TEST_CASE("checks and repairs begin as nothing found, solvers as serial and usable", "[report]") {
  const Consistency found;
  CHECK(found.t == 0);
  CHECK(found.index == 0);
  CHECK(found.constraints == 0);
  CHECK(found.rank == 0);
  CHECK(found.position == 0);
  CHECK(found.position_row == 0);
  CHECK(found.velocity == 0);
  CHECK(found.velocity_row == 0);
  CHECK_FALSE(found.singular());
  CHECK_FALSE(StartRepair{}.ok);
  CHECK(StartRepair{}.iterations == 0);
  CHECK(StartRepair{}.position == 0);
  CHECK(StartRepair{}.velocity == 0);
  CHECK_FALSE(ProjectorLimit{}.finite);
  CHECK(ProjectorLimit{}.distance == 0);
  CHECK(ProjectorLimit{}.uncertainty == 0);
  const DerivativeCheck check;
  CHECK(check.row == 0);
  CHECK(check.column == 0);
  CHECK(check.given == 0);
  CHECK(check.expected == 0);
  CHECK(check.scale == 1);
  CHECK(check.ok);
  CHECK(DerivativeReport{}.t == 0);
  CHECK(DerivativeReport{}.tolerance == 0);
  CHECK(FactorStatus{}.usable);
  CHECK(FactorStatus{}.interval == -1);
  CHECK(SolverSetting{}.executor == nullptr);
  CHECK(SolverSetting{}.partitions == 0);
}

TEST_CASE("terms that nothing was asked of are none", "[problem]") {
  const Terms terms;
  for (const double* const none :
       {terms.f, terms.M, terms.B, terms.G, terms.g, terms.g_t, terms.curvature, terms.r, terms.h,
        terms.r_w, terms.H, terms.f_q, terms.f_v, terms.f_w, terms.r_q}) {
    CHECK(none == nullptr);
  }
  CHECK(terms.bodies == nullptr);
  CHECK(terms.chain == nullptr);
  CHECK(terms.joints == nullptr);
  CHECK(terms.sparse == nullptr);
  CHECK(ForeseenPoints{}.count == 0);
  CHECK_FALSE(ForeseenPoints{}.has_v);
  CHECK(lines::Along{}.middle == 0);
  CHECK(lines::Derived{}.value == 0);
  CHECK(lines::Derived{}.off == 0);
  CHECK(SomeDirections{}.bits == 0);
  CHECK(detail::Missing{}.lack == detail::Lack::nothing);
  CHECK(detail::Missing{}.found == detail::Found::right);
}

TEST_CASE("solves, chains of intervals and batches are of nothing before they are told",
          "[report]") {
  CHECK_FALSE(CheckedResult{}.accepted);
  CHECK(CheckedResult{}.residual == 0);
  CHECK(CheckedResult{}.refinements == 0);
  const ChainShape shape;
  CHECK(shape.size == 0);
  CHECK(shape.carried == 0);
  CHECK_FALSE(shape.border);
  CHECK_FALSE(shape.to_left());
  CHECK(shape.first == 0);
  CHECK(shape.end == 0);
  CHECK(BatchTask{}.kind == Kind::multibody);
  CHECK_FALSE(BatchTask{}.diagonal);
  CHECK(BatchTask{}.rescue == nullptr);
  const RegularizedPoints points;
  CHECK(points.count == 0);
  CHECK(points.stride == 0);
  CHECK(points.t == nullptr);
  CHECK(points.x == nullptr);
  CHECK(points.before == nullptr);
  const MeshShare share;
  CHECK_FALSE(share.is_shared());
  CHECK(share.has_begin());
  CHECK(share.all == 0);
  CHECK(share.begin == 0);
  CHECK(share.end == 0);
  CHECK(detail::StartDerivatives{}.constraints == 0);
}

TEST_CASE("expressions without an entry read t and fill nothing", "[problem]") {
  using namespace daewave::expression;
  CHECK(Variables{}.nq == 0);
  CHECK(Variables{}.nv == 0);
  CHECK(Variables{}.nw == 0);
  CHECK(Input{}.from == From::t);
  CHECK(Input{}.entry == 0);
  CHECK(Tape{}.registers == 0);
  CHECK(Tape{}.outputs == 0);
  CHECK(TapeFunctions{}.one == nullptr);
  CHECK(TapeFunctions{}.four == nullptr);
  CHECK(TapeFunctions{}.eight == nullptr);
}
