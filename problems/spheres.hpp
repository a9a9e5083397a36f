#pragma once
// Balance in balls and slabs: a star of gas, with a term that is singular in its middle, and a
// catalyst in which nothing may be left of what reacts.

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "core/types.hpp"

namespace daewave::problems {

/// y'' + 2/t y' + y^n = 0, y(0) = 1, y'(0) = 0: the equation of Lane and Emden, with y'(t_end) as
/// it is and 2/t y' as a singular term. State (y, y').
struct LaneEmden {
  using State = Vec<2>;

  int n = 5;  ///< >= 0; exact for 0, 1 and 5.
  double t_end = 2;

  std::string name() const { return "lane-emden"; }
  Interval interval() const { return {0, t_end}; }
  Mat<2, 2> singular_term() const { return Mat<2, 2>{{0, 0}, {0, -2}}; }
  State f(const State& x, double) const { return {x[1], -std::pow(x[0], n)}; }
  Mat<2, 2> f_x(const State& x, double) const {
    return Mat<2, 2>{{0, 1}, {n == 0 ? 0 : -n * std::pow(x[0], n - 1), 0}};
  }
  VecX conditions(const State& left, const State&) const { return VecX{{left[0] - 1}}; }
  State guess(double t) const { return {1 / (1 + t * t / 6), 0}; }

  bool is_exact() const { return n == 0 || n == 1 || n == 5; }
  State solution(double t) const {
    if (n == 0) return {1 - t * t / 6, -t / 3};
    if (n == 5) {
      const double s = 1 + t * t / 3;
      return {1 / std::sqrt(s), -t / 3 / (s * std::sqrt(s))};
    }
    // sin t / t, by its series close to 0, where its derivative cancels.
    if (t < 1e-2) return {1 - t * t / 6 + std::pow(t, 4) / 120, -t / 3 + std::pow(t, 3) / 30};
    return {std::sin(t) / t, (t * std::cos(t) - std::sin(t)) / (t * t)};
  }
};

/// y'' = k y^p, y'(0) = 0, y(1) = 1: what is left of a substance within a slab of catalyst, of
/// which y is no less than 0. With p < 1 there is a dead core, from k = q (q - 1) on, q = 2 / (1 -
/// p). State (y, y').
struct CatalystSlab {
  using State = Vec<2>;

  double k = 50;   ///< > 0.
  double p = 0.5;  ///< > 0.

  std::string name() const { return "catalyst-slab"; }
  Interval interval() const { return {0, 1}; }
  State f(const State& x, double) const { return {x[1], k * std::pow(x[0], p)}; }
  State lower() const { return {0, -std::numeric_limits<double>::infinity()}; }
  Vec<2> conditions(const State& left, const State& right) const { return {left[1], right[0] - 1}; }
  State guess(double) const { return {1, 0}; }

  double q() const { return 2 / (1 - p); }
  bool has_dead_core() const { return p < 1 && k >= q() * (q() - 1); }
  /// Where it has one.
  State solution(double t) const {
    const double reach = std::sqrt(q() * (q() - 1) / k);
    const double s = std::max(0.0, 1 - (1 - t) / reach);
    return {std::pow(s, q()), q() / reach * std::pow(s, q() - 1)};
  }
};

}  // namespace daewave::problems
