#pragma once
// The long solve by which the library is judged: problem lin, gauss with 3 stages, step 0.001.

#include "bvp/solve.hpp"
#include "problems/lin.hpp"

namespace daewave::bench {

/// Solves lin with `iterates` sweeps, all else as the solver chooses, without estimates.
inline bvp::Solution solve_lin(int intervals, int iterates) {
  bvp::Options options;
  options.scheme = Scheme::gauss;
  options.stages = 3;
  options.intervals = intervals;
  options.iterates = iterates;
  options.conditioning = false;
  return bvp::solve(problems::Lin{.t_end = 1e-3 * intervals}, options);
}

}  // namespace daewave::bench
