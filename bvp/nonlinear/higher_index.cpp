#include "bvp/nonlinear/higher_index.hpp"

#include <Eigen/QR>
#include <cmath>

#include "bvp/statement/constraint_values.hpp"

namespace daewave::bvp {
namespace {

double smallest_pivot(const MatX& of) {
  return Eigen::ColPivHouseholderQR<MatX>(of).matrixQR().diagonal().cwiseAbs().minCoeff();
}

}  // namespace

bool is_of_higher_index(const DaeProblem& problem, const Interval& interval,
                        const std::function<VecX(double t)>& x) {
  constexpr int times = 13;
  constexpr double golden = 0.6180339887498949;
  // Of rows and columns of length 1.
  constexpr double independent = 1e-2, rounding = 1e-10;
  ConstraintValues constraints(problem);
  // Not in equal steps: a symmetric problem may be singular at all of those.
  for (int i = 1; i <= times; ++i) {
    const double t = interval.begin + interval.length() * std::fmod(i * golden, 1.0);
    const VecX state = x(t);
    if (!state.allFinite()) return false;
    const MatX G = constraints.G(state, t), B = constraints.B(state, t);
    if (!G.allFinite() || !B.allFinite() || G.rows() == 0) return false;
    const MatX rows = G.rowwise().normalized(), columns = B.colwise().normalized();
    if (!(smallest_pivot(rows.transpose()) > independent)) return false;
    if (!(smallest_pivot(columns) > independent)) return false;
    if (smallest_pivot(rows * columns) > rounding) return false;
  }
  return true;
}

}  // namespace daewave::bvp
