#pragma once
// A problem of index 1 with invariants and a known solution: a point on the unit circle, driven
// along x = (cos s, sin s), s = t + t^2/2, against friction that depends on its multiplier, and
// with an unknown of index 1.

#include <cmath>

#include "core/adapt/problem_of.hpp"
#include "core/types.hpp"

namespace daewave::ivp {

/// z = (x, v), w = (lambda, a); tau = (-x2, x1), rate = v tau:
///
///   x' = v,  v' = rest(x, t) - lambda x - (tanh(mu lambda) + a) tau,
///   0 = x v' + v v,  0 = sinh(a) - rate;   h = ((x x - 1) / 2, x v).
///
/// rest() is such that lambda = 2 + t, a = asinh(1 + t).
template <class S = Vec<4>, class W = Vec<2>>
struct RollingOnCircle {
  using State = S;
  using Algebraic = W;
  using Invariant = W;

  double mu = 0.7;

  template <class T>
  VecOf<T, 2> acceleration(const VecOf<T, 4>& z, const VecOf<T, 2>& w, const T& t) const {
    using std::log, std::sqrt, std::tanh;
    const T rate = 1.0 + t, lambda = 2.0 + t, a = log(T(rate + sqrt(T(rate * rate + 1.0))));
    const T along = 1.0 + tanh(T(mu * lambda)) + a - tanh(T(mu * w[0])) - w[1];
    const T inward = lambda - rate * rate - w[0];
    return VecOf<T, 2>(T(inward * z[0] - along * z[1]), T(inward * z[1] + along * z[0]));
  }

  template <class T>
  VecOf<T, 4> f(const VecOf<T, 4>& z, const VecOf<T, 2>& w, T t) const {
    const VecOf<T, 2> a = acceleration(z, w, t);
    VecOf<T, 4> slope;
    slope << z[2], z[3], a[0], a[1];
    return slope;
  }
  template <class T>
  VecOf<T, 2> r(const VecOf<T, 4>& z, const VecOf<T, 2>& w, T t) const {
    using std::sinh;
    const VecOf<T, 2> a = acceleration(z, w, t);
    VecOf<T, 2> residual;
    residual[0] = z[0] * a[0] + z[1] * a[1] + z[2] * z[2] + z[3] * z[3];
    residual[1] = sinh(w[1]) - (z[0] * z[3] - z[1] * z[2]);
    return residual;
  }
  template <class T>
  VecOf<T, 2> h(const VecOf<T, 4>& z, T) const {
    VecOf<T, 2> invariant;
    invariant[0] = (z[0] * z[0] + z[1] * z[1] - 1.0) / 2.0;
    invariant[1] = z[0] * z[2] + z[1] * z[3];
    return invariant;
  }

  // The same of bounded and dynamic vectors, whose derivatives are then differences.
  S f(const S& z, const W& w, double t) const requires(S::RowsAtCompileTime == Dynamic) {
    return f<double>(Vec<4>(z), Vec<2>(w), t);
  }
  W r(const S& z, const W& w, double t) const requires(S::RowsAtCompileTime == Dynamic) {
    return r<double>(Vec<4>(z), Vec<2>(w), t);
  }
  W h(const S& z, double t) const requires(S::RowsAtCompileTime == Dynamic) {
    return h<double>(Vec<4>(z), t);
  }

  int position_invariants() const { return 1; }
  int positions() const { return 2; }

  Vec<4> z_exact(double t) const {
    const double s = t + t * t / 2, rate = 1 + t;
    return {std::cos(s), std::sin(s), -rate * std::sin(s), rate * std::cos(s)};
  }
  Vec<2> w_exact(double t) const { return {2 + t, std::asinh(1 + t)}; }

  S start() const { return z_exact(0); }
  W start_algebraic() const { return Vec<2>{1, 1}; }
  Interval interval() const { return {0, 1}; }
};

}  // namespace daewave::ivp

// As a DaeProblem it is compiled once.
namespace daewave {

extern template class ProblemOf<ivp::RollingOnCircle<>>;
extern template DaeProblemPtr problem_of(ivp::RollingOnCircle<>);
extern template DaeProblemPtr problem_of(ivp::RollingOnCircle<>, const VecX&, double);
extern template DaeProblemPtr detail::problem_by_reference(const ivp::RollingOnCircle<>&,
                                                           const VecX*, double, int);

}  // namespace daewave
