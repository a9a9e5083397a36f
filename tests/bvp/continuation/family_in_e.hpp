#pragma once
// Problems with a member e as a family in it.

#include "bvp/solve.hpp"

namespace daewave::testing {

template <class P>
bvp::ProblemFamily family_in_e(double e) {
  bvp::ProblemFamily family;
  family.member = [](const VecX& p) {
    P problem;
    problem.e = p[0];
    return bvp::boundary_problem_of(problem);
  };
  family.p = VecX{{e}};
  family.names = {"e"};
  return family;
}

}  // namespace daewave::testing
