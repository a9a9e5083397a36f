#pragma once
// All iterates of a sequential regularization by collocation, step by step: iterate s needs y_{s-1}
// at the stages of the same step only, so that storage does not depend on the horizon.
//                                                                            [AL1] 4.2, [AL2]

#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "ivp/run/lagrange.hpp"
#include "ivp/run/step.hpp"
#include "ivp/srm/srm_collocation_iterate.hpp"
#include "ivp/srm/srm_step.hpp"

namespace daewave::ivp {

/// A `Step`; its state is that of the last iterate. Of order 2k - 1 (Radau) or 2k (Gauss) in x for
/// h << epsilon; for h >> epsilon that of the formula for a DAE, k for Radau.
///
/// The local error is the largest of all iterates; an odd number of stages has one.
template <RegularizedOde R>
class SrmCollocationStep {
 public:
  using State = typename R::State;
  using Carried = typename R::Carried;

  /// @param iterates  >= 1.  @param ny  entries of what is carried.
  /// @param estimate  false for a fixed step: attempt() returns 0. Stages are solved to rounding
  ///                  in both cases.
  SrmCollocationStep(R ode, const Collocation& scheme, int iterates, int ny,
                     InitialIterate<Carried> y_0 = {}, const Tolerance& tolerance = {},
                     bool estimate = false)
      : ode_(std::move(ode)),
        y_0_(std::move(y_0)),
        tolerance_(tolerance),
        scheme_(stage_transform(scheme)),
        accuracy_(solved_to_rounding(accuracy_of(scheme, tolerance, estimate))),
        nodes_(static_cast<std::size_t>(iterates)) {
    iterates_.reserve(nodes_.size());
    for (int s = 0; s < iterates; ++s) iterates_.emplace_back(scheme_, accuracy_);
    left_.setZero(ny);
    const int points = SrmCollocationIterate<R>::points(scheme_);
    for (auto& wave : waves_) wave.assign(static_cast<std::size_t>(points), left_);
    nodes_of_y_ = {0, 1};
    for (int j = 0; j < points - 1; ++j) nodes_of_y_.push_back(scheme_.c[j]);
    inside_.assign(static_cast<std::size_t>(points - 1), left_);
  }

  bool start(double t, const State& x) {
    t_ = t;
    if (!follows_) initial(t, left_);
    for (std::size_t s = 0; s < nodes_.size(); ++s) {
      failed_at_ = static_cast<int>(s) + 1;
      IterateState<R>& at = nodes_[s][now_];
      if (!iterates_[s].start(ode_, t, x, left_of(s), at)) return false;
      nodes_[s][1 - now_] = at;
    }
    return true;
  }

  double attempt(double h) {
    trial_h_ = h;
    int wave = 0;
    inside_known_ = false;
    at_end_ = true;
    more_failure_.clear();
    fill_first_wave(h);
    double error = 0;
    for (std::size_t s = 0; s < nodes_.size(); ++s) {
      const IterateState<R>& from = nodes_[s][now_];
      IterateState<R>& to = nodes_[s][1 - now_];
      Carried* after = s + 1 == nodes_.size() ? leaves_ : waves_[1 - wave].data();
      if (!iterates_[s].advance(ode_, tolerance_, t_, h, from, left_of(s), waves_[wave].data(), to,
                                after)) {
        failed_at_ = static_cast<int>(s) + 1;
        return accuracy_.estimates && iterates_[s].diverged()
                   ? accuracy_.not_converged
                   : std::numeric_limits<double>::quiet_NaN();
      }
      if (accuracy_.estimates) {
        const double of_iterate = iterates_[s].error(ode_, tolerance_, t_, h, from, left_of(s), to);
        // An estimate that is not a number must not be lost in the comparison.
        if (!(of_iterate <= error)) error = of_iterate;
        if (!(error <= 1)) return error;
      }
      before_last_ = wave;
      wave = 1 - wave;
    }
    return error;
  }

  bool accept() {
    for (auto& iterate : iterates_) iterate.accept(trial_h_);
    now_ = 1 - now_;
    t_ += trial_h_;
    h_ = trial_h_;
    if (follows_) left_ = end_;
    return true;
  }

  /// What Newton's method of iterate s = 1, 2, ... goes on with.
  VecX kept(int s) const { return iterates_[static_cast<std::size_t>(s - 1)].kept(); }
  /// As SrmStep's, for a fixed step.
  void restore(int s, const IterateCheckpoint& from) {
    IterateState<R>& at = nodes_[static_cast<std::size_t>(s - 1)][now_];
    at.x = from.x;
    at.slope = from.slope;
    at.carried = from.carried;
    iterates_[static_cast<std::size_t>(s - 1)].take_up(from.kept);
  }
  void restore_time(double t) { t_ = t; }

  // Iterates shared out among several steps: as in SrmStep.
  int points() const { return SrmCollocationIterate<R>::points(scheme_); }
  void follow_from(const Carried& y, int before) {
    follows_ = true;
    left_ = y;
    number_ = before;
  }
  void follow(const Carried* wave) { given_ = wave; }
  void leave(Carried* wave) { leaves_ = wave; }

  double t() const { return t_; }
  const State& state() const { return nodes_.back()[now_].x; }
  const State& slope() const { return nodes_.back()[now_].slope; }
  /// Iterate s = 1, 2, ... at t().
  const IterateState<R>& iterate(int s) const {
    return nodes_[static_cast<std::size_t>(s - 1)][now_];
  }
  int iterates() const { return static_cast<int>(nodes_.size()); }

  /// The collocation polynomial of the last iterate.
  void interpolate(double theta, State& out) const {
    iterates_.back().interpolate(theta, out);
    out += nodes_.back()[1 - now_].x;
  }
  int dense_degree() const { return scheme_.stages; }

