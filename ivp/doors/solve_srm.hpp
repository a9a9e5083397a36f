#pragma once
// A DAE by sequential regularization, with the stepper and the order of the loops asked for.

#include <functional>

#include "core/problem/dae_problem.hpp"
#include "ivp/doors/method_choice.hpp"
#include "ivp/options/options.hpp"
#include "ivp/run/monitors.hpp"
#include "ivp/run/solution.hpp"
#include "ivp/srm/srm_formula.hpp"
#include "ivp/srm/srm_step.hpp"

namespace daewave::ivp {

/// @param start  consistent. @param asked, options  checked. @throws InvalidOption
Solution solve_srm(const DaeProblem& problem, const VecX& start, const Interval& span,
                   const Srm& asked, const Options& options, const MethodChoice& method,
                   const Monitors& monitors);

/// y_0, or (B y)_0, that agrees with the solution at the start. @param degree  as exact_start.
/// @throws InvalidOption where there is none.
InitialIterate initial_iterate(const DaeProblem& problem, const VecX& start, const Interval& span,
                               Variant variant, int degree);

/// How far any state is off the constraints. The problem is kept by reference.
std::function<Drift(double t, const VecX& z)> drift_of(const DaeProblem& problem, const VecX& start,
                                                       double t);

/// Of the stepper. @throws InvalidOption
SrmFormula srm_formula(const MethodChoice& method);

}  // namespace daewave::ivp
