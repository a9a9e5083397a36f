#pragma once
// A growing mode of a given rate, held at the right end, beside a constraint on another component.
//
//   x1' = rate x1 + x2 + q1,   x2' = -y + q2,   0 = x2 + r,   x1(end) given.
//
// The underlying equation has the one mode exp(rate t): its condition numbers are known.

#include "tests/core/manufactured_dae.hpp"

namespace daewave::testing {

inline ManufacturedDae growing_mode(double rate, double t_end) {
  const auto A = [rate](double) { return MatX{{rate, 1}, {0, 0}}; };
  const auto B = [](double) { return MatX{{0}, {1}}; };
  const auto C = [](double) { return MatX{{0, 1}}; };
  return {{0, t_end}, A, B, C, MatX{{0, 0}}, MatX{{1, 0}}, 91};
}

}  // namespace daewave::testing
