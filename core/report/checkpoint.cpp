#include "core/report/checkpoint.hpp"

namespace daewave {

std::string difference_of(const Checkpoint& checkpoint,
                          const std::vector<std::pair<std::string, std::string>>& settings) {
  const auto& saved = checkpoint.settings;
  for (std::size_t i = 0; i < settings.size(); ++i) {
    const auto& [name, value] = settings[i];
    if (i >= saved.size() || saved[i].first != name) return "it does not say " + name;
    if (saved[i].second == value) continue;
    return "it was written with " + name + " = " + saved[i].second + ", this run has " + value;
  }
  return {};
}

}  // namespace daewave
