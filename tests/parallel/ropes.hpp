#pragma once
// A boundary value problem with all that breaks the chain of a matrix: unknown parameters, an
// integral, and a state inside of the interval.

#include <cmath>

#include "bvp/solve.hpp"

namespace daewave::testing {

/// A rope between two points, of weight k and length l, both unknown.
struct Rope {
  using State = Vec<2>;
  double k = 1;
  Interval interval() const { return {0, 1}; }
  State f(const State& x, double) const { return {x[1], k * std::sqrt(1 + x[1] * x[1])}; }
  VecX conditions(const State& left, const State& right) const { return VecX{{left[0], right[0]}}; }
  State guess(double t) const { return {2 * t * (t - 1), 4 * t - 2}; }
};

/// Those that hang 0.3 below their ends at t = 1/4.
inline bvp::ProblemFamily ropes_through_a_point() {
  bvp::ProblemFamily ropes{.p = VecX{{1.0, 0.0}}, .names = {"k", "l"}, .unknown = {0, 1}};
  ropes.member = [](const VecX& p) {
    bvp::BoundaryProblem problem = bvp::boundary_problem_of(Rope{.k = p[0]});
    problem.integrand = [](const VecX& x, double) { return VecX{{std::sqrt(1 + x[1] * x[1])}}; };
    problem.inside = {0.25};
    problem.further_conditions = [length = p[1]](const bvp::Observed& of) {
      return VecX{{of.integrals[0] - length, of.inside[0][0] + 0.3}};
    };
    return problem;
  };
  return ropes;
}

}  // namespace daewave::testing
