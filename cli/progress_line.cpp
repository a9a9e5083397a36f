#include "cli/progress_line.hpp"
#include "cli/standard_output.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace daewave::cli {

ProgressLine::ProgressLine(bool enabled)
    : enabled_(enabled && isatty(STDERR_FILENO)), start_(Clock::now()), last_(start_) {}

ProgressLine::~ProgressLine() {
  if (shown_) complain("\r\033[K");
}

bool ProgressLine::due() {
  using namespace std::chrono_literals;
  if (!enabled_) return false;
  const auto now = Clock::now();
  if (now - start_ < 500ms || now - last_ < 100ms) return false;
  last_ = now;
  return true;
}

void ProgressLine::draw(const std::string& phase, double fraction, const std::string& rest) {
  shown_ = true;
  const int width = 30, done = static_cast<int>(width * fraction);
  complain("\r\033[K{:<12} [{:#<{}}{:.<{}}] {}, {:.0f} s", phase, "", done, "", width - done, rest,
           std::chrono::duration<double>(last_ - start_).count());
  std::fflush(stderr);
}

void ProgressLine::show(const bvp::Progress& progress) {
  if (!due()) return;
  draw(progress.phase, progress.fraction, fmt::format("{} intervals", progress.intervals));
}

void ProgressLine::show(const ivp::RunProgress& progress) {
  if (!due()) return;
  const double fraction = (progress.t - progress.begin) / (progress.end - progress.begin);
  const std::string drift = progress.drift_of_iterates.empty()
                                ? fmt::format("{:.1e}", progress.drift)
                                : fmt::format("{:.1e}", fmt::join(progress.drift_of_iterates, " "));
  draw(fmt::format("t = {:.5g}", progress.t), std::clamp(fraction, 0.0, 1.0),
       fmt::format("{} steps, drift {}, {:.0f} s left", progress.steps, drift,
                   progress.seconds_left));
}

}  // namespace daewave::cli
