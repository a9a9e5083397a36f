#pragma once
// What the entries of a state are called in messages and tables.

#include <string>
#include <vector>

namespace daewave::ivp {

/// "x3"; of a state (q, v) of nz entries "q3" or "v3". i counts from 0, names from 1.
std::string component_name(int i, int nz, bool second_order);

/// Of a table of states with their multipliers: "t", the components, then "y1", "lambda1" or "By1";
/// with _ behind it where a component has that name.
std::vector<std::string> column_names(int nz, int ny, bool second_order, bool carries_By);

/// The same, of states with names of their own, where there are any.
std::vector<std::string> column_names(const std::vector<std::string>& states, int nz, int ny,
                                      bool second_order, bool carries_By);

/// Names of their own, or component_name() of each.
std::vector<std::string> names_of(const std::vector<std::string>& states, int nz,
                                  bool second_order);

/// "v3 is not finite at t = 0.5", of the first such entry of z (nz).
std::string not_finite_text(const double* z, int nz, bool second_order, double t);

}  // namespace daewave::ivp
