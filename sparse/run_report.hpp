#pragma once
// What the report of a run with fixed steps says when it has ended, by whatever method.

#include "sparse/consistent_start.hpp"
#include "sparse/solve.hpp"

namespace daewave::sparse {

/// The step, and who chose it.
void tell_step(Report& report, const Options& options, double h);

/// Sizes, steps, drift, what was done to the start, and whether what was asked for is there.
void tell_run(const SparseDae& problem, const Interval& interval, const Options& options,
              const ConsistentStart& start, double h, Solution& solution);

}  // namespace daewave::sparse
