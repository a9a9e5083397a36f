#pragma once
// Whether the unknowns w of index 1 of a solution are continuous. Each stage finds its own: where
// dr/dw is singular on the way two of them may be at different roots of 0 = r, and a node between
// them, or a short interval, makes a kink of that, with which every estimate is content.

#include <string>

#include "bvp/curve/collocation_curve.hpp"
#include "core/problem/dae_problem.hpp"

namespace daewave::bvp {

/// Of the part of a mesh that is here.
/// @param equations  of Kind::invariants.
/// @param curve      carries w; its x begins with that of the equations.
/// @return where w leaves the root that it was at, in words; empty where it nowhere does.
std::string leap_of_roots(const DaeProblem& equations, const CollocationCurve& curve);

}  // namespace daewave::bvp
