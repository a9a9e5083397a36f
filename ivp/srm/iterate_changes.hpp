#pragma once
// How far the iterates of a sequential regularization have come: what each changed at the end of
// the run, and what that says of the error.

#include <vector>

#include "core/report/report.hpp"
#include "ivp/options/options.hpp"

namespace daewave::ivp {

/// Fills Report::history, and says so where the last iterate is not good enough.
///
/// The error of iterate m is about c_m (c_m / c_{m-1}), c_s being max |x_s - x_{s-1}|: each gains a
/// factor. Beyond 100 times the tolerance, or 1 % of the state where h is fixed, there is a
/// warning; beyond 100 times that, or half of the state, the run ends as iterates_exhausted.
/// @param changes  c_2, ..., c_m at the end.  @param size  max |x| there.
/// @param stiff    alpha1 = 0: one iterate alone has an error of O(epsilon).
void tell_changes(const std::vector<double>& changes, double size, bool stiff,
                  const Options& options, Report& report);

}  // namespace daewave::ivp
