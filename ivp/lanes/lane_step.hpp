#pragma once
// All iterates of a sequential regularization in lanes, as a `Step` of the time loop with h fixed.
// What cannot be done in lanes (multipliers between the ends of a step, states in which G has lost
// rank) is done by the same problem of doubles.

#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/not_finite.hpp"
#include "ivp/lanes/lane_feed.hpp"
#include "ivp/run/lagrange.hpp"
#include "ivp/srm/srm_step.hpp"

namespace daewave::ivp {

/// @tparam R  the regularized problem of doubles.
template <RegularizedOde R>
class LaneStep {
 public:
  using State = typename R::State;
  using Carried = typename R::Carried;

  /// @param ode   its memory is that of the rescue of `feed`.
  LaneStep(std::shared_ptr<R> ode, LaneFeed feed, const LaneFormula& formula, int iterates)
      : ode_(std::move(ode)), feed_(std::move(feed)), iterates_(iterates) {
    of_step_ = evaluations_of_step(formula);
    points_.assign(1, 0);
    points_.insert(points_.end(), formula.point, formula.point + formula.points);
  }

  /// A LaneRescue by a problem of doubles.
  static LaneRescue rescue(R& ode) {
    return {[](void* who, int, const double* x, double t, const double* before, double* slope,
               double* carried) {
              R& one = *static_cast<R*>(who);
              const State at = Eigen::Map<const State>(x);
              const Carried given = Eigen::Map<const Carried>(before);
              State rate;
              Carried left;
              if (!one.evaluate(at, t, given, rate, left)) return false;
              Eigen::Map<State>{slope} = rate;
              Eigen::Map<Carried>{carried} = left;
              return true;
            },
            &ode};
  }

  bool start(double t, const State& x) {
    t_ = t;
    h_ = 0;
    const bool ok = feed_.start(x.data());
    take();
    state_before_ = state_;
    slope_before_ = slope_;
    left_ = Eigen::Map<const Carried>(feed_.before(0));
    return ok;
  }

  double attempt(double h) {
    trial_h_ = h;
    left_ = Eigen::Map<const Carried>(feed_.before(0));
    return feed_.next() ? 0 : std::numeric_limits<double>::quiet_NaN();
  }

  bool accept() {
    state_before_ = state_;
    slope_before_ = slope_;
    take();
    h_ = trial_h_;
    t_ += h_;
    return true;
  }

  double t() const { return t_; }
  const State& state() const { return state_; }
  /// The cubic of Hermite.
  void interpolate(double theta, State& out) const {
    const State change = state_ - state_before_;
    const State begin = h_ * slope_before_ - change, end = change - h_ * slope_ - begin;
    out = state_before_ + theta * (change + (1 - theta) * (begin + theta * end));
  }
  int dense_degree() const { return 3; }

  bool multiplier(Carried& carried) const {
    carried = carried_;
    return true;
  }
  /// At z, which is x interpolated, with y_{m-1} from the polynomial through what there is of it.
  bool multiplier_at(double t, const State& z, Carried& carried) {
    const double theta = 1 - (t_ - t) / h_;
    Carried before = lagrange(points_, 0, theta) * left_;
    for (std::size_t i = 1; i < points_.size(); ++i) {
      before += lagrange(points_, i, theta) *
                Eigen::Map<const Carried>(feed_.before(static_cast<int>(i) - 1));
    }
    ++between_;
    return ode_->evaluate(z, t, before, rate_, carried);
  }
  Drift drift() const { return {feed_.drift()[0], feed_.drift()[1]}; }

  int error_order() const { return 0; }
  /// Names the iterate and the time.
  std::string failure() const {
    return "iterate " + std::to_string(feed_.failed_iterate()) + ": " +
           failed_at_text("x or its slope is not finite after the step", t_);
  }
  long evaluations() const { return iterates_ * (1 + feed_.steps() * of_step_) + between_; }
  const R& ode() const { return *ode_; }
  const LaneFeed& feed() const { return feed_; }

 private:
  void take() {
    state_ = Eigen::Map<const State>(feed_.x());
    slope_ = Eigen::Map<const State>(feed_.slope());
    carried_ = Eigen::Map<const Carried>(feed_.after());
  }

  std::shared_ptr<R> ode_;
  LaneFeed feed_;
  int iterates_;
  long of_step_ = 0, between_ = 0;  ///< Evaluations of a step, and those of multiplier_at().
  std::vector<double> points_;  ///< Nodes of the polynomial of y_{m-1}: the begin, then the points.
  State state_, slope_, state_before_, slope_before_, rate_;
  Carried carried_, left_;
  double t_ = 0, h_ = 0, trial_h_ = 0;
};

}  // namespace daewave::ivp
