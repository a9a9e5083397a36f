#pragma once
// Why Newton's method found no solution, and what may help.

#include "bvp/newton/collocation_newton.hpp"
#include "core/report/report.hpp"

namespace daewave::bvp {

/// Sets termination, message and advice. @param newton  not converged.
/// @param knows_jacobian  f has derivatives, which are not advised then.
/// @param is_linear  the equations are: no guess leads to them, and none away.
void tell_failure(const NewtonResult& newton, int intervals, bool is_linear, bool knows_jacobian,
                  Report& report);

/// The same where no guess helps, as the index is higher than is said.
/// @param second_order  index 3 is said, not 2.
void tell_higher_index(int intervals, bool second_order, Report& report);

}  // namespace daewave::bvp
