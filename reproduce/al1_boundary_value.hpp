#pragma once
// Tables 5.1 and 5.2 of [AL1]: the boundary value problem of Example 1.
//
// Midpoint scheme, h = 0.01, y_0 = 0, E = (CB)^-1, alpha = (0, 1). ex is the error of x at node t,
// ey that of B y at the midpoint left of t against the exact value there, drift is |C x + r| at t.

#include <string>

#include "reproduce/printed_table.hpp"

namespace daewave::reproduce {

/// The forward solve, iterates 1 to 3.
PrintedTable al1_table_5_1(const std::string& linear_solver);

/// The backward pass alone, iterate 3: x1(1) from the constraint, x2(1) from the forward solve, B
/// y_0 constant. (The text beside the table speaks of the forward solve that follows.)
PrintedTable al1_table_5_2(const std::string& linear_solver);

}  // namespace daewave::reproduce
