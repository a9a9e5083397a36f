#pragma once
// All iterates of a sequential regularization by collocation, sweep by sweep: for iterates { for
// steps }. Keeps the waveform of y at the stages of every step; the same function advances a step
// as in srm_collocation_step.hpp, and the bits are the same.

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "ivp/srm_collocation_step.hpp"

namespace daewave::ivp {

/// Steps of given lengths. Memory: (steps + 1) (x, slope) and the y of the stages, twice.
template <RegularizedOde R>
class SrmCollocationSweeps {
 public:
  using State = typename R::State;
  using Carried = typename R::Carried;

  /// @param ny  entries of what is carried.
  SrmCollocationSweeps(R ode, const Collocation& scheme, int ny, InitialIterate<Carried> y_0 = {})
      : ode_(std::move(ode)),
        scheme_(stage_transform(scheme)),
        iterate_(scheme_, {}),
        points_(static_cast<std::size_t>(SrmCollocationIterate<R>::points(scheme_))),
        y_0_(std::move(y_0)),
        ny_(ny) {}

  /// Runs `iterates` sweeps from (t, x) over `steps`; false where one fails, and failure() tells
  /// what: the results are those of the sweep before.
  bool run(double t, const State& x, const std::vector<double>& steps, int iterates) {
    prepare(t, x, steps);
    for (int s = 1; s <= iterates; ++s) {
      if (!sweep(x)) {
        failure_ = "iterate " + std::to_string(s) + ": " + iterate_.failure();
        return false;
      }
      states_.swap(next_);
    }
    return true;
  }

  /// t, and x, slope and y of the last sweep, at node i.
  double t(int i) const { return t_[static_cast<std::size_t>(i)]; }
  const IterateState<R>& at(int i) const { return states_[static_cast<std::size_t>(i)]; }
  int count() const { return static_cast<int>(states_.size()); }
  const std::string& failure() const { return failure_; }
  long evaluations() const { return iterate_.evaluations(); }

 private:
  /// The waveform of y_0.
  void prepare(double t, const State& x, const std::vector<double>& steps) {
    Carried zero;
    zero.setZero(ny_);
    states_.assign(steps.size() + 1, IterateState<R>{x, x, zero});
    next_ = states_;
    steps_ = steps;
    t_.assign(1, t);
    wave_.assign(steps.size() * points_, zero);
    new_wave_ = wave_;
    start_ = zero;
    if (y_0_) y_0_(t, start_);
    for (std::size_t i = 0; i < steps.size(); ++i) {
      for (std::size_t j = 0; j < points_ && y_0_; ++j) {
        const bool stage = static_cast<int>(j) < scheme_.stages;
        y_0_(t_[i] + (stage ? scheme_.c[j] * steps[i] : steps[i]), wave_[i * points_ + j]);
      }
      t_.push_back(t_[i] + steps[i]);
    }
  }

  bool sweep(const State& x) {
    if (!iterate_.start(ode_, t_[0], x, start_, next_[0])) return false;
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      const Carried& left = i == 0 ? start_ : wave_[i * points_ - 1];
      if (!iterate_.advance(ode_, {}, t_[i], steps_[i], next_[i], left, &wave_[i * points_],
                            next_[i + 1], &new_wave_[i * points_])) {
        return false;
      }
      iterate_.accept(steps_[i]);
    }
    start_ = next_[0].carried;
    wave_.swap(new_wave_);
    return true;
  }

  R ode_;
  StageTransform scheme_;
  SrmCollocationIterate<R> iterate_;
  std::size_t points_;
  InitialIterate<Carried> y_0_;
  int ny_;
  std::vector<double> steps_, t_;
  std::vector<IterateState<R>> states_, next_;
  std::vector<Carried> wave_, new_wave_;  ///< y_{s-1} and y_s at the points of all steps.
  Carried start_;                         ///< y_{s-1} at the begin.
  std::string failure_;
};

}  // namespace daewave::ivp
