#pragma once
// Tapes and what evaluates them are core's; here by their names in models.

#include "core/expression/compiled_tapes.hpp"

namespace daewave::models {

using namespace expression;

}  // namespace daewave::models
