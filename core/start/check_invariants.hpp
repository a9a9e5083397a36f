#pragma once
// What a DAE of index 1 with invariants says of itself at one state: is it on its invariants, and
// are the derivatives of h those of differences.

#include "core/eigen_memory.hpp"

#include <Eigen/LU>

#include "core/derivatives/check_derivatives.hpp"
#include "core/derivatives/invariant_derivatives.hpp"
#include "core/start/consistent_start.hpp"

namespace daewave {

/// What rounding of a state leaves of h.
template <InvariantDae P>
VecX left_by_rounding_of_h(const P& problem, const typename P::State& z, double t, const VecX& h) {
  return detail::left_by_rounding(z, t, h,
                                  [&](const typename P::State& near, double when, VecX& there) {
                                    there = problem.h(near, when);
                                    return there.allFinite();
                                  });
}

/// h at a state, those of position apart from the others, and the rank of dh/dz.
/// @param tolerance  where a row is off by more, what rounding explains is looked at.
template <InvariantDae P>
Consistency check_start(const P& problem, const typename P::State& z, double t,
                        double tolerance = 1e-8) {
  const VecX h = problem.h(z, t);
  const int nh = static_cast<int>(h.size()), positions = position_invariants(problem, nh);
  std::string not_finite;
  std::vector<int> gone;
  int rank = 0;
  if (all_finite("h", h, t, not_finite)) {
    InvariantJacobian<P> H;
    invariant_jacobian(problem, z, t, H);
    if (all_finite("H", H, t, not_finite)) rank = static_cast<int>(MatX(H).fullPivLu().rank());
  }
  VecX rounding;
  if (largest_size(h) > tolerance) rounding = left_by_rounding_of_h(problem, z, t, h);
  return detail::consistency(t, 1, nh, rank, gone, h.head(positions), h.tail(nh - positions),
                             rounding, not_finite);
}

/// Compares dh/dz, as given or by automatic differentiation, with differences of h.
/// @param tolerance  relative to the size of the row.
template <InvariantDae P>
DerivativeReport check_derivatives(const P& problem, const typename P::State& z, double t,
                                   double tolerance = 1e-6) {
  using Z = typename P::State;
  DerivativeReport report;
  report.t = t;
  report.tolerance = tolerance;
  InvariantJacobian<P> H, expected;
  invariant_jacobian(problem, z, t, H);
  if (H.size() == 0) return report;  // Of index 1, without invariants.
  expected.resize(H.rows(), H.cols());
  Z at = z;
  for (int j = 0; j < z.size(); ++j) {
    expected.col(j) = detail::difference_at_0(
        [&](double s) {
          at[j] = z[j] + s;
          return typename P::Invariant(problem.h(at, t));
        },
        1, detail::longest_line(1, z.template lpNorm<Eigen::Infinity>(), 1));
    at[j] = z[j];
  }
  report.compare("H", MatX(H), MatX(expected), 1e-3 * expected.cwiseAbs().maxCoeff());
  return report;
}

}  // namespace daewave
