#pragma once
// What sequential regularization is compared with: the projection method in its incremental,
// rotational form (Timmermans, Minev and van de Vosse 1996), with the same differences in space and
// time,
//
//   D* u + nu-terms = nu L u - grad p_n - C,      div grad phi = (3 / 2h) div u,
//   u_{n+1} = u - (2h / 3) grad phi,              p_{n+1} = p_n + phi - nu div u,
//
// a Poisson equation of the pressure whose boundary conditions are none of the flow's. Without the
// last term and with p_n = 0 it is Chorin's of 1968, of order 1.

#include "large/flow/flow_problem.hpp"
#include "sparse/checked_solve.hpp"
#include "sparse/solve.hpp"

namespace daewave::flow {

enum class Projection { rotational, chorin };

/// The same run as sparse::solve by the projection method. Of `options` what is of regularization
/// is not looked at. @param problem  with extrapolated convection.
/// @throws InvalidOption, InvalidProblem before any step.
sparse::Solution solve_by_projection(const FlowProblem& problem, const VecX& start,
                                     const Interval& interval, const sparse::Options& options,
                                     Projection form = Projection::rotational);

}  // namespace daewave::flow
