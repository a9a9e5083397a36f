#pragma once
// A problem seen from the end of its interval: with tau = end - t and states
//
//   ordinary, index 1   x_r(tau) = x(end - tau):        x_r' = -f
//   index 2             x_r(tau) = x(end - tau):        x_r' = -f + B y,   so B_r = -B;   y stays
//   index 3             (q, v)_r = (q, -v)(end - tau):  v_r' = f(q, -v_r, end - tau) - B y,
//                                                       so does B y
//
// it is a problem of the same kind, whose regularization lets constraints decay towards the begin.

#include "core/problem/dae_problem.hpp"

namespace daewave {

/// The problem in the time that runs from `end`. Twice is the problem itself.
DaeProblemPtr time_reversed(DaeProblemPtr problem, double end);

/// A state of the problem as one of the other time, and back.
VecX reversed_state(const DaeProblem& problem, VecX state);

/// B y is this times that of the other time; y is the same.
double reversed_sign_of_By(Kind kind);

}  // namespace daewave
