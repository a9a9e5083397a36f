#pragma once
// Steps of the last of several iterates in lanes, one after the other: the lanes run ahead by a
// block of them.

#include <functional>
#include <memory>
#include <vector>

#include "ivp/lanes/lane_run.hpp"
#include "ivp/run/fixed_steps.hpp"

namespace daewave::ivp {

class LaneFeed {
 public:
  /// @param y_0      writes y_0(t); empty: zero.
  /// @param watches  drift is asked for.
  LaneFeed(std::unique_ptr<SkewedIterates> lanes, const LaneFormula& formula, int iterates,
           FixedSteps nodes, std::function<void(double t, double* y)> y_0, bool watches);

  /// At the first node. False where an iterate is not finite there.
  bool start(const double* x);
  /// Moves on to the end of the next step. False where an iterate is not finite there.
  bool next();

  /// Where it has come to: the last iterate and its slope, nz; y_m, nc; y_{m-1} at the points of
  /// the step that led here, points * nc; |g| and |G v + g_t|.
  const double* x() const { return &x_[at_ * nz_]; }
  const double* slope() const { return &slope_[at_ * nz_]; }
  const double* after() const { return &after_[at_ * nc_]; }
  const double* before(int point) const {
    return &before_[(at_ * points_ + static_cast<std::size_t>(point)) * nc_];
  }
  const double* drift() const { return &drift_[2 * at_]; }

  long steps() const { return steps_; }
  /// After false: s of the first iterate that was not finite.
  int failed_iterate() const { return failed_; }
  const SkewedIterates& lanes() const { return *lanes_; }

 private:
  void run(int ticks);
  LaneSteps out();
  bool finite_here();

  std::unique_ptr<SkewedIterates> lanes_;
  int iterates_;
  FixedSteps nodes_;
  std::function<void(double t, double* y)> y_0_;
  bool watches_;
  std::vector<double> point_;  ///< Of a step, in units of h.
  std::size_t points_, nz_, nc_;
  std::vector<double> times_, given_, x_, slope_, after_, before_, drift_;
  std::size_t at_ = 0, ready_ = 0;  ///< Of the block.
  long steps_ = 0, ticks_ = 0;
  int failed_ = 0;
};

}  // namespace daewave::ivp
