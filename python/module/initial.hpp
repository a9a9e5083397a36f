#pragma once
// An initial value solve with the options of a dictionary.

#include <memory>

#include "ivp/run/solution.hpp"
#include "python/module/callback.hpp"

namespace daewave {
class DaeProblem;
struct Interval;
}  // namespace daewave

namespace daewave::python {

/// @param asked  by the names of daewave/initial.py, which has looked at them.
ivp::Solution solve_initial(const DaeProblem& problem, const VecX& start, const Interval& span,
                            const py::dict& asked, const std::shared_ptr<Raised>& raised);

}  // namespace daewave::python
