#pragma once
// Two beams that bend far: boundary value problems of ordinary differential equations.

#include <cmath>
#include <numbers>
#include <string>

#include "core/types.hpp"

namespace daewave::problems {

/// An elastica of length 1, half of it: x' = cos p, y' = sin p, p' = k, k' = F cos p, with the
/// force F unknown, F' = 0; pinned at 0, where x = y = k = 0, and y = 0, p = -pi/2 at 1/2. [CM]
/// State (x, y, p, k, F).
struct Elastica {
  using State = Vec<5>;

  std::string name() const { return "elastica"; }
  Interval interval() const { return {0, 0.5}; }
  State f(const State& s, double) const {
    State slope;
    slope << std::cos(s[2]), std::sin(s[2]), s[3], s[4] * std::cos(s[2]), 0;
    return slope;
  }
  Vec<5> conditions(const State& left, const State& right) const {
    Vec<5> off;
    off << left[0], left[1], left[3], right[1], right[2] + std::numbers::pi / 2;
    return off;
  }
  State guess(double t) const {
    State s;
    s << t, 0.2 * t, 1 - 4 * t, -4, -20;
    return s;
  }
};

/// A beam under its load, y' = sin p, p' = M, e M' = -Q, e Q' = (y - 1) cos p - M (sec p + e Q tan
/// p); y = M = 0 at 0 and 1. [CM] number 31. State (y, p, M, Q).
struct LoadedBeam {
  using State = Vec<4>;

  double e = 0.1;  ///< > 0.

  std::string name() const { return "loaded-beam"; }
  Interval interval() const { return {0, 1}; }
  template <class T>
  VecOf<T, 4> f(const VecOf<T, 4>& s, const T&) const {
    using std::cos, std::sin;
    const T sine = sin(s[1]), cosine = cos(s[1]), w(1 / e);
    const T tension = (1 + e * s[3] * sine) / cosine;
    return {sine, s[2], -w * s[3], w * ((s[0] - 1) * cosine - s[2] * tension)};
  }
  Vec<4> conditions(const State& left, const State& right) const {
    return {left[0], left[2], right[0], right[2]};
  }
};

}  // namespace daewave::problems
