#pragma once
// Whether a DAE with unknowns w, 0 = r(z, w, t), is of index 1 at a point.

#include "core/problem/dae_problem.hpp"

namespace daewave {

/// The rank of dr/dw; less than nw where the index is higher there, or other solutions meet.
/// @param problem  of Kind::invariants.
/// @param near     w is looked for from there by Newton's method.
/// @param tolerance  of pivots, relative to the largest.
int rank_of_algebraic(const DaeProblem& problem, const VecX& z, const VecX& near, double t,
                      double tolerance = 1e-12);

/// Whether 0 = r determines w at a solution: false where r stays what it is in a direction. Not
/// where a slope vanishes at one point, or two solutions meet there.
bool determines_algebraic(const DaeProblem& problem, const VecX& z, const VecX& w, double t);

}  // namespace daewave
