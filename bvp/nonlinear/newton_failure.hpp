#pragma once
// Why Newton's method found no solution, and what may help.

#include "bvp/nonlinear/collocation_newton.hpp"
#include "core/report/report.hpp"

namespace daewave::bvp {

/// Sets termination, message and advice. @param newton  not converged.
void tell_failure(const NewtonResult& newton, int intervals, Report& report);

}  // namespace daewave::bvp
