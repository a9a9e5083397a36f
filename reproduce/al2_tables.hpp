#pragma once
// Tables 6.1 to 6.5 of [AL2]: sequential regularization of nonlinear problems, fixed steps of
// Heun's formula, y_0 = 0. ex is the largest error of a component of x at t, drift the largest |g|;
// eq, ev, pdrift and vdrift those of position and velocity. docs/errata.md tells what is
// misprinted.

#include <string>

#include "reproduce/printed_table.hpp"

namespace daewave::reproduce {

/// Example 6.1, no singularity: (2.12), (2.13) and (2.15) with the three weights.
PrintedTable al2_table_6_1(const std::string& linear_solver);

/// Example 6.2, singular at t = 0.5, y bounded: (2.12), (2.13) and (3.2).
PrintedTable al2_table_6_2(const std::string& linear_solver);

/// Example 6.3, singular at t = 0.5, y unbounded: (2.13), which blows up, and (3.2).
PrintedTable al2_table_6_3(const std::string& linear_solver);

/// Example 6.4, two-link arm: (5.3)-(5.4), E = I.
PrintedTable al2_table_6_4(const std::string& linear_solver);

/// Example 6.5, slider-crank: drift of (5.5)-(5.6). The paper gives no lengths, masses and gravity,
/// and no choice of them leads to what it prints; beside that stands the drift for L = 1, m = 1,
/// g = 9.81 as an independent program computed it.
PrintedTable al2_table_6_5(const std::string& linear_solver);

}  // namespace daewave::reproduce
