#pragma once
// Table 3.1 of [Eich]: the pendulum over 50 periods by a BDF of variable order and step, with and
// without projection onto position and velocity constraints.

#include <string>

#include "reproduce/printed_table.hpp"

namespace daewave::reproduce {

/// Errors at t = 100, and |x^2 + y^2 - 1|. Gravity is 4 K(1/2)^2, of period 2; the printed one is
/// wrong in its tenth digit. ERR is left out: how it is scaled is not said.
///
/// The printed errors are those of one run of another code. With projection at TOL <= 1e-7 we are
/// within a factor of 20, or better; so are the rows without it at TOL <= 1e-8. Errors of the
/// others are those of the phase of an oscillation, of which one point in time is seen: chance.
PrintedTable eich_table_3_1(const std::string& linear_solver);

}  // namespace daewave::reproduce
