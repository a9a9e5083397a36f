#pragma once
// Expressions are core's; here by their names in models.

#include "core/expression/graph.hpp"

namespace daewave::models {

using namespace expression;

}  // namespace daewave::models
