#include "core/start/linear_start.hpp"

#include <fmt/format.h>

#include <Eigen/LU>

#include "core/error.hpp"

namespace daewave {

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
        row + 1, side == ConditionSide::right ? "acts at the end" : "couples both ends", begin));
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

}  // namespace daewave
