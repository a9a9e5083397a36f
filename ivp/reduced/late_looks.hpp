#pragma once
// What no step needs of a run: multipliers of the states that are given out, and the drift after
// each step. Where calls are dear (core/problem/dear_calls.hpp) many states are looked at in one.

#include <vector>

#include "core/problem/dear_calls.hpp"
#include "ivp/options/options.hpp"
#include "ivp/reduced/reduced_ode.hpp"
#include "ivp/run/monitors.hpp"
#include "ivp/run/solution.hpp"
#include "ivp/run/step.hpp"

namespace daewave::ivp {

/// Of one run of a motion, whose states come to it by functions that it gives the run.
class LateLooks {
 public:
  /// Whether a run leaves these looks to it: where the caller does not see what is given out on the
  /// way.
  static bool can_do(const Options& options) { return !options.sink && options.keep; }

  /// All are kept by reference. @param step  knows multipliers between its ends.
  LateLooks(const DearCalls& calls, int nq, ReducedOde& system, Step& step);
  LateLooks(const LateLooks&) = delete;
  LateLooks& operator=(const LateLooks&) = delete;

  /// The same run without what is looked at here.
  Options options_of(const Options& options);
  Monitors monitors_of(const Monitors& monitors);
  /// After the run.
  void finish(Solution& solution);

 private:
  /// States that wait, of 2 nq entries.
  struct Waiting {
    std::vector<double> t, z;
    int count() const { return static_cast<int>(t.size()); }
  };

  void add(Waiting& to, double t, const double* z);
  void look_at_drift();
  void look_at_multipliers();
  void foresee(Ask what, const Waiting& at);
  VecX state(const Waiting& of, int i) const;

  const DearCalls& calls_;
  int nq_;
  ReducedOde& system_;
  Step& step_;
  bool multipliers_ = false, drift_ = false;
  Waiting nodes_, rows_;
  Drift largest_;
  std::vector<VecX> found_;  ///< Multipliers of all rows; empty where there is none.
  std::string failure_;      ///< Of the first that there is not.
  std::vector<double> by_entries_;
};

}  // namespace daewave::ivp
