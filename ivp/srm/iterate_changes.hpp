#pragma once
// How far the iterates of a sequential regularization have come: what each changed at the end of
// the run, how far the last is off the constraints, and what that says of the error.

#include <string>
#include <vector>

#include "ivp/options/options.hpp"
#include "ivp/run/kept_constraints.hpp"
#include "ivp/run/solution.hpp"

namespace daewave::ivp {

/// The iterates where a run ended.
struct LastIterates {
  double t = 0;
  VecX x;                       ///< Of the last iterate.
  std::vector<VecX> changes{};  ///< |x_s - x_{s-1}|, s = 2, 3, ...; empty where none are known.
  DriftOf drift{};
  bool from_zero = false;  ///< y_0 = 0, which is wrong at the start.
  Motion before{};         ///< Of what the run went before it started anew last.
  /// What is to be warned of where the last iterate is good enough at the end.
  std::string apart{};
  bool one_suffices = false;  ///< As SrmChoices has it.
};

/// Fills Report::history, and ends a run as iterates_exhausted whose last iterate is not good
/// enough, or of which nothing is known.
///
/// The error of iterate m is about c_m r / (1 - r), c_s being |x_s - x_{s-1}| and r the larger of
/// the last two c_s / c_{s-1}, with the motion for c_1: each gains a factor. Of two where the first
/// was foreseen to suffice it is c_2. Where epsilon is large
/// all iterates are the same, and wrong: so that the constraints must be met too, as closely as x
/// is wanted. Wanted is, of each entry, 1e-3 of its motion in the run so far where h is fixed, and
/// else 100 times the tolerance, which is of a step. With controlled steps a drift on the way
/// beyond that is warned of.
void tell_iterates(const LastIterates& last, const Options& options, Solution& solution);

}  // namespace daewave::ivp
