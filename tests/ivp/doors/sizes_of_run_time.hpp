#pragma once
// Problems whose sizes are known at run time only, and that may be spoiled on the way.

#include <cmath>
#include <limits>
#include <variant>

#include "ivp/solve.hpp"
#include "problems/al2.hpp"
#include "tests/ivp/srm_problems.hpp"

namespace daewave::testing {

/// [AL2] Example 6.2 with sizes known at run time, G = x^T = 0 at t = 1/2; f is NaN from a time on.
struct Turning {
  using State = SmallVec;
  using Multiplier = SmallVec;

  problems::Al2Example62 same{};
  double not_finite_from = std::numeric_limits<double>::infinity();

  State z_exact(double t) const { return same.z_exact(t); }
  State start() const { return z_exact(0); }
  Interval interval() const { return {0, 0.4}; }
  State f(const State& x, double t) const {
    State f = same.f(x, t);
    if (t >= not_finite_from) f[1] = NAN;
    return f;
  }
  SmallMat B(const State& x, double) const { return x; }
  Multiplier g(const State& x, double t) const { return same.g(x, t); }
  SmallMat G(const State& x, double) const { return x.transpose(); }
  Multiplier g_t(const State& x, double t) const { return same.g_t(x, t); }
};

/// MovingCircle, whose B is oblique, with vectors and matrices from the heap.
struct HeapCircle {
  using Position = VecX;
  using Multiplier = VecX;

  MovingCircle same{};
  double across_from = std::numeric_limits<double>::infinity();  ///< GB = 0 from there on.
  double push = 0;  ///< f gets push |v| v: the motion explodes in finite time.

  VecX z_exact(double t) const { return same.z_exact(t); }
  VecX start() const { return z_exact(0); }
  Interval interval() const { return {0, 1}; }
  Position f(const Position& x, const Position& v, double t) const {
    return same.f(x, v, t) + push * v.norm() * v.head<2>();
  }
  MatX B(const Position& x, double t) const {
    return t < across_from ? same.B(x, t) : Vec<2>(-x[1], x[0]);
  }
  Multiplier g(const Position& x, double t) const { return same.g(x, t); }
  MatX G(const Position& x, double t) const { return same.G(x, t); }
  Multiplier g_t(const Position& x, double t) const { return same.g_t(x, t); }
  Multiplier curvature(const Position& x, const Position& v, double t) const {
    return same.curvature(x, v, t);
  }
};

template <class P>
double end_error(const P& problem, const ivp::Solution& solution) {
  return (solution.end() - VecX(problem.z_exact(solution.t.back()))).lpNorm<Eigen::Infinity>();
}

/// With rates of 4 where they must be given.
inline ivp::Method method_with(ivp::Method method, const ivp::Formula& formula = {}) {
  if (auto* baumgarte = std::get_if<ivp::Baumgarte>(&method)) baumgarte->alpha0 = 4;
  if (auto* stabilized = std::get_if<ivp::StabilizedOde>(&method)) stabilized->gamma = 4;
  if (ivp::Formula* const open = formula_of(method)) *open = formula;
  return method;
}

inline bool regularizes(const ivp::Method& method) {
  return std::holds_alternative<ivp::Srm>(method);
}

}  // namespace daewave::testing
