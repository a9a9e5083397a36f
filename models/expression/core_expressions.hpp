#pragma once
// Expressions, their derivatives and tapes, which core has, by their names here.

#include "core/equations/equations.hpp"
#include "core/expression/derivative.hpp"
#include "core/expression/graph.hpp"
#include "core/expression/substitution.hpp"

namespace daewave::models {

using namespace expression;

}  // namespace daewave::models
