#include "ivp/run/output_times.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"

namespace daewave::ivp {

OutputTimes::OutputTimes(const std::vector<double>& times, const Interval& span)
    : times_(times), forward_(span.end >= span.begin) {
  const double first = std::min(span.begin, span.end), last = std::max(span.begin, span.end);
  for (std::size_t i = 0; i < times.size(); ++i) {
    if (times[i] < first || times[i] > last) {
      throw InvalidOption(
          fmt::format("times[{}] = {}: must be in [{}, {}], the interval integrated", i, times[i],
                      first, last));
    }
  }
  const auto count = static_cast<std::ptrdiff_t>(times.size());
  next_ = forward_ ? 0 : count - 1;
  past_ = forward_ ? count : -1;
  // The start is given out in any case.
  if (next_ != past_ && times[static_cast<std::size_t>(next_)] == span.begin) take();
}

std::ptrdiff_t OutputTimes::count_until(double t) const {
  std::ptrdiff_t next = next_;
  if (forward_) {
    while (next < past_ && times_[static_cast<std::size_t>(next)] <= t) ++next;
    return next - next_;
  }
  while (next > past_ && times_[static_cast<std::size_t>(next)] >= t) --next;
  return next_ - next;
}

}  // namespace daewave::ivp
