#pragma once
// Linear boundary value problems with layers, from the collection of Cash and Mazzia, with their
// exact solutions. [CM]

#include <cmath>
#include <numbers>
#include <string>

#include "core/types.hpp"

namespace daewave::problems {

/// Number 1: e y'' = y, y(0) = 1, y(1) = 0; a layer of width sqrt(e) at 0. State (y, y').
struct LayerAtBegin {
  using State = Vec<2>;

  double e = 1e-4;  ///< > 0.

  std::string name() const { return "layer-at-begin"; }
  Interval interval() const { return {0, 1}; }
  State f(const State& x, double) const { return {x[1], x[0] / e}; }
  Vec<2> conditions(const State& left, const State& right) const { return {left[0] - 1, right[0]}; }
  State guess(double t) const { return {1 - t, -1}; }

  State x_exact(double t) const {
    const double w = 1 / std::sqrt(e), scale = 1 / (1 - std::exp(-2 * w));
    const double falling = scale * std::exp(-w * t), rising = scale * std::exp(w * (t - 2));
    return {falling - rising, -w * (falling + rising)};
  }
};

/// Number 2: e y'' = y', y(0) = 1, y(1) = 0; a layer of width e at 1.
struct LayerAtEnd {
  using State = Vec<2>;

  double e = 1e-3;  ///< > 0.

  std::string name() const { return "layer-at-end"; }
  Interval interval() const { return {0, 1}; }
  State f(const State& x, double) const { return {x[1], x[1] / e}; }
  Vec<2> conditions(const State& left, const State& right) const { return {left[0] - 1, right[0]}; }
  State guess(double t) const { return {1 - t, -1}; }

  State x_exact(double t) const {
    const double scale = 1 / (1 - std::exp(-1 / e)), fast = std::exp((t - 1) / e);
    return {scale * (1 - fast), -scale * fast / e};
  }
};

/// Number 3: e y'' + (2 + cos pi t) y' - y = -(1 + e pi^2) cos pi t - (2 + cos pi t) pi sin pi t on
/// [-1, 1], y = -1 at both ends: y = cos pi t, without a layer although there could be one.
struct SmoothBesideLayers {
  using State = Vec<2>;

  double e = 1e-3;  ///< > 0.

  std::string name() const { return "smooth-beside-layers"; }
  Interval interval() const { return {-1, 1}; }
  State f(const State& x, double t) const {
    constexpr double pi = std::numbers::pi;
    const double speed = 2 + std::cos(pi * t);
    const double right = -(1 + e * pi * pi) * std::cos(pi * t) - speed * pi * std::sin(pi * t);
    return {x[1], (right - speed * x[1] + x[0]) / e};
  }
  Vec<2> conditions(const State& left, const State& right) const {
    return {left[0] + 1, right[0] + 1};
  }
  State guess(double) const { return {-1, 0}; }

  State x_exact(double t) const {
    constexpr double pi = std::numbers::pi;
    return {std::cos(pi * t), -pi * std::sin(pi * t)};
  }
};

/// Number 4: e y'' + y' - (1 + e) y = 0 on [-1, 1]; a layer of width e at -1.
struct LayerAndGrowth {
  using State = Vec<2>;

  double e = 1e-3;  ///< > 0.

  std::string name() const { return "layer-and-growth"; }
  Interval interval() const { return {-1, 1}; }
  State f(const State& x, double) const { return {x[1], ((1 + e) * x[0] - x[1]) / e}; }
  Vec<2> conditions(const State& left, const State& right) const {
    return {left[0] - x_exact(-1)[0], right[0] - x_exact(1)[0]};
  }
  State guess(double) const { return {1, 0}; }

  State x_exact(double t) const {
    const double slow = std::exp(t - 1), rate = (1 + e) / e, fast = std::exp(-rate * (1 + t));
    return {slow + fast, slow - rate * fast};
  }
};

/// Number 7: e y'' + t y' - y = -(1 + e pi^2) cos(pi t) - pi t sin(pi t), y(-1) = -1, y(1) = 1; a
/// corner at 0, where t changes its sign.
struct CornerLayer {
  using State = Vec<2>;

  double e = 1e-3;  ///< > 0.

  std::string name() const { return "corner-layer"; }
  Interval interval() const { return {-1, 1}; }
  State f(const State& x, double t) const {
    const double angle = std::numbers::pi * t;
    const double right =
        -(1 + e * std::numbers::pi * std::numbers::pi) * std::cos(angle) - angle * std::sin(angle);
    return {x[1], (right - t * x[1] + x[0]) / e};
  }
  Vec<2> conditions(const State& left, const State& right) const {
    return {left[0] + 1, right[0] - 1};
  }
  State guess(double t) const { return {t, 1}; }

  State x_exact(double t) const {
    const double root = std::sqrt(2 * e), bell = std::sqrt(2 * e / std::numbers::pi);
    const double scale = 1 / (std::erf(1 / root) + bell * std::exp(-1 / (2 * e)));
    const double angle = std::numbers::pi * t, corner = std::erf(t / root);
    return {std::cos(angle) + t + scale * (t * corner + bell * std::exp(-t * t / (2 * e))),
            -std::numbers::pi * std::sin(angle) + 1 + scale * corner};
  }
};

/// Number 8: e y'' + y' = 0, y(0) = 1, y(1) = 2; a layer of width e at 0.
struct DampedLayer {
  using State = Vec<2>;

  double e = 1e-3;  ///< > 0.

  std::string name() const { return "damped-layer"; }
  Interval interval() const { return {0, 1}; }
  State f(const State& x, double) const { return {x[1], -x[1] / e}; }
  Vec<2> conditions(const State& left, const State& right) const {
    return {left[0] - 1, right[0] - 2};
  }
  State guess(double t) const { return {1 + t, 1}; }

  State x_exact(double t) const {
    const double last = std::exp(-1 / e), scale = 1 / (1 - last), fast = std::exp(-t / e);
    return {scale * (2 - last - fast), scale * fast / e};
  }
};

}  // namespace daewave::problems
