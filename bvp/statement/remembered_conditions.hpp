#pragma once
// Conditions whose calls are dear. Most conditions are linear: what differences ask of them, states
// that are moved in one entry, follows from what is known of them already. Values that Newton's
// method asks for are always those of the conditions themselves; where one of them is not what was
// foreseen, nothing is foreseen any more.

#include <functional>

#include "core/types.hpp"

namespace daewave::bvp {

using Conditions = std::function<VecX(const VecX& left, const VecX& right)>;

/// May be copied; copies share what they know. Of one thread.
Conditions remembered(Conditions conditions);

}  // namespace daewave::bvp
