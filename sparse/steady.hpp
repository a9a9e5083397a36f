#pragma once
// When a run has become steady.

#include <algorithm>

namespace daewave::sparse {

/// |x'| alone does not tell: what begins to move slowly from rest has a small rate too. It is small
/// beside the motion as well: in as much time as has passed, x would change by a tenth of the
/// largest it was at most.
class SteadyWatch {
 public:
  /// @param asked  |x'| below which a run may be steady; 0: never.
  explicit SteadyWatch(double asked) : asked_(asked) {}

  /// After a step. @param rate  |x'|.  @param elapsed  Since the start.  @param size  max |x|.
  bool reached(double rate, double elapsed, double size) {
    constexpr double part = 0.1;
    largest_ = std::max(largest_, size);
    return asked_ > 0 && rate <= asked_ && rate * elapsed <= part * largest_;
  }

 private:
  double asked_, largest_ = 0;
};

}  // namespace daewave::sparse
