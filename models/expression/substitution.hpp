#pragma once
// Substitution in expressions is core's; here by its names in models.

#include "core/expression/substitution.hpp"

namespace daewave::models {

using namespace expression;

}  // namespace daewave::models
