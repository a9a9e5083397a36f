#pragma once
// Derivatives of expressions are core's; here by their names in models.

#include "core/expression/derivative.hpp"

namespace daewave::models {

using namespace expression;

}  // namespace daewave::models
