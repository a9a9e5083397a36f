#pragma once
// The front door for linear boundary value problems without constraints:
//
//   x' = A(t) x + q(t),   B0 x(begin) + B1 x(end) = beta.
//
// They are ordinary equations, and solved as such: Newton's method takes one step.

#include <string>
#include <utility>

#include "bvp/options/options.hpp"
#include "bvp/result/solution.hpp"
#include "bvp/solve.hpp"
#include "core/problem/linear_problem.hpp"
#include "core/types.hpp"

namespace daewave::bvp {

namespace detail {

/// It, as a struct of the concept NonlinearBvp.
template <LinearOrdinary P>
struct AsOrdinary {
  using Coefficients = std::remove_cvref_t<decltype(std::declval<const P&>().A(0.0).eval())>;
  using State = Eigen::Matrix<double, Coefficients::RowsAtCompileTime, 1>;

  P of;
  Boundary boundary;

  State f(const State& x, double t) const { return of.A(t) * x + of.q(t); }
  auto f_x(const State&, double t) const { return of.A(t); }
  Interval interval() const { return of.interval(); }
  VecX conditions(const State& left, const State& right) const {
    return boundary.B0 * left + boundary.B1 * right - boundary.beta;
  }
  State guess(double) const { return State::Zero(of.A(of.interval().begin).rows()); }
  std::string name() const {
    if constexpr (HasName<P>) return of.name();
    return "";
  }
};

}  // namespace detail

/// @throws InvalidProblem for conditions that are too few, too many, or depend on each other, and
///         as solve(const BoundaryProblem&, const Options&) of bvp/nonlinear/solve.hpp.
template <LinearOrdinary P>
Solution solve(const P& problem, const Options& options = {}) {
  const Boundary boundary = problem.boundary();
  check_boundary(boundary, MatX(0, problem.A(problem.interval().begin).rows()),
                 problem.interval().begin);
  BoundaryProblem ordinary = boundary_problem_of(detail::AsOrdinary<P>{problem, boundary});
  ordinary.is_linear = true;
  return solve(ordinary, options);
}

}  // namespace daewave::bvp
