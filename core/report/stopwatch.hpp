#pragma once
// Seconds since a moment.

#include <chrono>
#include <ctime>

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

/// Of the processor, spent by the thread that asks: what else the machine does takes none. To be
/// asked by the thread that made it.
class ThreadStopwatch {
 public:
  double seconds() const { return now() - start_; }

 private:
  static double now() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    constexpr double nano = 1e-9;
    return static_cast<double>(time.tv_sec) + nano * static_cast<double>(time.tv_nsec);
  }
  double start_ = now();
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
