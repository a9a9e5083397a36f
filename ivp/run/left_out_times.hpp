#pragma once
// Times asked for that no piece of a run gives out, as they are within rounding of where one ends
// and the next begins.

#include <cstddef>
#include <vector>

namespace daewave::ivp {

class LeftOutTimes {
 public:
  /// @param times  increasing, kept by reference. @param sign  -1 where they are passed backward.
  LeftOutTimes(const std::vector<double>& times, double sign)
      : times_(times), forward_(sign > 0), count_(times.size()) {}

  bool none() const { return count_ == 0; }

  /// A row at t is about to be given out: of those between it and the one before, give(time), until
  /// that is false.
  template <class Give>
  bool pass(double t, const Give& give) {
    for (; next_ < count_ && is_before(time(), t); ++next_) {
      if (!give(time())) return false;
    }
    while (next_ < count_ && time() == t) ++next_;
    return true;
  }

  /// Those up to t have been given out.
  void skip(double t) {
    while (next_ < count_ && !is_before(t, time())) ++next_;
  }

 private:
  double time() const { return times_[forward_ ? next_ : count_ - 1 - next_]; }
  bool is_before(double one, double other) const { return forward_ ? one < other : one > other; }

  const std::vector<double>& times_;
  bool forward_;
  std::size_t count_, next_ = 0;
};

}  // namespace daewave::ivp
