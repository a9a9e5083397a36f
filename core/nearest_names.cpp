#include "core/nearest_names.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <utility>

namespace daewave {
namespace {

std::string lower(std::string text) {
  for (char& c : text) {
    c = c == '_' ? '-' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return text;
}

/// Letters left out, put in, changed, or exchanged with the next.
std::size_t distance(const std::string& a, const std::string& b) {
  const std::size_t m = b.size();
  std::vector<std::size_t> two(m + 1), one(m + 1), now(m + 1);
  for (std::size_t j = 0; j <= m; ++j) one[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    now[0] = i;
    for (std::size_t j = 1; j <= m; ++j) {
      const std::size_t change = one[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      now[j] = std::min({change, one[j] + 1, now[j - 1] + 1});
      const bool exchanged = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (exchanged) now[j] = std::min(now[j], two[j - 2] + 1);
    }
    std::swap(two, one);
    std::swap(one, now);
  }
  return one[m];
}

}  // namespace

std::vector<std::string> nearest_names(const std::string& name,
                                       const std::vector<std::string>& known) {
  constexpr std::size_t most = 3, longest = 100;
  const std::string asked = lower(name.substr(0, longest));
  std::vector<std::pair<std::size_t, std::string>> near;
  for (const std::string& one : known) {
    const std::string candidate = lower(one);
    const bool begins = asked.size() >= 3 && candidate.starts_with(asked);
    const std::size_t letters = distance(asked, candidate);
    const std::size_t few = std::max(asked.size(), candidate.size()) / 3;
    if (begins || (letters <= std::max<std::size_t>(few, 1) && letters < candidate.size())) {
      near.emplace_back(begins ? std::min<std::size_t>(letters, 1) : letters, one);
    }
  }
  std::stable_sort(near.begin(), near.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> names;
  for (const auto& [letters, one] : near) {
    // Beside one that is much nearer the others were not meant.
    if (names.size() == most || letters > 2 * near.front().first + 1) break;
    names.push_back(one);
  }
  return names;
}

std::string did_you_mean(const std::string& name, const std::vector<std::string>& known) {
  const std::vector<std::string> near = nearest_names(name, known);
  return near.empty() ? "" : fmt::format(" (did you mean {}?)", fmt::join(near, ", or "));
}

}  // namespace daewave
