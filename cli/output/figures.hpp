#pragma once
// Pictures of a solve: what people look at first.

#include <functional>
#include <string>

#include "bvp/linear/shooting_back.hpp"
#include "bvp/result/solution.hpp"
#include "bvp/statement/boundary_problem.hpp"
#include "core/types.hpp"
#include "io/figure.hpp"
#include "problems/linear_catalogue.hpp"

namespace daewave::cli {

/// Components drawn at most, so that a picture of a large system stays readable.
inline constexpr int most_components = 8;

/// " (8 of 48 drawn)", where not all are.
std::string drawn_of(int count);

/// Says in the legend of a panel which lines lie under others all along, and draws few points as
/// points.
void tell_hidden(io::Panel& panel);

/// Components of x and B y over t, error against the exact solution where it is known, and change
/// and drift per iterate.
io::Figure solution_figure(const bvp::Solution& solution, const problems::LinearProblem& problem);

/// Components of x and of what is carried over t, error where the exact solution is known, and the
/// lengths of the intervals.
io::Figure boundary_figure(const bvp::Solution& solution, const bvp::BoundaryProblem& problem);

/// The same for the last solve, and B y near the begin of the interval before and after.
io::Figure shooting_back_figure(const bvp::ShootingBack& result,
                                const problems::LinearProblem& problem);

}  // namespace daewave::cli
