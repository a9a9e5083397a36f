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

inline std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const auto& one : embedded()) all.emplace_back(one.first);
  return all;
}

}  // namespace daewave::cli::templates
