#pragma once
// Pictures of an initial value solve.

#include "catalogue/initial_value_problem.hpp"
#include "io/figure.hpp"
#include "ivp/run/solution.hpp"

namespace daewave::cli {

/// Error, drift, energy and lengths of steps, as far as they are known.
std::vector<io::Panel> monitor_panels(const ivp::Solution& solution,
                                      const catalogue::InitialValueProblem& problem);

/// State and multiplier over t, and these.
/// @param drawn  with more rows, see rows_between.hpp.
io::Figure motion_figure(const ivp::Solution& solution, const ivp::Solution& drawn,
                         const catalogue::InitialValueProblem& problem);

/// The angles theta1 = phi1 - 3 pi/2, theta2 = phi2 + pi/2 (mod 2 pi, about pi) and their rates,
/// and the horizontal acceleration of the slider.                        [AL2] Figures 6.1 and 6.2
void add_slider_crank_panels(io::Figure& figure, const ivp::Solution& solution);

}  // namespace daewave::cli
