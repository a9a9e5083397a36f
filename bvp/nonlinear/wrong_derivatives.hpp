#pragma once
// Derivatives of f that a problem gives and differences contradict: the first thing to suspect
// where Newton's method fails.

#include <functional>
#include <string>

#include "core/problem/dae_problem.hpp"
#include "core/types.hpp"

namespace daewave::bvp {

/// A state beside another one, each entry moved by a tenth of it: where a guess is zero, or a line,
/// few terms are seen. Of all zeros: by a tenth.
VecX beside(const VecX& state);

/// The entry that is off most, beside what differences give for it; empty where derivatives are
/// right, by a hundredth, at three times, or none are given.
/// @param x  states, as of a guess; f is looked at beside them. Throws what the problem's functions
///           throw.
std::string wrong_derivatives(const DaeProblem& problem, const Interval& interval,
                              const std::function<VecX(double t)>& x);

}  // namespace daewave::bvp
