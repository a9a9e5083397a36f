#include "cli/options/component_tolerances.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "core/error.hpp"

namespace daewave::cli {
namespace {

bvp::OfComponents components_of(const char* option, const std::string& text) {
  if (text.empty()) return {};
  std::vector<double> values;
  std::size_t begin = 0;
  while (begin <= text.size()) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string part = text.substr(begin, end - begin);
    char* rest = nullptr;
    values.push_back(std::strtod(part.c_str(), &rest));
    if (part.empty() || *rest != '\0') {
      throw InvalidOption(
          fmt::format("{} {}: must be a number, or one for each component, such as 1e-6,1e-12,inf",
                      option, text));
    }
    begin = end + 1;
  }
  if (values.size() == 1) return values[0];
  return Eigen::Map<const VecX>(values.data(), static_cast<Eigen::Index>(values.size()));
}

}  // namespace

bvp::Tolerances tolerances_of(const SolveCommand& command) {
  return {.relative = components_of("--relative", command.relative),
          .absolute = components_of("--absolute", command.absolute)};
}

}  // namespace daewave::cli
