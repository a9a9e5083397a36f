#pragma once
// An initial value problem whose iterates ranks share.

#include <vector>

#include "cli/options/command_line.hpp"
#include "cli/output/rank_report.hpp"
#include "core/report/report.hpp"
#include "ivp/options/options.hpp"

namespace daewave::cli {

/// Shares the iterates of sequential regularization among the ranks of a command.
/// @throws InvalidOption for other methods and loops, and for what one rank alone could tell.
void share_iterates(const SolveCommand& command, ivp::Options& options);

/// The part of a rank other than the first, which has all that is given out.
int take_part(const SolveCommand& command, const catalogue::InitialValueProblem& problem,
              const Interval& span, ivp::Options options);

/// Of all ranks, by the first one. @param report  of the run.
std::vector<RankReport> iterate_reports(const Communicator& ranks, const Report& report);

}  // namespace daewave::cli
