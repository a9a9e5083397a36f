#pragma once
// The time in which what iterates are off their constraints is damped, where that is open.

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/types.hpp"

namespace daewave::bvp {

/// A part of the length of an interval: 1, or, where one of the components of `x` swings to and fro
/// by more than `seen` of its size, the part in which the fastest of them turns by a radian. It
/// depends on no unit of time.
/// @param x  a column for each of some times that are equally spaced over the interval.
inline double constraint_time(const MatX& x, double seen) {
  double most = 2;  // Passages of the middle: there and back is a swing that an interval is for.
  for (Eigen::Index i = 0; i < x.rows(); ++i) {
    const double high = x.row(i).maxCoeff(), low = x.row(i).minCoeff();
    if (!(high - low > seen * (1 + x.row(i).cwiseAbs().maxCoeff()))) continue;
    const double middle = low + (high - low) / 2;
    int passages = 0;
    for (Eigen::Index k = 1; k < x.cols(); ++k) {
      if ((x(i, k) > middle) != (x(i, k - 1) > middle)) ++passages;
    }
    most = std::max<double>(most, passages);
  }
  return 1 / std::max(1.0, std::numbers::pi * (most - 2));
}

}  // namespace daewave::bvp
