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
/// Of the multiplier (nl), or of B y (nx).
struct StartPolynomial {
  double begin = 0;  ///< t0.
  int degree = -1;   ///< Derivatives that agree; -1: none, the polynomial is zero.
  std::array<VecX, 3> derivatives{};
  std::string failure;  ///< Why there is no such polynomial; then it is zero.

  bool ok() const { return failure.empty(); }

  VecX operator()(double t) const {
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

StartPolynomial start_polynomial_y(const StartDerivatives& found, double t, int degree);
/// @param size  entries of B y.
StartPolynomial start_polynomial_By(StartDerivatives found, double t, int degree, int size);

}  // namespace detail

}  // namespace daewave
