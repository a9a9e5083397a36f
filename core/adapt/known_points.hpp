#pragma once
// Which arrays are known at the points that are asked for, as they are those of the call before.

#include <vector>

#include "core/problem/dae_problem.hpp"

namespace daewave {

class KnownPoints {
 public:
  explicit KnownPoints(const Sizes& sizes) : sizes_(sizes) {}

  /// What knows no velocity.
  static Ask without_motion(Ask what) {
    for (const Ask one : {Ask::f, Ask::curvature, Ask::f_q, Ask::f_v}) what = without(what, one);
    return what;
  }

  /// What stays valid at these points, which are the known ones from now on.
  Ask move_to(const Points& at);
  /// Was evaluated at the points last moved to.
  void add(Ask what) { known_ = known_ | what; }

 private:
  /// @return false where they differ.
  static bool replace(std::vector<double>& by_rows, const double* from, int rows, const Points& at);

  Sizes sizes_;
  Ask known_{};
  int count_ = 0;
  std::vector<double> t_, q_, v_, w_;
};

}  // namespace daewave
