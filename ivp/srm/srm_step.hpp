#pragma once
// All iterates of a sequential regularization, step by step: for steps { for iterates }, so that
// storage does not depend on the horizon.                                     [AL1] 4.2, [AL2]
//
// Iterate s needs y_{s-1} at t and t + h, and at the abscissae between that the formula has; that
// is what one iterate hands to the next within a step. Every iterate keeps its own x from step to
// step.

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "core/not_finite.hpp"
#include "core/regularize/regularized_ode.hpp"
#include "core/report/checkpoint.hpp"
#include "ivp/run/lagrange.hpp"
#include "ivp/run/step.hpp"
#include "ivp/srm/srm_iterate.hpp"

namespace daewave::ivp {

/// y_0(t), or (B y)_0(t) where B y is carried; empty for zero.
template <class Carried>
using InitialIterate = std::function<void(double t, Carried& y)>;

/// A `Step`; its state is that of the last iterate.
///
/// The local error is the largest of all iterates: an error of x_{s-1} enters y_{s-1} divided by
/// epsilon and x_s multiplied by it again, so that no iterate mends what one before it lost.
template <RegularizedOde R>
class SrmStep {
 public:
  using State = typename R::State;
  using Carried = typename R::Carried;

  /// @param iterates  >= 1.
  /// @param estimate  false saves the estimation of errors: attempt() returns 0.
  SrmStep(R ode, const ExplicitTableau& formula, int iterates, InitialIterate<Carried> y_0 = {},
          const Tolerance& tolerance = {}, bool estimate = false)
      : iterate_(std::move(ode), formula),
        formula_(&formula),
        y_0_(std::move(y_0)),
        tolerance_(tolerance),
        estimates_(estimate && !formula.error.empty()),
        points_(static_cast<std::size_t>(iterates)) {
    for (auto& wave : waves_) wave.resize(iterate_.abscissae().size());
    choose_nodes();
  }

  bool start(double t, const State& x) {
    t_ = t;
    h_ = 0;
    wave_ = 0;
    for (auto& wave : waves_) std::fill(wave.begin(), wave.end(), iterate_.none(x, t));
    if (follows_) {
      waves_[0][0] = before_;
    } else {
      initial(t, waves_[0][0]);
    }
    between_ = left_ = waves_[0][0];
    for (std::size_t s = 0; s < points_.size(); ++s) {
      IterateState<R>& at = points_[s][now_];
      failed_at_ = static_cast<int>(s) + 1;
      if (!iterate_.start(t, x, waves_[wave_][0], at)) return false;
      points_[s][1 - now_] = at;
      if (s + 1 == points_.size()) break;
      wave_ = 1 - wave_;
      waves_[wave_][0] = at.carried;
    }
    ready_ = false;
    return true;
  }

  double attempt(double h) {
    ready_ = false;
    trial_h_ = h;
    wave_ = 0;
    fill_first_wave(h);
    double error = 0;
    for (std::size_t s = 0; s < points_.size(); ++s) {
      const IterateState<R>& from = points_[s][now_];
      IterateState<R>& to = points_[s][1 - now_];
      const bool last = s + 1 == points_.size();
      const Carried* before = waves_[wave_].data();
      Carried* after = last ? leaves_ : waves_[1 - wave_].data();
      if (!iterate_.advance(t_, h, from, before, to, after)) {
        failed_at_ = static_cast<int>(s) + 1;
        return std::numeric_limits<double>::quiet_NaN();
      }
      if (estimates_) {
        error = larger(error, iterate_.error(h, tolerance_, from.x, to.x));
      }
      if (!last) wave_ = 1 - wave_;
    }
    return error;
  }

  bool accept() {
    now_ = 1 - now_;
    t_ += trial_h_;
    h_ = trial_h_;
    if (follows_) before_ = end_;
    return true;
  }

  /// After start(): brings iterate s = 1, 2, ... to where a run before had it, and all to t.
  void restore(int s, const IterateCheckpoint& from) {
    IterateState<R>& at = points_[static_cast<std::size_t>(s - 1)][now_];
    at.x = from.x;
    at.slope = from.slope;
    at.carried = from.carried;
  }
  void restore_time(double t) { t_ = t; }

  // Where the iterates of a run are shared out among several of these steps, the first iterate of
  // one follows the last iterate of another.

  /// Values of y that a step wants from the one before, and leaves for the next.
  int points() const { return static_cast<int>(iterate_.abscissae().size()); }
  /// Call before start(): y_{s-1} there, and s - 1, of the first iterate s here.
  void follow_from(const Carried& y, int before) {
    follows_ = true;
    before_ = y;
    number_ = before;
  }
  /// Call before each attempt(): y_{s-1} at the points of that step, which it copies.
  void follow(const Carried* wave) { given_ = wave; }
  /// Call before attempt(): where the last iterate is to put its y; null for nowhere, as at first.
  void leave(Carried* wave) { leaves_ = wave; }

  double t() const { return t_; }
  const State& state() const { return points_.back()[now_].x; }
  const State& slope() const { return points_.back()[now_].slope; }
  /// Iterate s = 1, 2, ... at t().
  const IterateState<R>& iterate(int s) const {
    return points_[static_cast<std::size_t>(s - 1)][now_];
  }
  int iterates() const { return static_cast<int>(points_.size()); }

