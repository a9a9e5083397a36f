#pragma once
// Derivatives that a problem gives and differences contradict, looked at beside a guess: the first
// thing to suspect where a solve ends elsewhere than it should, or nowhere.

#include <functional>

#include "bvp/nonlinear/nonlinear_problem.hpp"
#include "core/problem/dae_problem.hpp"
#include "core/report/report.hpp"
#include "core/types.hpp"

namespace daewave::bvp {

/// Of constraints, before anything is solved, and that M is symmetric.
/// @param guess  x at t. @throws InvalidProblem  with the entry, what is given for it and what
///               differences say.
void refuse_wrong_constraints(const DaeProblem& problem, const Interval& interval,
                              const std::function<VecX(double t)>& guess);

/// Of f, where Newton's method has failed: the report then names the entry that is off most, by a
/// hundredth at least, and what differences give for it. Throws what the problem's functions throw.
void doubt_derivatives(const NonlinearProblem& problem, Report& report);

}  // namespace daewave::bvp
