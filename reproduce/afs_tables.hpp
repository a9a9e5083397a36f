#pragma once
// [AFS]: orders and errors of beta-blocked multistep formulas. The paper prints them as pictures
// and in words; what it says in numbers is compared, what it does not is shown.

#include <string>
#include <vector>

#include "reproduce/effort_precision.hpp"
#include "reproduce/printed_table.hpp"

namespace daewave::reproduce {

/// Theorem 2.1 and Remark 2.1: orders of x and lambda for the pendulum of index 2, by halving h;
/// and the largest errors over [1, 3] with h = 2^-7. c as in the paper: -1/2, -0.15, -0.1.
PrintedTable afs_orders(const std::string& linear_solver);

/// Section 5: the truck on [0, 4], mean over the grid of the largest error in its positions and of
/// that of its multipliers, these in 1e5 N. Orders are those of h = 2^-7 to 2^-8; ratios are those
/// of error constants (Table 3.1) and of the text.
PrintedTable afs_truck(const std::string& linear_solver);

/// The same over many h, as Figures 4.2 and 5.1.
std::vector<ErrorPanel> afs_orders_panels();
std::vector<ErrorPanel> afs_truck_panels();

}  // namespace daewave::reproduce
