#pragma once
// Tables 5.3 to 5.7 of [AL1]: initial value problems, all iterates step by step.
//
// h = 0.001 and E = (CB)^-1 throughout. ex, ey and drift are those of x, B y and C x + r at the
// node t; exg and eyg are the largest over all nodes but the first. At the singular point t = 0.5
// the mesh is moved, in the way each table shows.

#include <string>

#include "reproduce/printed_table.hpp"

namespace daewave::reproduce {

/// Example 2, backward Euler, iterates 1 to 3.
PrintedTable al1_table_5_3(const std::string& linear_solver);

/// The same with forward Euler.
PrintedTable al1_table_5_4(const std::string& linear_solver);

/// Example 3: Example 2 with alpha1 > 0, beside the singular point. The whole mesh is moved by h/2:
/// with one node moved alone, backward Euler at alpha = (1, 1) has ex between 7 and 743.
PrintedTable al1_table_5_5(const std::string& linear_solver);

/// Example 3 with the constraint that is not singular.
PrintedTable al1_table_5_6(const std::string& linear_solver);

/// Example 4: 4 iterates against the stabilization of Park and Chiou.
PrintedTable al1_table_5_7(const std::string& linear_solver);

}  // namespace daewave::reproduce
