#pragma once
// Sequential regularization with an explicit formula in SIMD lanes, of any problem: compiled once
// for each instruction set, the problem behind the seam of core/problem/dae_problem.hpp.

#include <memory>
#include <vector>

#include "core/machine/simd.hpp"
#include "core/problem/dae_problem.hpp"
#include "ivp/lanes/lane_run.hpp"

namespace daewave::ivp {

/// Of one run in lanes.
inline constexpr int most_skewed_iterates = 8;
/// Runs side by side: numbers in a register.
int members_in(Simd simd);

/// Empty where methods in lanes can evaluate the problem for the price of little more than one
/// point, and have its kind; or why not, and what to do.
std::string why_no_lanes(const DaeProblem& problem);
inline bool has_lanes(const DaeProblem& problem) { return why_no_lanes(problem).empty(); }

/// All iterates of one run. The problem, and who rescues, must outlive it.
/// @param simd  supported by this machine.  @param iterates  1 to most_skewed_iterates.
/// @return null where lanes have no such form.
/// @throws InvalidProblem where lanes are not for this kind, structure or size.
std::unique_ptr<SkewedIterates> skewed_iterates(const DaeProblem& problem, Simd simd,
                                                const Regularization& form,
                                                const LaneFormula& formula, int iterates,
                                                const LaneRescue& rescue);

/// Runs of problems of the same sizes and structure.
/// @param problems  members_in(simd) of them, which must outlive it.
/// @return, @throws as above.
std::unique_ptr<MembersInLanes> members_in_lanes(const std::vector<const DaeProblem*>& problems,
                                                 Simd simd, const Regularization& form,
                                                 const LaneFormula& formula, int iterates,
                                                 const LaneRescue& rescue,
                                                 const LaneEnergy& energy);

}  // namespace daewave::ivp
