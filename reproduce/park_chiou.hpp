#pragma once
// The stabilized penalty method of Park and Chiou, which [AL1] compares with.

#include <functional>

#include "core/problem/linear_dae.hpp"
#include "core/time/mesh.hpp"

namespace daewave::reproduce {

/// Sees t, x and B y of a step.
using ParkChiouObserver = std::function<void(double t, const VecX& x, const VecX& By)>;

/// Backward Euler for                                                [AL1] (3.5a), (3.7)
///
///   x' = A x - C^T y + q,   epsilon y' + C C^T y = C A x + C q + C_t x + r_t,
///
/// the two solved together in each step; B = C^T. Needs C_t and r_t.
void park_chiou(const LinearDae& problem, const Mesh& mesh, double epsilon, const VecX& x0,
                const VecX& y0, const ParkChiouObserver& observer);

}  // namespace daewave::reproduce
