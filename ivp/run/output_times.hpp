#pragma once
// The times at which states are asked for, in the order in which they are passed.

#include <vector>

#include "core/types.hpp"

namespace daewave::ivp {

class OutputTimes {
 public:
  /// @param times  increasing, kept by reference; also where the interval is passed backward.
  /// @throws InvalidOption for a time outside of the interval.
  OutputTimes(const std::vector<double>& times, const Interval& span);

  /// A time after the start and up to t is left.
  bool has_until(double t) const {
    return next_ != past_ && (forward_ ? times_[next_] <= t : times_[next_] >= t);
  }

  /// How many are.
  std::ptrdiff_t count_until(double t) const;

  double take() {
    const double time = times_[next_];
    next_ += forward_ ? 1 : -1;
    return time;
  }

 private:
  const std::vector<double>& times_;
  bool forward_;
  std::ptrdiff_t next_, past_;
};

}  // namespace daewave::ivp
