#pragma once
// Ten times a second, without asking the clock in every step.

#include <chrono>

namespace daewave::ivp {

/// due() costs a decrement in most calls, whether steps take nanoseconds or seconds.
class ProgressClock {
 public:
  bool due() {
    if (--until_look_ > 0) return false;
    return look();
  }

 private:
  using Clock = std::chrono::steady_clock;

  bool look() {
    const auto now = Clock::now();
    // Looks are to be a hundredth of a second apart.
    const double since = std::chrono::duration<double>(now - last_look_).count();
    if (since < 0.005 && between_looks_ < (1 << 20)) between_looks_ *= 2;
    if (since > 0.02) between_looks_ = between_looks_ > 16 ? between_looks_ / 16 : 1;
    until_look_ = between_looks_;
    last_look_ = now;
    if (now - last_due_ < std::chrono::milliseconds(100)) return false;
    last_due_ = now;
    return true;
  }

  int until_look_ = 1;
  int between_looks_ = 1;
  Clock::time_point last_look_ = Clock::now();
  Clock::time_point last_due_ = last_look_;
};

}  // namespace daewave::ivp