  void interpolate(double theta, State& out) const {
    const auto& last = points_.back();
    if (!ready_) iterate_.ready(t_ - h_, h_, last[1 - now_], waves_[wave_].data(), last[now_]);
    ready_ = true;
    iterate_.interpolate(theta, out);
  }

  bool multiplier(Carried& carried) const {
    carried = points_.back()[now_].carried;
    return true;
  }
  /// Between the ends of the step last accepted: formed at z, which is x interpolated, as at the
  /// ends. Its y_{s-1} is that of a polynomial through the ends and up to two abscissae inside:
  /// O(h^2) where the formula has none, O(h^4) for dopri5 and dop853, and what interpolation of x
  /// leaves, divided by epsilon.
  bool multiplier_at(double t, const State& z, Carried& carried) {
    before_at(t);
    carried = between_;
    failed_at_ = iterates();
    return iterate_.carried_at(t, z, between_, carried);
  }
  Drift drift() {
    Drift drift;
    iterate_.residuals(t_, points_.back()[now_], waves_[wave_][0], drift.position, drift.velocity);
    return drift;
  }

  /// Of iterate s, 1..iterates(), as far as it has come.
  Drift drift_of(int s) {
    Drift drift;
    iterate_.residuals_of(t_, points_[static_cast<std::size_t>(s - 1)][now_], waves_[wave_][0],
                          drift.position, drift.velocity);
    return drift;
  }

  int error_order() const { return estimates_ ? formula_->error_order : 0; }
  const Control& control() const { return formula_->control; }
  /// Names the iterate, the equation and the time.
  std::string failure() const {
    return "iterate " + std::to_string(number_ + failed_at_) + ": " + iterate_.failure();
  }
  long evaluations() const { return iterate_.evaluations(); }
  const R& ode() const { return iterate_.ode(); }

 private:
  void initial(double t, Carried& y) const {
    if (y_0_) {
      y_0_(t, y);
    } else {
      y.setZero();
    }
  }

  void fill_first_wave(double h) {
    const std::vector<double>& abscissae = iterate_.abscissae();
    if (follows_) {
      left_ = before_;  // At t_; the end of this step becomes the begin of the next in accept().
      std::copy_n(given_, abscissae.size(), waves_[0].begin());
      end_ = waves_[0][0];
      return;
    }
    for (std::size_t i = 0; i < abscissae.size(); ++i) {
      initial(t_ + abscissae[i] * h, waves_[0][i]);
    }
  }

  /// The ends, then abscissae near the Chebyshev points 1/4 and 3/4: the more of them, and the
  /// closer to each other, the more the polynomial would enlarge what is not smooth in y.
  void choose_nodes() {
    const std::vector<double>& abscissae = iterate_.abscissae();
    nodes_ = {0, abscissae[0]};
    slots_ = {0};
    for (double wanted : {0.25, 0.75}) {
      std::size_t nearest = 0;
      for (std::size_t i = 1; i < abscissae.size(); ++i) {
        if (std::find(slots_.begin(), slots_.end(), i) != slots_.end()) continue;
        const bool nearer =
            nearest == 0 || std::abs(abscissae[i] - wanted) < std::abs(abscissae[nearest] - wanted);
        if (nearer) nearest = i;
      }
      if (nearest == 0) continue;
      slots_.push_back(nearest);
      nodes_.push_back(abscissae[nearest]);
    }
  }

  /// between_ = y_{m-1}(t) of the last iterate m.
  void before_at(double t) {
    const bool first = points_.size() == 1;
    if (first && !follows_) return initial(t, between_);
    const double theta = 1 - (t_ - t) / h_;
    const Carried& left = first ? left_ : points_[points_.size() - 2][1 - now_].carried;
    between_ = lagrange(nodes_, 0, theta) * left;
    for (std::size_t i = 0; i < slots_.size(); ++i) {
      between_ += lagrange(nodes_, i + 1, theta) * waves_[wave_][slots_[i]];
    }
  }

  mutable SrmIterate<R> iterate_;
  const ExplicitTableau* formula_;
  InitialIterate<Carried> y_0_;
  Tolerance tolerance_;
  bool estimates_;
  std::vector<std::array<IterateState<R>, 2>> points_;  ///< At t() and the end of the trial.
  std::array<std::vector<Carried>, 2> waves_;           ///< y_{s-1} and y_s at the abscissae.
  int wave_ = 0;                                        ///< Of the two, y_{m-1} of the last.
  std::vector<double> nodes_;                           ///< Of the polynomial of y_{m-1}.
  std::vector<std::size_t> slots_;                      ///< Of its nodes but the first, in a wave.
  Carried between_;
  bool follows_ = false;            ///< y_{s-1} of the first iterate is given.
  const Carried* given_ = nullptr;  ///< At the points of the step tried next.
  Carried* leaves_ = nullptr;
  Carried before_, left_, end_;  ///< Given: at t(), and at the ends of the step tried last.
  int number_ = 0;               ///< Iterates before the first one here.
  int now_ = 0;
  int failed_at_ = 1;
  double t_ = 0, h_ = 0, trial_h_ = 0;
  mutable bool ready_ = false;
};

}  // namespace daewave::ivp
