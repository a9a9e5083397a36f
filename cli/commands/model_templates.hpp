#pragma once
// Model files to begin with: those of examples/models, put into the program when it is built.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace daewave::cli::templates {

using EmbeddedTexts = std::vector<std::pair<std::string_view, std::string_view>>;

/// Names, such as "slider-crank", and texts.
const EmbeddedTexts& embedded();

}  // namespace daewave::cli::templates
