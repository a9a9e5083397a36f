#include "bvp/nonlinear/dependent_points.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "bvp/nonlinear/constraint_values.hpp"

namespace daewave::bvp {
namespace {

/// Of the largest: points with smaller ones are dependent, or nearly.
constexpr double dependent = 1e-2;
/// Of the largest too; and of the time on both sides in which pivots are smaller than that, what
/// is close.
constexpr double clearly_regular = 0.3, close_part = 0.06;

class Pivots {
 public:
  Pivots(const DaeProblem& problem, const Interval& interval,
         const std::function<VecX(double t)>& x)
      : constraints_(problem), interval_(interval), x_(x) {}

  double operator()(double t) {
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
  ConstraintValues constraints_;
  Interval interval_;
  const std::function<VecX(double t)>& x_;
};

}  // namespace

std::vector<DependentPoint> dependent_points(const DaeProblem& problem, const Interval& interval,
                                             const std::function<VecX(double t)>& x, int samples) {
  Pivots pivots(problem, interval, x);
  std::vector<double> times, values;
  double largest = 0;
  for (int i = 0; i < samples; ++i) {
    times.push_back(interval.begin + interval.length() * i / (samples - 1.0));
    if (i == samples - 1) times.back() = interval.end;
    values.push_back(pivots(times.back()));
    if (std::isfinite(values.back())) largest = std::max(largest, values.back());
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

}  // namespace daewave::bvp
