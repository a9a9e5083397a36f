#pragma once
// What is attracted to a known motion, as fast as is asked for.

#include <cmath>

#include "core/not_finite.hpp"
#include "ivp/run/solution.hpp"
#include "tests/catch.hpp"
#include "tests/ivp/plain_systems.hpp"
#include "tests/ivp/slaved.hpp"

namespace daewave::ivp {

/// z' = z*' - k (z - z*): Slaved without a constraint.
struct Attracted : PlainSystem {
  double k = 1;
  bool rhs(double t, const VecX& z, VecX& slope) override {
    slope = Vec<3>(std::cos(t), -1.3 * std::sin(1.3 * t), 0.7 * std::cos(0.7 * t + 1));
    slope -= k * (z - Slaved::exact(t));
    return true;
  }
};

/// The largest error of dense output over [0, span].
inline double error_of_dense(const Solution& solution, double span) {
  REQUIRE(solution.report.usable());
  double error = 0;
  for (int i = 0; i <= 1000; ++i) {
    const double t = i * (span / 1000);
    error = larger(error, largest_size(solution.at(t) - VecX(Slaved::exact(t))));
  }
  return error;
}

}  // namespace daewave::ivp
