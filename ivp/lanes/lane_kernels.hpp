#pragma once
// What is compiled for a problem and one instruction set, as a table of functions: one file of the
// program makes one table, and which of them is called is a matter of the machine.

#include "core/machine/simd.hpp"
#include "ivp/lanes/lane_problem.hpp"
#include "ivp/lanes/lane_run.hpp"

namespace daewave::ivp {

/// @tparam P  the problem of doubles.
template <class P>
struct LaneKernels {
  Simd simd = Simd::sse2;
  int most_iterates = 0;  ///< Of one run in lanes.
  int members = 0;        ///< Runs side by side.
  /// Iterates of one run; the caller deletes. Null where lanes have no such form.
  SkewedIterates* (*iterates)(const P& problem, const RegularizedForm& form,
                              const LaneFormula& formula, int iterates,
                              const LaneRescue& rescue) = nullptr;
  /// Runs of `members` problems; the caller deletes. Null as above.
  MembersInLanes* (*ensemble)(const P* const* problems, const RegularizedForm& form,
                              const LaneFormula& formula, int iterates,
                              const LaneRescue& rescue) = nullptr;
};

}  // namespace daewave::ivp
