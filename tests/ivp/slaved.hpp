#pragma once
// A DAE of which all that is free decays at once, so that its motion is known.

#include <cmath>

#include "core/types.hpp"

namespace daewave::ivp {

/// Index 2, of which all that is free decays at once: x' = x*' - k (x - x*) + B (cos 2t - y), so
/// that x = x* and y = cos 2t whatever k is.
struct Slaved {
  using State = Vec<3>;
  using Multiplier = Vec<1>;

  double k = 1;

  static State exact(double t) { return {std::sin(t), std::cos(1.3 * t), std::sin(0.7 * t + 1)}; }
  static double sum(const State& x) { return x[0] + 0.1 * x[0] * x[0] + 0.5 * x[1] - 0.3 * x[2]; }
  State f(const State& x, double t) const {
    const State slope(std::cos(t), -1.3 * std::sin(1.3 * t), 0.7 * std::cos(0.7 * t + 1));
    return slope - k * (x - exact(t)) + B(x, t) * std::cos(2 * t);
  }
  Mat<3, 1> B(const State& x, double) const { return {1 + 0.2 * x[0], 0.5, -0.3}; }
  Vec<1> g(const State& x, double t) const { return Vec<1>(sum(x) - sum(exact(t))); }
  Mat<1, 3> G(const State& x, double) const { return {1 + 0.2 * x[0], 0.5, -0.3}; }
  Vec<1> g_t(const State&, double t) const {
    const State x = exact(t);
    return Vec<1>(-(1 + 0.2 * x[0]) * std::cos(t) + 0.65 * std::sin(1.3 * t) +
                  0.21 * std::cos(0.7 * t + 1));
  }
};

}  // namespace daewave::ivp
