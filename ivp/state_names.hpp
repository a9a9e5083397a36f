#pragma once
// What the entries of a state are called in messages and tables.

#include <string>

namespace daewave::ivp {

/// "x3"; of a state (q, v) of nz entries "q3" or "v3". i counts from 0, names from 1.
std::string component_name(int i, int nz, bool second_order);

/// "v3 is not finite at t = 0.5", of the first such entry of z (nz).
std::string not_finite_text(const double* z, int nz, bool second_order, double t);

}  // namespace daewave::ivp
