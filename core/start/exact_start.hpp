#pragma once
// An initial iterate y_0 that agrees with the multiplier at the start, which takes off as many
// initial layers of the iterates to come:
//
//   y_0(t0) = y(t0), ..., y_0^(m)(t0) = y^(m)(t0),   m = -1, 0, 1, 2               [AL2] (2.14)
//
// y(t0) follows from the differentiated constraint, its derivatives from y along the solution of
// the underlying ordinary equation, a few short steps ahead of t0.

#include <array>
#include <functional>
#include <string>

#include "core/problem/dae.hpp"
#include "core/start/constraint_point.hpp"

namespace daewave {

/// y(t0) + y'(t0) (t - t0) + y''(t0) (t - t0)^2 / 2.
/// @tparam V  the multiplier (nl), or B y (nx).
template <class V>
struct StartPolynomial {
  double begin = 0;  ///< t0.
  int degree = -1;   ///< Derivatives that agree; -1: none, the polynomial is zero.
  std::array<V, 3> derivatives{};
  std::string failure;  ///< Why there is no such polynomial; then it is zero.

  bool ok() const { return failure.empty(); }

  V operator()(double t) const {
    const double s = t - begin;
    return derivatives[0] + s * (derivatives[1] + (s / 2) * derivatives[2]);
  }
};

namespace detail {

/// y and B y at the start: value, first and second derivative, as far as asked for.
struct StartDerivatives {
  std::array<VecX, 3> y, By;
  int constraints = 0;
  std::string failure;
};

/// z', y and B y at (z, t); false, with the reason, where they do not exist.
using Flow = std::function<bool(const VecX& z, double t, VecX& slope, VecX& y, VecX& By,
                                std::string& failure)>;

/// @throws InvalidOption for a degree not in [-1, 2].
void check_start_degree(int degree);
std::string singular_start_text(int rank, int constraints, double t);
/// @param longest  the first and longest of the steps that are tried.
StartDerivatives start_derivatives(const Flow& flow, const VecX& z, double t, int degree,
                                   double longest);

/// A sixtieth of the interval, where the problem has one.
template <Dae P>
double longest_start_step(const P& problem) {
  if constexpr (HasStart<P>) return Interval(problem.interval()).length() / 60;
  return 0.1;
}

template <Dae P>
StartDerivatives start_derivatives_of(const P& problem, const StateOf<P>& state, double t,
                                      int degree, double longest) {
  static_assert(Reducible<P>, "give curvature(q, v, t), or use with_autodiff(problem)");
  ConstraintPoint<P> point(problem, 1e-12);
  const Flow flow = [&point](const VecX& z, double at, VecX& slope, VecX& y, VecX& By,
                             std::string& failure) {
    const StateOf<P> here = z;
    StateOf<P> rate;
    if (!point.evaluate(here, at)) {
      failure = point.not_finite();
    } else if (point.rank() < point.constraints()) {
      failure = singular_start_text(point.rank(), point.constraints(), at);
    } else if (!point.solve(here, rate, y, By)) {
      failure = "the linear system of the accelerations is singular at the start";
    } else {
      slope = rate;
      return true;
    }
    return false;
  };
  StartDerivatives found = start_derivatives(flow, state, t, degree, longest);
  found.constraints = point.constraints();
  return found;
}

template <class V>
StartPolynomial<V> start_polynomial(const std::array<VecX, 3>& derivatives, double t, int degree,
                                    int size, const std::string& failure) {
  StartPolynomial<V> polynomial;
  polynomial.begin = t;
  polynomial.failure = failure;
  polynomial.degree = failure.empty() ? degree : -1;
  for (std::size_t i = 0; i < 3; ++i) {
    const bool known = static_cast<int>(i) <= polynomial.degree;
    polynomial.derivatives[i] = known ? V(derivatives[i]) : V(V::Zero(size));
  }
  return polynomial;
}

/// @param size  entries of B y.
template <class V = VecX>
StartPolynomial<V> start_polynomial_By(StartDerivatives found, double t, int degree, int size) {
  if (found.failure.empty() && degree >= 0 && found.By[0].size() != size) {
    found.failure =
        "M is singular: B y = M^-1 G^T lambda does not exist; use a variant that carries y";
  }
  return start_polynomial<V>(found.By, t, degree, size, found.failure);
}

}  // namespace detail

/// y_0 for the variants that carry y.
/// @param state   consistent: x, or (q, v).
/// @param degree  m, -1 to 2; -1 is y_0 = 0.
/// @return  y' good to about 1e-9, y'' to 1e-6, relative, where the solution is smooth over a
///          sixtieth of the interval; not ok() where G is singular at the start or something is not
///          finite. Costs about 1200 evaluations of the problem for degree > 0.
/// @throws InvalidOption for another degree.
template <Dae P>
StartPolynomial<MultiplierOf<P>> exact_start_y(const P& problem, const StateOf<P>& state, double t,
                                               int degree) {
  detail::check_start_degree(degree);
  const auto found =
      detail::start_derivatives_of(problem, state, t, degree, detail::longest_start_step(problem));
  return detail::start_polynomial<MultiplierOf<P>>(found.y, t, degree, found.constraints,
                                                   found.failure);
}

/// (B y)_0 for the variants that carry B y; M^-1 G^T lambda of a multibody system.
///
/// As exact_start_y(); not ok() where M is singular.
template <Dae P>
StartPolynomial<ConfigurationOf<P>> exact_start_By(const P& problem, const StateOf<P>& state,
                                                   double t, int degree) {
  detail::check_start_degree(degree);
  return detail::start_polynomial_By<ConfigurationOf<P>>(
      detail::start_derivatives_of(problem, state, t, degree, detail::longest_start_step(problem)),
      t, degree, detail::configuration_size<P>(state));
}

}  // namespace daewave
