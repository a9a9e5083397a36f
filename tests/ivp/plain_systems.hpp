#pragma once
// Ordinary problems with known solutions, as the systems a step takes.

#include <cmath>
#include <string>

#include "core/types.hpp"
#include "ivp/run/ode_system.hpp"

namespace daewave::ivp {

/// A system without constraints; z' = rhs is added by who derives. The multiplier is the sum of z.
struct PlainSystem : OdeSystem {
  bool multiplier(double, const VecX& z, VecX& y) override {
    y.setConstant(1, z.sum());
    return true;
  }
  Drift drift(double, const VecX&) override { return {}; }
  std::string failure() const override { return "refused"; }
};

/// z = (sin a, cos a, w) with w = 1 / (1/2 + t/2) and a' = w: slows down on the unit circle.
/// Nonlinear, depends on t, and has errors of the orders of the formulas at steps that are not
/// tiny.
struct SlowingCircle : PlainSystem {
  bool rhs(double t, const VecX& z, VecX& slope) override {
    slope[0] = z[1] * z[2];
    slope[1] = -z[0] * z[2] * z[2] * (0.5 + 0.5 * t);
    slope[2] = -0.5 * z[2] * z[2] * (z[0] * z[0] + z[1] * z[1]);
    return true;
  }
  static Vec<3> exact(double t) {
    const double a = 2 * std::log(1 + t);
    return Vec<3>(std::sin(a), std::cos(a), 2 / (1 + t));
  }
};

/// z = (sin t, cos t).
struct Oscillator : PlainSystem {
  bool rhs(double, const VecX& z, VecX& slope) override {
    slope = Vec<2>(z[1], -z[0]);
    return true;
  }
  bool second_order() const override { return true; }
  static Vec<2> exact(double t) { return Vec<2>(std::sin(t), std::cos(t)); }
};

/// Of any number of entries, decaying at different rates, each for itself.
struct Decay : PlainSystem {
  bool rhs(double, const VecX& z, VecX& slope) override {
    for (int i = 0; i < z.size(); ++i) slope[i] = -z[i] / (i + 1);
    return true;
  }
};

/// Motion on the unit circle at the rate 1 + t / 2, brought back to it after every step. Watches
/// the order in which it is called.
struct CircleMotion : OdeSystem {
  bool rhs(double t, const VecX& z, VecX& slope) override {
    slope = (1 + 0.5 * t) * Vec<2>(-z[1], z[0]);
    ++evaluations;
    last_t = t;
    last_z = z;
    return true;
  }
  bool after_step(double t, VecX& z, VecX& slope) override {
    called_after_rhs = called_after_rhs && t == last_t && z == last_z;
    z /= z.norm();
    slope = (1 + 0.5 * t) * Vec<2>(-z[1], z[0]);
    ++stabilized;
    return !refuses;
  }
  bool stabilizes() const override { return true; }
  bool multiplier(double t, const VecX&, VecX& y) override {
    y.setConstant(1, t);
    return true;
  }
  Drift drift(double, const VecX& z) override { return {std::abs(z.norm() - 1), 0}; }
  std::string failure() const override { return "no way back to the circle"; }

  static Vec<2> exact(double t) {
    const double angle = t + 0.25 * t * t;
    return Vec<2>(std::cos(angle), std::sin(angle));
  }

  long evaluations = 0, stabilized = 0;
  bool called_after_rhs = true, refuses = false;
  double last_t = -1;
  Vec<2> last_z = Vec<2>::Zero();
};

}  // namespace daewave::ivp
