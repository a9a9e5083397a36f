#include "ivp/srm/window_choice.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "ivp/options/over_ranks.hpp"

namespace daewave::ivp {

std::vector<int> share_out(int iterates, int threads, const std::optional<int>& groups) {
  if (groups && (*groups < 1 || *groups > iterates)) {
    throw InvalidOption(
        fmt::format("groups = {}: must be between 1 and the {} iterates", *groups, iterates));
  }
  const int even = iterates % threads == 0 ? threads : iterates;
  const int count = groups.value_or(std::min(even, iterates));
  std::vector<int> sizes(static_cast<std::size_t>(count), iterates / count);
  for (int i = 0; i < iterates % count; ++i) ++sizes[static_cast<std::size_t>(i)];
  return sizes;
}

int window_steps(double seconds, long steps, int groups, double work) {
  constexpr double least = 8, most = 65536;
  const double timed = seconds > 0 ? std::clamp(work / seconds, least, most) : 256;
  const double short_run = static_cast<double>(steps) / (16.0 * groups);
  return static_cast<int>(std::max(1.0, std::min(timed, std::max(least, short_run))));
}

Choice windows_choice(const std::vector<int>& shares, int steps, int threads,
                      const Pipelined& asked) {
  return {"windows",
          fmt::format("{} steps; groups of {} iterates; {} threads", steps,
                      fmt::join(shares, " + "), threads),
          asked.steps.has_value(), "about 100 us of work, by timing"};
}

Choice windows_choice(const std::vector<int>& shares, int steps, const Pipelined& asked) {
  return {"windows",
          fmt::format("{} steps; {} iterates of {} ranks", steps, fmt::join(shares, " + "),
                      shares.size()),
          asked.steps.has_value(), "about 20 ms of work, by timing"};
}

void check_windows(const Pipelined& asked, bool fixed) {
  if (asked.steps && *asked.steps < 1) {
    throw InvalidOption(fmt::format("steps = {}: of a window, must be >= 1", *asked.steps));
  }
  if (!fixed) {
    throw InvalidOption(
        "loops = pipelined: needs a fixed h, as step control waits for the last iterate; give h, "
        "or take loops = step-local");
  }
  if (ranks_of(asked) != nullptr && asked.groups) {
    throw InvalidOption(fmt::format(
        "groups = {}: over ranks each has one of the iterates, or several; leave it out",
        *asked.groups));
  }
}

}  // namespace daewave::ivp
