#include "ivp/srm/window_choice.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"

namespace daewave::ivp {

std::vector<int> share_out(int iterates, int threads, const std::optional<int>& groups) {
  if (groups && (*groups < 1 || *groups > iterates)) {
    throw InvalidOption(fmt::format("windows.groups = {}: must be between 1 and the {} iterates",
                                    *groups, iterates));
  }
  const int even = iterates % threads == 0 ? threads : iterates;
  const int count = groups.value_or(std::min(even, iterates));
  std::vector<int> sizes(static_cast<std::size_t>(count), iterates / count);
  for (int i = 0; i < iterates % count; ++i) ++sizes[static_cast<std::size_t>(i)];
  return sizes;
}

int window_steps(double seconds, long steps, int groups) {
  constexpr double work = 100e-6;
  constexpr double least = 8, most = 65536;
  const double timed = seconds > 0 ? std::clamp(work / seconds, least, most) : 256;
  const double short_run = static_cast<double>(steps) / (16.0 * groups);
  return static_cast<int>(std::max(1.0, std::min(timed, std::max(least, short_run))));
}

Choice windows_choice(const std::vector<int>& shares, int steps, int threads,
                      const Options& options) {
  return {"windows",
          fmt::format("{} steps; groups of {} iterates; {} threads", steps,
                      fmt::join(shares, " + "), threads),
          options.windows.steps.has_value(), "about 100 us of work, by timing"};
}

void check_windows(const Options& options) {
  const Windows& windows = options.windows;
  const bool pipelined = options.regularize.order == Order::pipelined;
  if (windows.steps && *windows.steps < 1) {
    throw InvalidOption(fmt::format("windows.steps = {}: must be >= 1", *windows.steps));
  }
  if (!pipelined && (windows.steps || windows.groups || windows.pipeline)) {
    throw InvalidOption("windows: are for order = pipelined; give it, or leave them out");
  }
  if (pipelined && !options.h) {
    throw InvalidOption(
        "order = pipelined: needs a fixed h, as step control waits for the last iterate; give h, "
        "or take order = step-local");
  }
}

}  // namespace daewave::ivp
