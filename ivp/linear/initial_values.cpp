#include "ivp/linear/initial_values.hpp"

#include <fmt/format.h>

#include <Eigen/LU>

#include "core/error.hpp"
#include "core/stages/constraint_scan.hpp"

namespace daewave::ivp {

VecX initial_state(const LinearDae& problem) {
  const Boundary& boundary = problem.boundary();
  const double begin = problem.interval().begin;
  const int nx = problem.nx(), ny = problem.ny();
  MatX C(ny, nx);
  VecX r(ny);
  problem.evaluate_constraint(begin, C, r);
  check_boundary(boundary, C, begin);
  for (int row = 0; row < boundary.B0.rows(); ++row) {
    const ConditionSide side = side_of(boundary, row);
    if (side == ConditionSide::left) continue;
    throw InvalidProblem(fmt::format(
        "boundary condition {} {}: steps need all conditions at the begin t = {}; solve it as a "
        "boundary value problem",
        row, side == ConditionSide::right ? "acts at the end" : "couples both ends", begin));
  }
  MatX conditions(nx, nx);
  VecX right(nx);
  conditions.topRows(ny) = C;
  conditions.bottomRows(nx - ny) = boundary.B0;
  right.head(ny) = -r;
  right.tail(nx - ny) = boundary.beta;
  // Conditions in other units are no weaker for it.
  for (int row = 0; row < nx; ++row) {
    const double largest = conditions.row(row).cwiseAbs().maxCoeff();
    conditions.row(row) /= largest;
    right[row] /= largest;
  }
  return conditions.fullPivLu().solve(right);
}

VecX initial_By(const LinearDae& problem, const VecX& x0) {
  const double begin = problem.interval().begin;
  if (x0.size() != problem.nx()) {
    throw InvalidOption(fmt::format("x0 has {} entries: must be nx = {}", x0.size(), problem.nx()));
  }
  if (!problem.has_constraint_derivatives()) {
    throw InvalidProblem(
        "B y(begin) needs C'(t) and r'(t); give the problem C_t(t) and r_t(t), or wrap it in "
        "with_differences(problem)");
  }
  CoefficientBatch batch(problem.nx(), problem.ny(), true);
  problem.evaluate(&begin, 1, batch);
  MatX right = batch.C(0) * (batch.A(0) * x0 + batch.q(0)) + batch.C_t(0) * x0 + batch.r_t(0);
  const ConstraintReference reference = scan_constraint(problem).reference;
  ConstraintBases bases(problem.nx(), problem.ny(), reference.units);
  const ConstraintPivots pivots = bases.find(batch.B(0), batch.C(0), right);
  const double pivot = relative_pivot(pivots, reference);
  if (pivot < singular_pivot) {
    throw InvalidProblem(fmt::format(
        "C B at the begin t = {} has the relative pivot {:.1e}: B y is not determined by x "
        "there; give By_0, or begin elsewhere",
        begin, pivot));
  }
  return bases.V() * bases.WV().fullPivLu().solve(right).col(0);
}

}  // namespace daewave::ivp
