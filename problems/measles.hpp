#pragma once
// An epidemic that comes back every year: periodic conditions.

#include <cmath>
#include <numbers>
#include <string>

#include "core/types.hpp"

namespace daewave::problems {

/// y1' = mu - b y1 y3, y2' = b y1 y3 - y2 / lambda, y3' = y2 / lambda - y3 / eta with
/// b = 1575 (1 + cos 2 pi t) and y(0) = y(1): susceptible, latent, infective parts of a population;
/// time in years.                                                     [AMR]
struct Measles {
  using State = Vec<3>;

  double mu = 0.02, lambda = 0.0279, eta = 0.01;

  std::string name() const { return "measles"; }
  Interval interval() const { return {0, 1}; }
  State f(const State& y, double t) const {
    const double b = 1575 * (1 + std::cos(2 * std::numbers::pi * t));
    const double infected = b * y[0] * y[2];
    return {mu - infected, infected - y[1] / lambda, y[1] / lambda - y[2] / eta};
  }
  Vec<3> conditions(const State& left, const State& right) const { return left - right; }
  State guess(double) const { return {0.1, 1e-3, 1e-3}; }
};

}  // namespace daewave::problems
