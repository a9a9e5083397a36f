#pragma once
// Equations as expressions are core's; here by their names in models.

#include "core/equations/equations.hpp"

namespace daewave::models {

using namespace expression;

}  // namespace daewave::models
