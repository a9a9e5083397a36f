#pragma once
// The pendulum held on its circle by its velocity: index 2 with an exact solution, and B that
// turns.

#include <string>

#include "core/types.hpp"
#include "problems/pendulum.hpp"

namespace daewave::problems {

/// p' = v, v' = -e2 - lambda p, 0 = p . v; x = (p, v): the pendulum of length 1 in gravity 1 with
/// its constraint differentiated once, as [AFS] treats mechanical systems. Without dimension.
struct VelocityPendulum {
  using State = Vec<4>;
  using Multiplier = Vec<1>;

  double begin = 1;  ///< Time since it was released from the horizontal.
  double length = 2;

  std::string name() const { return "velocity-pendulum"; }
  Interval interval() const { return {begin, begin + length}; }
  State start() const { return z_exact(begin); }

  State f(const State& x, double) const { return {x[2], x[3], 0, -1}; }
  Vec<4> B(const State& x, double) const { return {0, 0, x[0], x[1]}; }
  template <class X, class Time>
  VecOf<typename X::Scalar, 1> g(const X& x, const Time&) const {
    using T = typename X::Scalar;
    return VecOf<T, 1>(T(x[0] * x[2] + x[1] * x[3]));
  }
  Mat<1, 4> G(const State& x, double) const { return {x[2], x[3], x[0], x[1]}; }
  Multiplier g_t(const State&, double) const { return Multiplier{0}; }

  State z_exact(double t) const { return Pendulum{.g0 = 1}.z_exact(t); }
  Multiplier y_exact(double t) const { return Pendulum{.g0 = 1}.y_exact(t); }
  State By_exact(double t) const { return B(z_exact(t), t) * y_exact(t)[0]; }
};

}  // namespace daewave::problems
