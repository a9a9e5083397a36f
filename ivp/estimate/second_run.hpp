#pragma once
// A second run beside a first one: how far they are apart, at the times that were given out.

#include <functional>
#include <string>
#include <vector>

#include "ivp/estimate/samples.hpp"
#include "ivp/estimate/second_method.hpp"
#include "ivp/run/solution.hpp"

namespace daewave::ivp {

/// A solve of the same problem without an estimate, from a state, and from w with invariants.
using SolveAgain = std::function<Solution(const VecX& start, const VecX& w, const Interval& span,
                                          const Options& options)>;

/// What is run twice.
struct Repeated {
  const VecX& start;
  const VecX& w;  ///< Empty but with invariants.
  Interval span;
  const Options& options;
  const SolveAgain& solve;
};

struct Compared {
  std::vector<double> times, errors;  ///< As in Solution.
  double events_apart = 0;            ///< In t, of events that change the state; the most.
  std::string failure;                ///< Empty: it came through.
  bool stopped = false;               ///< By the caller: nothing else is to be tried.
  /// The two pass other events, or in another order: one of them at least is wrong.
  bool other_events = false;
};

/// @param solution  of the first run. @throws what a solve does
Compared compare(const SecondMethod& second, const Repeated& run, const Samples& samples,
                 const Solution& solution);

}  // namespace daewave::ivp
