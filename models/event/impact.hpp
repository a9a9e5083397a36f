#pragma once
// Impacts of a mechanism: where a distance h(q, t) has come to 0, an impulse along its gradient
// turns its rate, and the joints hold.
//
//   M (v+ - v-) = h_q^T L - G^T Lambda,   0 = G v+ + g_t,   h_q v+ + h_t = -e (h_q v- + h_t)
//
// with the restitution e; frictionless. The kinetic energy stays where e = 1 and nothing is driven.

#include <functional>

#include "core/problem/dae_problem.hpp"
#include "models/expression/graph.hpp"
#include "models/problem/variables.hpp"

namespace daewave::models {

/// The state after it, from that before it, as StateEvent::change. @param problem  of kind
/// multibody. What it gives throws InvalidProblem where the joints let nothing move along the
/// gradient.
std::function<VecX(double t, const VecX& state)> impact_change(const DaeProblemPtr& problem,
                                                               Graph& graph, Ref distance,
                                                               const Variables& variables,
                                                               double restitution);

}  // namespace daewave::models
