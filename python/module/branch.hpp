#pragma once
// Branches of boundary value problems.

#include <memory>

#include "bvp/continuation/branch.hpp"
#include "python/module/callback.hpp"

namespace daewave::python {

/// @param how  parameter, its name; to; arclength; geometric, first_step, loosely, or None;
///   most_steps; observer, of (value, is_fold, solution), which stops the branch by False, or None.
bvp::Continuation continuation_of(const py::dict& how, const std::shared_ptr<Raised>& raised);

}  // namespace daewave::python
