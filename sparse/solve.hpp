#pragma once
// Runs of large sparse problems: memory and time go with the entries of their matrices and of the
// factors, nothing is dense.

#include <vector>

#include "core/report/report.hpp"
#include "sparse/options.hpp"
#include "sparse/sparse_dae.hpp"

namespace daewave::sparse {

struct Solution {
  double t = 0;  ///< What is valid ends here.
  VecX x, y;     ///< At t.
  bool steady = false;
  /// Of each step: its end, |x'|, and max |g| by iterate, steps times iterates.
  std::vector<double> times, rates;
  std::vector<std::vector<double>> drifts;
  double matrix_entries = 0, factor_entries = 0, bytes = 0;
  Report report;
};

/// @param start  is moved onto the constraint where it is not on it; the report says by how much.
/// @throws InvalidOption, InvalidProblem before any step.
Solution solve(const SparseDae& problem, const VecX& start, const Interval& interval,
               const Options& options);

}  // namespace daewave::sparse
