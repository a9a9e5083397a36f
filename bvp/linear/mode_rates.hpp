#pragma once
// How fast modes of a linear problem grow and turn, read off eigenvalues at samples of its
// interval.

#include "core/problem/linear_dae.hpp"
#include "core/stages/constraint_scan.hpp"

namespace daewave::bvp {

/// Largest real part of an eigenvalue of (I - P) A, where C B is not close to singular; at least 0.
double fastest_growing_mode(const LinearDae& problem, const ConstraintScan& scan);

/// Oscillations of x' = A x over the interval.
double oscillations(const LinearDae& problem);

}  // namespace daewave::bvp
