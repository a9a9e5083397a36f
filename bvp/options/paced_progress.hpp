#pragma once
// Progress of work in many small parts, told as often as a caller that waits wants it.

#include <string>

#include "bvp/options/progress.hpp"
#include "core/ranks/communicator.hpp"
#include "core/report/stopwatch.hpp"

namespace daewave::bvp {

/// Thrown where the caller stops what has no result to end with.
struct StoppedByCaller {
  std::string phase{};
};

class PacedProgress {
 public:
  /// Both are kept by reference. @param ranks  who do the same work; null: nobody.
  PacedProgress(const ProgressFunction& progress, const Communicator* ranks)
      : progress_(progress), ranks_(ranks) {}

  /// @param intervals  of the mesh in work. @param here  of them, where ranks share it.
  void begin(std::string phase, int intervals, int here);
  /// Before the work on one interval, of those that are here: calls where the last call is a while
  /// ago.
  /// @throws StoppedByCaller where it is asked to. Ranks go on, until they end together.
  void at(int interval);
  /// All ranks call it. @throws StoppedByCaller where one of them was asked to stop.
  void end() const;

 private:
  const ProgressFunction& progress_;
  const Communicator* ranks_;
  Progress told_{};
  int here_ = 1;
  bool is_stopped_ = false;  ///< Over ranks.
  Stopwatch since_last_{};
};

}  // namespace daewave::bvp
