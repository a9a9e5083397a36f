#pragma once
// Stiff problems with references, as the systems a step takes.

#include <cmath>

#include "tests/ivp/plain_systems.hpp"

namespace daewave::ivp {

/// z' = lambda (z - cos t) - sin t, z = cos t. (Prothero and Robinson)
struct Prothero : PlainSystem<Vec<1>> {
  double lambda = -1e6;
  bool rhs(double t, const State& z, State& slope) {
    slope[0] = lambda * (z[0] - std::cos(t)) - std::sin(t);
    return true;
  }
};

/// van der Pol in slow time: z1' = z2, z2' = mu ((1 - z1^2) z2 - z1).               [HW2] IV.1
struct VanDerPol : PlainSystem<Vec<2>> {
  double mu = 1e6;
  bool rhs(double, const State& z, State& slope) {
    slope = State(z[1], mu * ((1 - z[0] * z[0]) * z[1] - z[0]));
    return true;
  }
  static State start() { return State(2, 0); }
  /// At t = 2 for mu = 1e6: the reference of the Bari test set for initial value problems.
  static State reference() { return State(1.706167732170483, -0.8928097010247975); }
};

/// Robertson's chemical reaction: rates from 0.04 to 3e7, up to t = 1e11.           [HW2] IV.1
struct Robertson : PlainSystem<VecX> {
  bool rhs(double, const State& z, State& slope) {
    slope[0] = -0.04 * z[0] + 1e4 * z[1] * z[2];
    slope[2] = 3e7 * z[1] * z[1];
    slope[1] = -slope[0] - slope[2];
    return true;
  }
  static State start() { return Vec<3>(1, 0, 0); }
  /// At t = 1e11, of the same test set.
  static State reference() {
    return Vec<3>(0.2083340149701255e-07, 0.8333360770334713e-13, 0.9999999791665050);
  }
};

/// A linear system with its Jacobian.
struct Linear : PlainSystem<Vec<2>> {
  long jacobians = 0;
  bool rhs(double, const State& z, State& slope) {
    slope = matrix() * z;
    return true;
  }
  bool jacobian(double, const State&, Mat<2, 2>& J) {
    ++jacobians;
    J = matrix();
    return true;
  }
  static Mat<2, 2> matrix() { return (Mat<2, 2>() << -1, 2, -2, -100).finished(); }
};

}  // namespace daewave::ivp
