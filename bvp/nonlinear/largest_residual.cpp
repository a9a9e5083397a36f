#include "bvp/nonlinear/largest_residual.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "bvp/curve/collocation_values.hpp"
#include "bvp/residual/unresolved.hpp"

namespace daewave::bvp {

namespace {

bool begins_at(const SingularTerm* term, const Mesh& mesh, int i) {
  return term != nullptr && mesh.node(i) == term->begin();
}

/// Of some intervals, into `largest`; false where F cannot be evaluated at one of them.
bool find_largest(IterateSystem& system, const CollocationCurve& curve, const IntervalRange& range,
                  const SingularTerm* term, VecX& largest) {
  constexpr int points = 5;
  const double inside = 0.5 * std::sqrt(3.0 / 7);
  const std::array<double, points> at{beside_nodes, 0.5 - inside, 0.5, 0.5 + inside,
                                      1 - beside_nodes};
  const int n = system.nx(), m = system.carried();
  int looked_at = 0;
  for (int i = range.begin; i < range.end; ++i)
    looked_at += is_between_sides(curve.mesh(), i) ? 0 : 1;
  const int all = points * looked_at;
  if (all == 0) return true;
  const auto size = [all](int rows) { return static_cast<std::size_t>(rows * all); };
  std::vector<double> t, x(size(n)), before(size(m)), slope(size(n)), wanted(size(n));
  VecX x_there(n), slope_there(n), before_there(m), off(n);
  for (int i = range.begin; i < range.end; ++i) {
    if (is_between_sides(curve.mesh(), i)) continue;
    for (double theta : at) {
      const std::size_t p = t.size();
      if (theta == beside_nodes && begins_at(term, curve.mesh(), i)) theta = 0;
      t.push_back(curve.mesh().node(i) + theta * curve.mesh().step(i));
      curve.x_in(i, theta, x_there);
      curve.slope_in(i, theta, slope_there);
      for (int r = 0; r < n; ++r) x[size(r) + p] = x_there[r];
      for (int r = 0; r < n; ++r) slope[size(r) + p] = slope_there[r];
      if (m == 0) continue;
      curve.carried_in(i, theta, before_there);
      for (int r = 0; r < m; ++r) before[size(r) + p] = before_there[r];
    }
  }
  std::vector<double> carried = before;
  std::string failure;
  if (!system.evaluate_batch({all, all, t.data(), x.data(), before.data()}, wanted.data(),
                             carried.data(), nullptr, failure)) {
    return false;
  }
  std::size_t p = 0;
  for (int i = range.begin; i < range.end; ++i) {
    if (is_between_sides(curve.mesh(), i)) continue;
    for (const std::size_t end = p + points; p < end; ++p) {
      for (int r = 0; r < n; ++r) off[r] = slope[size(r) + p] - wanted[size(r) + p];
      if (begins_at(term, curve.mesh(), i) && t[p] == term->begin()) {
        // At a x' = (I - S)^-1 f, and beside it x' - f - S x / (t - a) becomes (I - S) x' - f.
        const Eigen::Index nx = term->S().rows();
        off.head(nx) -= (term->S() * off.head(nx)).eval();
      }
      double square = 0;
      for (int r = 0; r < n; ++r) {
        const double part = off[r] / (1 + std::abs(wanted[size(r) + p]));
        square += part * part;
      }
      largest[i] = std::max(largest[i], square);
    }
  }
  return true;
}

}  // namespace

VecX largest_residuals(IterateSystem& system, const CollocationCurve& curve, const MeshShare& share,
                       const SingularTerm* term, const std::function<void(int)>& before) {
  constexpr int together = 2048;
  const int intervals = curve.mesh().intervals();
  VecX largest = VecX::Zero(intervals);
  bool known = true;
  share.together([&] {
    for (const IntervalRange& range : share.ranges(intervals)) {
      for (int first = range.begin; first < range.end; first += together) {
        if (before) before(first);
        const IntervalRange some{first, std::min(first + together, range.end)};
        known = known && find_largest(system, curve, some, term, largest);
      }
    }
  });
  const VecX of_all = share.joined(VecX(largest.cwiseSqrt()));
  if (!share.any(!known)) return of_all;
  return VecX::Constant(of_all.size(), std::numeric_limits<double>::infinity());
}

double largest_residual(IterateSystem& system, const CollocationCurve& curve,
                        const SingularTerm* term) {
  return largest_residuals(system, curve, {}, term).maxCoeff();
}

}  // namespace daewave::bvp
