#pragma once
// The members of a sweep: those that an earlier run has kept are taken from its file, the others go
// on threads, or on ranks, and all are handed on in their order.

#include <functional>
#include <vector>

#include "cli/sweep/sweep_output.hpp"

namespace daewave::cli {

/// Runs `size` members from `first` on, one after the other or side by side in SIMD lanes; none
/// where they cannot go so. A run of one may throw.
using RunMembers = std::function<std::vector<SweptRun>(int first, int size)>;

/// @param command  with the file that members are kept in, if any. @param width  of a group that is
///                 run side by side, which is kept and given out as a whole.
/// @throws FileError where what is kept cannot be.
void run_members(const SweepCommand& command, int count, int width, const RunMembers& run,
                 SweepOutput& output);

}  // namespace daewave::cli
