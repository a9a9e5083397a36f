#pragma once
// Ordinary problems with known solutions, as the systems a step takes.

#include <cmath>
#include <string>

#include "core/types.hpp"
#include "ivp/run/step.hpp"

namespace daewave::ivp {

/// A system without constraints; z' = rhs is added by who derives. The multiplier is the sum of z.
template <class StateType>
struct PlainSystem {
  using State = StateType;
  using Multiplier = Vec<1>;

  bool after_step(double, State&, State&) { return true; }
  bool stabilizes() const { return false; }
  bool multiplier(double, const State& z, Multiplier& y) {
    y[0] = z.sum();
    return true;
  }
  Drift drift(double, const State&) { return {}; }
  std::string failure() const { return "refused"; }
};

/// z = (sin a, cos a, w) with w = 1 / (1/2 + t/2) and a' = w: slows down on the unit circle.
/// Nonlinear, depends on t, and has errors of the orders of the formulas at steps that are not
/// tiny.
struct SlowingCircle : PlainSystem<Vec<3>> {
  bool rhs(double t, const State& z, State& slope) {
    slope[0] = z[1] * z[2];
    slope[1] = -z[0] * z[2] * z[2] * (0.5 + 0.5 * t);
    slope[2] = -0.5 * z[2] * z[2] * (z[0] * z[0] + z[1] * z[1]);
    return true;
  }
  static State exact(double t) {
    const double a = 2 * std::log(1 + t);
    return State(std::sin(a), std::cos(a), 2 / (1 + t));
  }
};

/// z = (sin t, cos t).
struct Oscillator : PlainSystem<Vec<2>> {
  static constexpr bool second_order = true;
  bool rhs(double, const State& z, State& slope) {
    slope = State(z[1], -z[0]);
    return true;
  }
  static State exact(double t) { return State(std::sin(t), std::cos(t)); }
};

/// Of any number of entries, decaying at different rates.
template <class StateType>
struct Decay : PlainSystem<StateType> {
  bool rhs(double, const StateType& z, StateType& slope) {
    for (int i = 0; i < z.size(); ++i) slope[i] = -z[i] / (i + 1);
    return true;
  }
};

/// Motion on the unit circle at the rate 1 + t / 2, brought back to it after every step. Watches
/// the order in which it is called.
struct CircleMotion {
  using State = Vec<2>;
  using Multiplier = Vec<1>;

  bool rhs(double t, const State& z, State& slope) {
    slope = (1 + 0.5 * t) * State(-z[1], z[0]);
    ++evaluations;
    last_t = t;
    last_z = z;
    return true;
  }
  bool after_step(double t, State& z, State& slope) {
    called_after_rhs = called_after_rhs && t == last_t && z == last_z;
    z /= z.norm();
    slope = (1 + 0.5 * t) * State(-z[1], z[0]);
    ++stabilized;
    return !refuses;
  }
  bool stabilizes() const { return true; }
  bool multiplier(double t, const State&, Multiplier& y) {
    y[0] = t;
    return true;
  }
  Drift drift(double, const State& z) { return {std::abs(z.norm() - 1), 0}; }
  std::string failure() const { return "no way back to the circle"; }

  static State exact(double t) {
    const double angle = t + 0.25 * t * t;
    return State(std::cos(angle), std::sin(angle));
  }

  long evaluations = 0, stabilized = 0;
  bool called_after_rhs = true, refuses = false;
  double last_t = -1;
  State last_z = State::Zero();
};

}  // namespace daewave::ivp
