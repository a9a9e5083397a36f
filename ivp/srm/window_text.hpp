#pragma once
// Windows of iterates as texts that cross to other ranks.

#include <string>
#include <string_view>

#include "ivp/srm/srm_windows.hpp"

namespace daewave::ivp {

/// All bits of it. What a problem threw crosses as words.
std::string text_of(const SrmWindow& window);
SrmWindow window_of(std::string_view text);

}  // namespace daewave::ivp
