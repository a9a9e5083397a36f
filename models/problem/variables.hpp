#pragma once
// The variables of equations are core's; here by their names in models.

#include "core/equations/variables.hpp"

namespace daewave::models {

using namespace expression;

}  // namespace daewave::models
