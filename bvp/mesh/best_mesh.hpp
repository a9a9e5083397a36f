#pragma once
// The mesh of a refinement with the least estimate, and how many after it were in vain.

#include <cmath>

#include "bvp/mesh/error_estimate.hpp"
#include "bvp/result/solution.hpp"

namespace daewave::bvp {

class BestMesh {
 public:
  /// Estimates that are as small, and no longer fall, are rounding.
  static constexpr double near_rounding = 1e-9;

  /// Of the estimate of one more mesh: a coarser one is no finer one in vain.
  void count(double error, bool finer) {
    constexpr double clearly_less = 0.7;
    in_vain_ = error < clearly_less * error_ ? 0 : in_vain_ + (finer ? 1 : 0);
  }
  /// Kept where its estimate is less. @param local  its residuals, as errors.
  void see(double error, const Solution& solution, const IntervalErrors& local) {
    if (!(error < error_)) return;
    error_ = error;
    solution_ = solution;
    local_ = local;
  }
  /// What was estimated before counts for nothing.
  void forget() { error_ = INFINITY; }

  int in_vain() const { return in_vain_; }
  bool is_near_rounding() const { return error_ < near_rounding; }
  /// A mesh that was chosen by rounding is like no other: what is next to none in every interval
  /// tells nothing of where a mesh should be fine. Nor does one tell of another that is as good.
  bool tells_nothing_of(double error, const DifferenceEstimate& estimate, double tolerance) const {
    constexpr double much_worse = 10;
    return error > much_worse * error_ || (!estimate.told() && error_ <= tolerance);
  }
  /// One mesh that is no better may be that by chance: rounding that is told is far less.
  bool may_be_by_chance(double tolerance) const {
    constexpr double far_less = 1e-2;
    return rounding_of(solution_) < far_less * tolerance;
  }
  /// Meshes in vain after which others are: fewer where it is near rounding, more where there may
  /// be layers that none of them has resolved.
  bool gives_up(bool at_rounding, bool is_resolved) const {
    constexpr int in_rounding = 1, of_resolved = 5, before_layers = 14;
    return in_vain_ >= (at_rounding ? in_rounding : is_resolved ? of_resolved : before_layers);
  }

  const Solution& solution() const { return solution_; }
  const IntervalErrors& local() const { return local_; }

 private:
  double error_ = INFINITY;
  Solution solution_;
  IntervalErrors local_;
  int in_vain_ = 0;
};

}  // namespace daewave::bvp
