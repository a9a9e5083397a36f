#pragma once
// All iterates of a sequential regularization in lanes, as a `Step` of the time loop with h fixed.
// What cannot be done in lanes (multipliers between the ends of a step, states in which G has lost
// rank) is done by the same problem of doubles.

#include <memory>
#include <string>
#include <vector>

#include "core/regularize/regularized_ode.hpp"
#include "ivp/lanes/lane_feed.hpp"
#include "ivp/run/step.hpp"

namespace daewave::ivp {

/// A problem of doubles, and what it takes to call it for a lane.
class LaneRescuer {
 public:
  explicit LaneRescuer(std::unique_ptr<RegularizedOde> ode);

  /// By reference.
  LaneRescue rescue();
  bool evaluate(const double* x, double t, const double* before, double* slope, double* carried);
  RegularizedOde& ode() const { return *ode_; }

 private:
  std::unique_ptr<RegularizedOde> ode_;
  VecX x_, before_, slope_, carried_;
};

class LaneStep final : public Step {
 public:
  /// @param rescuer  that of `feed`.
  LaneStep(std::shared_ptr<LaneRescuer> rescuer, LaneFeed feed, const LaneFormula& formula,
           int iterates);

  bool start(double t, const VecX& x) override;
  double attempt(double h) override;
  bool accept() override;

  double t() const override { return t_; }
  const VecX& state() const override { return state_; }
  /// The cubic of Hermite.
  void interpolate(double theta, VecX& out) override;
  int dense_degree() const override { return 3; }

  bool multiplier(VecX& carried) override;
  bool knows_multiplier_between() const override { return true; }
  /// At z, which is x interpolated, with y_{m-1} from the polynomial through what there is of it.
  bool multiplier_at(double t, const VecX& z, VecX& carried) override;
  Drift drift() override { return {feed_.drift()[0], feed_.drift()[1]}; }

  int error_order() const override { return 0; }
  /// Names the iterate and the time.
  std::string failure() const override;
  long evaluations() const override {
    return iterates_ * (1 + feed_.steps() * of_step_) + between_;
  }
  const RegularizedOde& ode() const { return rescuer_->ode(); }
  const LaneFeed& feed() const { return feed_; }

 private:
  Eigen::Map<const VecX> before(int point) const {
    return {feed_.before(point), rescuer_->ode().carried()};
  }
  void take();

  std::shared_ptr<LaneRescuer> rescuer_;
  LaneFeed feed_;
  int iterates_;
  long of_step_ = 0, between_ = 0;  ///< Evaluations of a step, and those of multiplier_at().
  std::vector<double> points_;  ///< Nodes of the polynomial of y_{m-1}: the begin, then the points.
  VecX state_, slope_, state_before_, slope_before_, rate_;
  VecX carried_, left_, before_;
  double t_ = 0, h_ = 0, trial_h_ = 0;
};

}  // namespace daewave::ivp
