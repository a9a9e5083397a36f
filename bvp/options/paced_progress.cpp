#include "bvp/options/paced_progress.hpp"

#include <algorithm>
#include <utility>

namespace daewave::bvp {

void PacedProgress::begin(std::string phase, int intervals, int here) {
  told_ = {std::move(phase), 0, intervals};
  here_ = std::max(here, 1);
}

void PacedProgress::at(int interval) {
  constexpr double a_while = 0.1;  // Seconds.
  if (!progress_ || is_stopped_ || since_last_.seconds() < a_while) return;
  told_.fraction = std::min(1.0, static_cast<double>(interval) / here_);
  const bool goes_on = progress_(told_);
  since_last_.restart();
  if (goes_on) return;
  if (ranks_ == nullptr) throw StoppedByCaller{told_.phase};
  is_stopped_ = true;
}

void PacedProgress::end() const {
  if (ranks_ != nullptr && any_of(*ranks_, is_stopped_)) throw StoppedByCaller{told_.phase};
}

}  // namespace daewave::bvp
