#pragma once
// The collection of Cash and Mazzia as formulas.                                               [CM]

#include <string>

namespace daewave::catalogue {

/// @param number  1 to 35; of others empty.
std::string cash_mazzia_equations(int number);

}  // namespace daewave::catalogue