  bool multiplier(Carried& carried) const {
    carried = nodes_.back()[now_].carried;
    return true;
  }

  /// Between the ends of the step last accepted: the polynomial through y at its begin, its stages
  /// and its end, O(h^(k+1)). Away from the stages the collocation polynomial of x is not as close
  /// to the constraints, and 1/epsilon would enlarge that.
  bool multiplier_at(double t, const State&, Carried& carried) {
    if (!inside_known_ && !find_inside()) return false;
    inside_known_ = true;
    const double theta = 1 - (t_ - t) / h_;
    carried = lagrange(nodes_of_y_, 0, theta) * nodes_.back()[1 - now_].carried;
    carried += lagrange(nodes_of_y_, 1, theta) * nodes_.back()[now_].carried;
    for (std::size_t j = 0; j < inside_.size(); ++j) {
      carried += lagrange(nodes_of_y_, j + 2, theta) * inside_[j];
    }
    return true;
  }

  /// Where the equation tells its residuals. One evaluation with error control, and where
  /// multiplier_at() came between; without it the end of the step was evaluated last.
  Drift drift() {
    Drift drift;
    if constexpr (requires { ode_.residuals(drift.position, drift.velocity); }) {
      if (accuracy_.estimates || !at_end_) {
        if (!follows_) initial(t_, left_);
        scratch_ = nodes_.back()[now_];
        ++more_evaluations_;
        ode_.evaluate(state(), t_, left_of(nodes_.size() - 1), scratch_.slope, scratch_.carried);
      }
      ode_.residuals(drift.position, drift.velocity);
    }
    return drift;
  }

  int error_order() const { return accuracy_.estimates ? scheme_.stages : 0; }
  Control control() const { return collocation_control(); }
  /// Names the iterate, the equation and the time.
  std::string failure() const {
    if (!more_failure_.empty()) return more_failure_;
    return "iterate " + std::to_string(number_ + failed_at_) + ": " +
           iterates_[static_cast<std::size_t>(failed_at_ - 1)].failure();
  }
  long evaluations() const {
    long sum = more_evaluations_;
    for (const auto& iterate : iterates_) sum += iterate.evaluations();
    return sum;
  }
  const R& ode() const { return ode_; }
  /// Of iterate s = 1, 2, ...
  const StageNewton& newton(int s) const {
    return iterates_[static_cast<std::size_t>(s - 1)].newton();
  }

 private:
  /// Stages are always solved to rounding: what is left of them is divided by epsilon in y, and the
  /// first changes of a stiff iteration tell little of it. B G / epsilon turns with x: one Jacobian
  /// for the step would ask for h^2 < epsilon.
  static CollocationAccuracy solved_to_rounding(CollocationAccuracy accuracy) {
    accuracy.goal = {};
    accuracy.goal.filters = accuracy.estimates;
    return accuracy;
  }

  void initial(double t, Carried& y) const {
    if (y_0_) {
      y_0_(t, y);
    } else {
      y.setZero();
    }
  }

  void fill_first_wave(double h) {
    if (follows_) {
      std::copy_n(given_, waves_[0].size(), waves_[0].begin());
      end_ = waves_[0].back();
      return;
    }
    initial(t_, left_);
    for (int j = 0; j < scheme_.stages; ++j) initial(t_ + scheme_.c[j] * h, waves_[0][j]);
    if (!scheme_.ends_at_node) initial(t_ + h, waves_[0].back());
  }

  /// y of the last iterate at the stages inside of the step last accepted.
  bool find_inside() {
    scratch_ = nodes_.back()[now_];
    at_end_ = false;
    for (std::size_t j = 0; j < inside_.size(); ++j) {
      const double c = scheme_.c[j];
      interpolate(c, scratch_.x);
      ++more_evaluations_;
      if (!ode_.evaluate(scratch_.x, t_ - (1 - c) * h_, waves_[before_last_][j], scratch_.slope,
                         inside_[j])) {
        more_failure_ = ode_.failure();
        return false;
      }
    }
    return true;
  }

  /// y_{s-1}(t()) of iterate number s + 1; left_ must be y_0.
  const Carried& left_of(std::size_t s) const {
    return s == 0 ? left_ : nodes_[s - 1][now_].carried;
  }

  R ode_;
  InitialIterate<Carried> y_0_;
  Tolerance tolerance_;
  StageTransform scheme_;
  CollocationAccuracy accuracy_;
  std::vector<SrmCollocationIterate<R>> iterates_;
  std::vector<std::array<IterateState<R>, 2>> nodes_;  ///< At t() and the end of the trial.
  std::array<std::vector<Carried>, 2> waves_;          ///< y_{s-1} and y_s at the points of a step.
  Carried left_;                                       ///< y_0, or what it follows, at t().
  bool follows_ = false;                               ///< y_{s-1} of the first iterate is given.
  const Carried* given_ = nullptr;                     ///< At the points of the step tried next.
  Carried* leaves_ = nullptr;
  Carried end_;  ///< Given, at the end of the step tried last.
  IterateState<R> scratch_;
  int number_ = 0;  ///< Iterates before the first one here.
  int now_ = 0;
  int failed_at_ = 1;
  double t_ = 0, h_ = 0, trial_h_ = 0;
  long more_evaluations_ = 0;
  int before_last_ = 0;             ///< Of the two waves, y_{m-1} of the last iterate m.
  std::vector<double> nodes_of_y_;  ///< 0, 1 and the stages inside, in units of h.
  std::vector<Carried> inside_;     ///< y_m at those stages.
  bool inside_known_ = false;
  bool at_end_ = true;  ///< The equation was last evaluated at the end of the step.
  std::string more_failure_;
};

}  // namespace daewave::ivp
