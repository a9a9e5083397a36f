#pragma once
// Boundary layers that look alike at all places: flow past a wedge, and above a rotating disk, on
// infinite intervals.

#include <cmath>
#include <limits>
#include <string>

#include "core/types.hpp"

namespace daewave::problems {

/// f''' + (m + 1)/2 f f'' + m (1 - f'^2) = 0, f(0) = f'(0) = 0, f'(inf) = 1: the layer at a wedge
/// of the angle 2 pi m / (m + 1), a flat plate for m = 0. State (f, f', f'').   Falkner, Skan
/// (1931)
///
/// For -0.0904 < m < 0 there are two solutions, one of them with f''(0) < 0.
struct WedgeFlow {
  using State = Vec<3>;

  double m = 0;  ///< > -1.

  std::string name() const { return "wedge-flow"; }
  Interval interval() const { return {0, std::numeric_limits<double>::infinity()}; }
  State f(const State& x, double) const {
    return {x[1], x[2], -0.5 * (m + 1) * x[0] * x[2] - m * (1 - x[1] * x[1])};
  }
  Mat<3, 3> f_x(const State& x, double) const {
    return Mat<3, 3>{
        {0, 1, 0}, {0, 0, 1}, {-0.5 * (m + 1) * x[2], 2 * m * x[1], -0.5 * (m + 1) * x[0]}};
  }
  Vec<3> conditions(const State& left, const State& right) const {
    return {left[0], left[1], right[1] - 1};
  }
  State guess(double t) const {
    const double decay = t < 100 ? std::exp(-t) : 0;
    return {t - 1 + decay, 1 - decay, decay};
  }
};

/// F'' = F^2 - G^2 + F' H, G'' = 2 F G + G' H, H' = -2 F; F = H = 0 and G = 1 on the disk, F and G
/// tend to 0: velocities along the radius, around and along the axis. State (F, F', G, G', H).
///                                                                               Karman (1921)
struct RotatingDisk {
  using State = Vec<5>;

  std::string name() const { return "rotating-disk"; }
  Interval interval() const { return {0, std::numeric_limits<double>::infinity()}; }
  State f(const State& x, double) const {
    return {x[1], x[0] * x[0] - x[2] * x[2] + x[1] * x[4], x[3], 2 * x[0] * x[2] + x[3] * x[4],
            -2 * x[0]};
  }
  Mat<5, 5> f_x(const State& x, double) const {
    return Mat<5, 5>{{0, 1, 0, 0, 0},
                     {2 * x[0], x[4], -2 * x[2], 0, x[1]},
                     {0, 0, 0, 1, 0},
                     {2 * x[2], 0, 2 * x[0], x[4], x[3]},
                     {-2, 0, 0, 0, 0}};
  }
  Vec<5> conditions(const State& left, const State& right) const {
    return {left[0], left[2] - 1, left[4], right[0], right[2]};
  }
  State guess(double) const { return State::Zero(); }
};

}  // namespace daewave::problems
