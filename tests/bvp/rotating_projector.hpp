#pragma once
// Linear DAEs whose projector is oblique and rotates: what symmetric schemes with epsilon << h
// cannot carry over a long horizon.
//
//   B = R(t) (1, 0, 0)^T,   C = (1, -kappa, 0) R(t)^T,   C B = 1,
//
// with R the rotation of (x1, x2) by omega t. Along range P an error is transported by
// C_{i+1} B_i = 1 + kappa omega h: it grows at the rate kappa omega, while the underlying equation
// itself, for A = 0, has the modes exp(-kappa omega t) and 1.

#include <cmath>

#include "tests/core/manufactured_dae.hpp"

namespace daewave::testing {

inline ManufacturedDae rotating_projector(double kappa, double omega, double t_end) {
  const auto rotation = [omega](double t) {
    const double c = std::cos(omega * t), s = std::sin(omega * t);
    return MatX{{c, -s, 0}, {s, c, 0}, {0, 0, 1}};
  };
  const auto A = [](double) { return MatX(MatX::Zero(3, 3)); };
  const auto B = [rotation](double t) { return MatX(rotation(t).leftCols(1)); };
  const auto C = [rotation, kappa](double t) {
    return MatX(MatX{{1, -kappa, 0}} * rotation(t).transpose());
  };
  const MatX B0 = free_directions(C(0));
  return {{0, t_end}, A, B, C, B0, MatX::Zero(2, 3), 31};
}

}  // namespace daewave::testing
