#pragma once
// Flow between two rotating disks, of which the boundary layers are as thin as the fluid is thin.

#include <string>

#include "core/types.hpp"

namespace daewave::problems {

/// e f'''' + f f''' + g g' = 0, e g'' + f g' - f' g = 0 on [0, 1]; f = f' = 0 at both ends,
/// g = -1 and 1. State (f, f', f'', f''', g, g').                [CM] number 33
struct SwirlingFlow {
  using State = Vec<6>;

  double e = 1e-2;  ///< > 0.

  std::string name() const { return "swirling-flow"; }
  Interval interval() const { return {0, 1}; }
  State f(const State& x, double) const {
    State slope;
    slope << x[1], x[2], x[3], -(x[0] * x[3] + x[4] * x[5]) / e, x[5],
        -(x[0] * x[5] - x[1] * x[4]) / e;
    return slope;
  }
  Mat<6, 6> f_x(const State& x, double) const {
    Mat<6, 6> J = Mat<6, 6>::Zero();
    J(0, 1) = J(1, 2) = J(2, 3) = J(4, 5) = 1;
    J(3, 0) = -x[3] / e;
    J(3, 3) = -x[0] / e;
    J(3, 4) = -x[5] / e;
    J(3, 5) = -x[4] / e;
    J(5, 0) = -x[5] / e;
    J(5, 1) = x[4] / e;
    J(5, 4) = x[1] / e;
    J(5, 5) = -x[0] / e;
    return J;
  }
  Vec<6> conditions(const State& left, const State& right) const {
    Vec<6> off;
    off << left[0], left[1], right[0], right[1], left[4] + 1, right[4] - 1;
    return off;
  }
  State guess(double t) const {
    State x = State::Zero();
    x[4] = 2 * t - 1;
    x[5] = 2;
    return x;
  }
};

}  // namespace daewave::problems
