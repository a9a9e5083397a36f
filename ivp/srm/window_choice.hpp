#pragma once
// How iterates and steps are shared out among the threads of a pipeline. No result depends on it.

#include <optional>
#include <vector>

#include "core/report/report.hpp"
#include "ivp/options/loops.hpp"

namespace daewave::ivp {

/// Iterates of each group, in their order; their sum is `iterates`.
///
/// As many groups as threads where that shares the iterates out evenly, as every group costs a
/// handing over; otherwise one for each iterate, which lets threads take turns.
/// @param groups  asked for, 1 .. iterates. @throws InvalidOption
std::vector<int> share_out(int iterates, int threads, const std::optional<int>& groups);

/// Steps of a window: about 100 us of work for one group, so that handing a window over costs 1 %
/// at most, and many windows for each thread on a short run.
/// @param seconds  of one step of one group; 0 where unknown. @param work  in place of 100 us.
int window_steps(double seconds, long steps, int groups, double work = 100e-6);

/// Over ranks, which ask each other for windows up to a millisecond apart.
constexpr double work_of_rank = 20e-3;

/// For the report.
Choice windows_choice(const std::vector<int>& shares, int steps, int threads,
                      const Pipelined& asked);

/// The same of ranks.
Choice windows_choice(const std::vector<int>& shares, int steps, const Pipelined& asked);

/// @param fixed  h is given. @throws InvalidOption for what windows cannot do.
void check_windows(const Pipelined& asked, bool fixed);

}  // namespace daewave::ivp
