#pragma once
// Seconds since a moment.

#include <chrono>

namespace daewave {

class Stopwatch {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }
  void restart() { start_ = std::chrono::steady_clock::now(); }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// Adds the seconds of its life to what it is given.
class TimeOf {
 public:
  explicit TimeOf(double& seconds) : seconds_(seconds) {}
  ~TimeOf() { seconds_ += watch_.seconds(); }
  TimeOf(const TimeOf&) = delete;
  TimeOf& operator=(const TimeOf&) = delete;

 private:
  double& seconds_;
  Stopwatch watch_;
};

}  // namespace daewave
