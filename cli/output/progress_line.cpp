#include "cli/output/progress_line.hpp"
#include "cli/output/standard_output.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace daewave::cli {
namespace {

int columns_of_terminal() {
  constexpr int usual = 80;
  struct winsize size {};
  if (::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return usual;
  return size.ws_col;
}

}  // namespace

ProgressLine::ProgressLine(bool enabled)
    : enabled_(enabled && isatty(STDERR_FILENO)), start_(Clock::now()), last_(start_) {}

ProgressLine::~ProgressLine() { erase(); }

void ProgressLine::erase() {
  if (shown_) complain("\r\033[K");
  shown_ = false;
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
  const std::string text =
      fmt::format("{}, {:.0f} s", rest, std::chrono::duration<double>(last_ - start_).count());
  // A line that is longer than the terminal is wide cannot be erased: the bar gives way first.
  const int columns = columns_of_terminal(), beside = 12 + 4;
  const int width = std::min(30, columns - 1 - beside - static_cast<int>(text.size()));
  std::string line = fmt::format("{:<12} ", phase);
  if (width >= 5) {
    const int done = static_cast<int>(width * fraction);
    line += fmt::format("[{:#<{}}{:.<{}}] ", "", done, "", width - done);
  } else {
    line += fmt::format("{:.0f} % ", 100 * fraction);
  }
  line += text;
  complain("\r\033[K{}", line.substr(0, static_cast<std::size_t>(std::max(0, columns - 1))));
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

void ProgressLine::show(const sparse::StepInfo& progress) {
  if (!due()) return;
  draw(fmt::format("t = {:.5g}", progress.t),
       static_cast<double>(progress.step) / static_cast<double>(progress.steps),
       fmt::format("{} steps, drift {:.1e}, |x'| {:.1e}", progress.step, progress.drift,
                   progress.rate));
}

}  // namespace daewave::cli
