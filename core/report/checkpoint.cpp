#include "core/report/checkpoint.hpp"

#include <fmt/format.h>

#include <cstdlib>

namespace daewave {
namespace {

/// Numbers are kept with all their bits, and read by people in decimals.
std::string readable(const std::string& value) {
  std::string text;
  for (std::size_t i = 0; i < value.size();) {
    if (value.compare(i, 2, "0x") != 0) {
      text += value[i++];
      continue;
    }
    char* end = nullptr;
    text += fmt::format("{}", std::strtod(value.c_str() + i, &end));
    i = static_cast<std::size_t>(end - value.c_str());
  }
  while (!text.empty() && text.back() == ' ') text.pop_back();
  return text.empty() ? "none" : text;
}

/// What the mark of a problem is made of.
std::string called(const std::string& name) { return name == "mark" ? "parameters" : name; }

}  // namespace

std::string difference_of(const Checkpoint& checkpoint,
                          const std::vector<std::pair<std::string, std::string>>& settings) {
  const auto& saved = checkpoint.settings;
  for (std::size_t i = 0; i < settings.size(); ++i) {
    const auto& [name, value] = settings[i];
    if (i >= saved.size() || saved[i].first != name) return "it does not say " + called(name);
    if (saved[i].second == value) continue;
    return fmt::format("it was written with {} = {}, this run has {}", called(name),
                       readable(saved[i].second), readable(value));
  }
  return {};
}

}  // namespace daewave
