#pragma once
// Rows between those that were given out, for what is drawn: ends of steps of a high order are far
// apart.

#include <vector>

#include "catalogue/initial_value_problem.hpp"
#include "ivp/run/solution.hpp"

namespace daewave::cli {

/// Times given out, and others between them, about `rows` in all, where there is dense output.
std::vector<double> times_between(const ivp::Solution& solution, int rows);

/// The run with rows at those times: states of dense output, multipliers of these states, or none
/// (ny = 0) where a state alone does not tell them. As it is where it has as many rows.
ivp::Solution with_rows_between(const ivp::Solution& solution,
                                const catalogue::InitialValueProblem& problem);

}  // namespace daewave::cli
