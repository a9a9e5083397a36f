#pragma once
// An initial value solve with the options of a dictionary.

#include <memory>
#include <vector>

#include "ivp/run/solution.hpp"
#include "python/module/callback.hpp"

namespace daewave {
class DaeProblem;
struct Interval;
}  // namespace daewave

namespace daewave::python {

struct InitialRun : ivp::Solution {
  bool interrupted = false;  ///< By a key: it is what there was by then.
  long evaluated = -1;       ///< Points at which a function of Python f was called; -1: f is none.
};

/// @param w      the start of unknowns without a derivative; empty where there are none.
/// @param asked  by the names of daewave/initial.py, which has looked at them.
/// @param more   events behind those asked for.
InitialRun solve_initial(const DaeProblem& problem, const VecX& start, const VecX& w,
                         const Interval& span, const py::dict& asked,
                         const std::shared_ptr<Raised>& raised,
                         const std::vector<ivp::Event>& more = {});

}  // namespace daewave::python
