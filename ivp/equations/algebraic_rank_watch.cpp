#include "ivp/equations/algebraic_rank_watch.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/derivatives/invariant_derivatives.hpp"

namespace daewave::ivp {
namespace {

/// Rows, then columns, by their largest entries, which does not change the sign of the determinant:
/// units are not what makes a matrix singular. False where one of them is 0, or not finite.
bool divide_by_units(MatX& J) {
  for (Eigen::Index i = 0; i < J.rows(); ++i) {
    const double largest = J.row(i).cwiseAbs().maxCoeff();
    if (!(largest > 0) || !std::isfinite(largest)) return false;
    J.row(i) /= largest;
  }
  for (Eigen::Index j = 0; j < J.cols(); ++j) {
    const double largest = J.col(j).cwiseAbs().maxCoeff();
    if (!(largest > 0)) return false;
    J.col(j) /= largest;
  }
  return true;
}

}  // namespace

/// 0 where rounding, or what differences miss, could turn it.
int AlgebraicRankWatch::sign_at(double t, const VecX& z, const VecX& w) {
  constexpr double certain = 1e-6;
  algebraic_jacobian(problem_, z, w, t, J_);
  if (!J_.allFinite() || !divide_by_units(J_)) return 0;
  lu_.compute(J_);
  if (!(lu_.rcond() > certain)) return 0;
  return lu_.determinant() > 0 ? 1 : -1;
}

void AlgebraicRankWatch::see(double t, const VecX& z, const VecX& w) {
  const int sign = sign_at(t, z, w);
  if (sign == 0) return;
  if (sign_ != 0 && sign != sign_ && ++changes_ == 1) {
    from_ = last_;
    to_ = t;
  }
  sign_ = sign;
  last_ = t;
}

void AlgebraicRankWatch::tell(Report& report) const {
  if (changes_ == 0) return;
  const std::string again =
      changes_ == 1 ? "" : fmt::format(", and {} more time(s) later", changes_ - 1);
  report.warnings.push_back(fmt::format(
      "dr/dw was singular, or jumped, between t = {:.6g} and {:.6g}{}: its determinant changed its "
      "sign. Where roots of r = 0 meet, which of them the run goes on with is not determined; "
      "state an equation that tells w there, or take restart_times where r jumps",
      from_, to_, again));
}

}  // namespace daewave::ivp
