#pragma once
// Texts that a page is made of, put into the library when it is built (CMakeLists.txt).

#include <string_view>
#include <utility>
#include <vector>

namespace daewave::page {

using EmbeddedTexts = std::vector<std::pair<std::string_view, std::string_view>>;

/// Names and texts.
const EmbeddedTexts& embedded();

}  // namespace daewave::page
