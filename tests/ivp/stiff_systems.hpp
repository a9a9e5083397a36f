#pragma once
// Stiff problems with references, as the systems a step takes.

#include <cmath>

#include "tests/ivp/plain_systems.hpp"

namespace daewave::ivp {

/// z' = lambda (z - cos t) - sin t, z = cos t. (Prothero and Robinson)
struct Prothero : PlainSystem {
  double lambda = -1e6;
  bool rhs(double t, const VecX& z, VecX& slope) override {
    slope[0] = lambda * (z[0] - std::cos(t)) - std::sin(t);
    return true;
  }
};

/// van der Pol in slow time: z1' = z2, z2' = mu ((1 - z1^2) z2 - z1).               [HW2] IV.1
struct VanDerPol : PlainSystem {
  double mu = 1e6;
  bool rhs(double, const VecX& z, VecX& slope) override {
    slope = Vec<2>(z[1], mu * ((1 - z[0] * z[0]) * z[1] - z[0]));
    return true;
  }
  static Vec<2> start() { return Vec<2>(2, 0); }
  /// At t = 2 for mu = 1e6: the reference of the Bari test set for initial value problems.
  static Vec<2> reference() { return Vec<2>(1.706167732170483, -0.8928097010247975); }
};

/// Robertson's chemical reaction: rates from 0.04 to 3e7, up to t = 1e11.           [HW2] IV.1
struct Robertson : PlainSystem {
  bool rhs(double, const VecX& z, VecX& slope) override {
    slope[0] = -0.04 * z[0] + 1e4 * z[1] * z[2];
    slope[2] = 3e7 * z[1] * z[1];
    slope[1] = -slope[0] - slope[2];
    return true;
  }
  static Vec<3> start() { return Vec<3>(1, 0, 0); }
  /// At t = 1e11, of the same test set.
  static Vec<3> reference() {
    return Vec<3>(0.2083340149701255e-07, 0.8333360770334713e-13, 0.9999999791665050);
  }
};

/// A linear system with its Jacobian.
struct Linear : PlainSystem {
  long jacobians = 0;
  bool rhs(double, const VecX& z, VecX& slope) override {
    slope = matrix() * z;
    return true;
  }
  bool knows_jacobian() const override { return true; }
  bool jacobian(double, const VecX&, MatX& J) override {
    ++jacobians;
    J = matrix();
    return true;
  }
  static Mat<2, 2> matrix() { return (Mat<2, 2>() << -1, 2, -2, -100).finished(); }
};

}  // namespace daewave::ivp
