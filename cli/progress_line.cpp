#include "cli/progress_line.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

namespace daewave::cli {

ProgressLine::ProgressLine(bool enabled)
    : enabled_(enabled && isatty(STDERR_FILENO)), start_(Clock::now()), last_(start_) {}

ProgressLine::~ProgressLine() {
  if (shown_) fmt::print(stderr, "\r\033[K");
}

void ProgressLine::show(const bvp::Progress& progress) {
  using namespace std::chrono_literals;
  if (!enabled_) return;
  const auto now = Clock::now();
  if (now - start_ < 500ms || now - last_ < 100ms) return;
  last_ = now;
  shown_ = true;
  const int width = 30, done = static_cast<int>(width * progress.fraction);
  fmt::print(stderr, "\r\033[K{:<12} [{:#<{}}{:.<{}}] {} intervals, {:.0f} s", progress.phase, "",
             done, "", width - done, progress.intervals,
             std::chrono::duration<double>(now - start_).count());
  std::fflush(stderr);
}

}  // namespace daewave::cli
