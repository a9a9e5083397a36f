#pragma once
// All iterates of a sequential regularization, over ranks: each has some of them, one window behind
// those before. The windows of ivp/srm/srm_windows.hpp, sent from rank to rank:
//
//   rank P - 1: iterates 1, ..   ->   rank P - 2   -> .. ->   rank 0: .., m, and what is given out
//
// A rank asks the one before for a window when it has time for it, so that each has at most one,
// and a run that ends early ends all.

#include "core/ranks/communicator.hpp"
#include "ivp/run/solution.hpp"
#include "ivp/srm/run_srm.hpp"
#include "ivp/srm/srm_windows.hpp"

namespace daewave::ivp {

/// What rank 0 is left with.
struct RunOverRanks {
  Solution solution{};
  std::vector<VecX> changes{};  ///< As SrmWindows::changes().
};

/// All ranks call it, more than one of them. @param step  of the iterates here; of rank 0 the time
/// loop has it.
/// @param before  iterates of the ranks before this one. @param all  iterates.
/// @param steps   of a window, >= 1; the same on all ranks.
/// @return        of ranks other than 0 nothing.
RunOverRanks run_over_ranks(const Communicator& ranks, WindowedStep& step, int before, int all,
                            const SrmProblem& problem, const Interval& span,
                            const Checkpoints& checkpoints, const Options& options, int steps,
                            Settings settings);

/// Rank 0 tells the others how a run ended, and the words: all they know of it.
void tell_end(const Communicator& ranks, Report& report);

}  // namespace daewave::ivp
