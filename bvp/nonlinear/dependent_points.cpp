#include "bvp/nonlinear/dependent_points.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <memory>

#include "bvp/curve/times_of_ranks.hpp"
#include "bvp/statement/constraint_values.hpp"

namespace daewave::bvp {
namespace {

/// Of the largest: points with smaller ones are dependent, or nearly.
constexpr double dependent = 1e-2;
/// Of the largest too; and of the time on both sides in which pivots are smaller than that, what
/// is close.
constexpr double clearly_regular = 0.3, close_part = 0.06;

class Pivots {
 public:
  /// @param mesh  what is here of it, where ranks share it.
  Pivots(const DaeProblem& problem, const Interval& interval,
         const std::function<VecX(double t)>& x, const MeshShare& share, const Mesh& mesh)
      : constraints_(problem), interval_(interval), x_(x), share_(share), mesh_(mesh) {}

  std::vector<double> at(const std::vector<double>& times) {
    const auto foreseen = share_.is_shared() ? nullptr : foresee(times);
    const MatX found = at_times(share_, mesh_, 1, times,
                                [&](double t) -> VecX { return VecX::Constant(1, here(t)); });
    return {found.data(), found.data() + found.size()};
  }

  double operator()(double t) { return at({t})[0]; }

  /// From a state that is known here.
  double here(double t) {
    const VecX state = x_(t);
    if (!state.allFinite()) return NAN;
    const MatX GB = constraints_.GB(state, t);
    if (!GB.allFinite()) return NAN;
    const double pivot =
        Eigen::ColPivHouseholderQR<MatX>(GB).matrixQR().diagonal().cwiseAbs().minCoeff();
    // G M^-1 G^T has the squares.
    return constraints_.is_multibody() ? std::sqrt(pivot) : pivot;
  }

  /// Golden section in [left, right].
  double lowest(double left, double right) {
    constexpr double ratio = 0.6180339887498949;
    double a = right - ratio * (right - left), b = left + ratio * (right - left);
    double at_a = (*this)(a), at_b = (*this)(b);
    while (right - left > 1e-9 * interval_.length()) {
      if (at_a <= at_b) {
        right = b;
        b = a;
        at_b = at_a;
        a = right - ratio * (right - left);
        at_a = (*this)(a);
      } else {
        left = a;
        a = b;
        at_a = at_b;
        b = left + ratio * (right - left);
        at_b = (*this)(b);
      }
    }
    return 0.5 * (left + right);
  }

  /// How far from t in a direction they stay below `most`.
  double reach(double t, double direction, double most) {
    double distance = 1e-6 * interval_.length();
    while ((*this)(t + direction * distance) < most) {
      const double further = 1.5 * distance;
      const double end = t + direction * further;
      if (end <= interval_.begin || end >= interval_.end) break;
      distance = further;
    }
    return distance;
  }

 private:
  std::unique_ptr<ForeseenTerms> foresee(const std::vector<double>& times) {
    if (times.size() < 2 || !constraints_.calls_are_dear()) return nullptr;
    MatX states;
    VecX finite(static_cast<Eigen::Index>(times.size()));
    Eigen::Index count = 0;
    for (const double t : times) {
      const VecX state = x_(t);
      if (!state.allFinite()) continue;
      if (states.size() == 0) states.resize(state.size(), finite.size());
      states.col(count) = state;
      finite[count++] = t;
    }
    return constraints_.foresee_GB(states.leftCols(count), finite.head(count));
  }

  ConstraintValues constraints_;
  Interval interval_;
  const std::function<VecX(double t)>& x_;
  const MeshShare& share_;
  const Mesh& mesh_;
};

std::vector<DependentPoint> points_of(Pivots pivots, const Interval& interval, int samples) {
  std::vector<double> times;
  double largest = 0;
  for (int i = 0; i < samples; ++i) {
    times.push_back(interval.begin + interval.length() * i / (samples - 1.0));
    if (i == samples - 1) times.back() = interval.end;
  }
  const std::vector<double> values = pivots.at(times);
  for (const double value : values) {
    if (std::isfinite(value)) largest = std::max(largest, value);
  }
  std::vector<DependentPoint> points;
  for (std::size_t i = 1; i + 1 < times.size(); ++i) {
    if (!(values[i] <= values[i - 1] && values[i] < values[i + 1])) continue;
    // One that falls to zero between two samples is seen at one of them as a part of its slope.
    if (values[i] > 0.5 * largest) continue;
    DependentPoint point;
    point.t = pivots.lowest(times[i - 1], times[i + 1]);
    point.pivot = pivots(point.t) / largest;
    if (!(point.pivot < dependent)) continue;
    // Of the side on which there is less: the other one may be long, this one end soon.
    const double left = pivots.reach(point.t, -1, clearly_regular * largest);
    const double right = pivots.reach(point.t, 1, clearly_regular * largest);
    point.width = close_part * 2 * std::min(left, right);
    points.push_back(point);
  }
  return points;
}

}  // namespace

std::vector<DependentPoint> dependent_points(const DaeProblem& problem, const Interval& interval,
                                             const std::function<VecX(double t)>& x, int samples) {
  return points_of(Pivots(problem, interval, x, MeshShare(), Mesh()), interval, samples);
}

std::vector<DependentPoint> dependent_points(const DaeProblem& problem, const Interval& interval,
                                             const CollocationCurve& curve, const MeshShare& share,
                                             int samples) {
  const std::function<VecX(double t)> x = [&](double t) { return curve.x(t); };
  return points_of(Pivots(problem, interval, x, share, curve.mesh()), interval, samples);
}

}  // namespace daewave::bvp
