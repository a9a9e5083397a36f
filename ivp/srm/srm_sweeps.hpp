#pragma once
// All iterates of a sequential regularization, sweep by sweep: for iterates { for steps }. Keeps
// the waveform of y at the points of every step; the same functions advance a step as in the
// step-local order, and the bits are the same.

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "ivp/srm/srm_step.hpp"

namespace daewave::ivp {

/// Steps of given lengths. Memory: (steps + 1) (x, slope) and the y of the points, twice.
///
/// @tparam Iterate  one iterate by some formula, such as ExplicitSweep: how it starts and advances,
///                  and at which points of a step it wants y_{s-1} and gives y_s.
template <class Iterate>
class IterateSweeps {
 public:
  using Ode = typename Iterate::Ode;
  using State = typename Ode::State;
  using Carried = typename Ode::Carried;

  IterateSweeps(Iterate iterate, InitialIterate<Carried> y_0)
      : iterate_(std::move(iterate)), y_0_(std::move(y_0)) {}

  /// Runs `iterates` sweeps from (t, x) over `steps`; false where something is not finite or cannot
  /// be evaluated, and failure() tells what: the results are those of the sweep before.
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
  const IterateState<Ode>& at(int i) const { return states_[static_cast<std::size_t>(i)]; }
  int count() const { return static_cast<int>(states_.size()); }
  const std::string& failure() const { return failure_; }
  long evaluations() const { return iterate_.evaluations(); }

 private:
  /// The waveform of y_0.
  void prepare(double t, const State& x, const std::vector<double>& steps) {
    const std::vector<double>& points = iterate_.points();
    const Carried none = iterate_.none(x, t);
    states_.assign(steps.size() + 1, IterateState<Ode>{x, x, none});
    next_ = states_;
    steps_ = steps;
    t_.assign(1, t);
    wave_.assign(steps.size() * points.size(), none);
    new_wave_ = wave_;
    start_ = none;
    if (y_0_) y_0_(t, start_);
    for (std::size_t i = 0; i < steps.size(); ++i) {
      for (std::size_t j = 0; j < points.size() && y_0_; ++j) {
        y_0_(t_[i] + points[j] * steps[i], wave_[i * points.size() + j]);
      }
      t_.push_back(t_[i] + steps[i]);
    }
  }

  bool sweep(const State& x) {
    const std::size_t points = iterate_.points().size();
    if (!iterate_.start(t_[0], x, start_, next_[0])) return false;
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      const Carried& left = i == 0 ? start_ : wave_[i * points - 1];
      if (!iterate_.advance(t_[i], steps_[i], next_[i], left, &wave_[i * points], next_[i + 1],
                            &new_wave_[i * points])) {
        return false;
      }
    }
    start_ = next_[0].carried;
    wave_.swap(new_wave_);
    return true;
  }

  Iterate iterate_;
  InitialIterate<Carried> y_0_;
  std::vector<double> steps_, t_;
  std::vector<IterateState<Ode>> states_, next_;
  std::vector<Carried> wave_, new_wave_;  ///< y_{s-1} and y_s at the points of all steps.
  Carried start_;                         ///< y_{s-1} at the begin.
  std::string failure_;
};

/// One iterate by an explicit formula.
template <RegularizedOde R>
class ExplicitSweep : public SrmIterate<R> {
 public:
  using Ode = R;
  using SrmIterate<R>::SrmIterate;

  const std::vector<double>& points() const { return this->abscissae(); }
  bool advance(double t, double h, const IterateState<R>& from, const typename R::Carried& /*left*/,
               const typename R::Carried* before, IterateState<R>& to, typename R::Carried* after) {
    return SrmIterate<R>::advance(t, h, from, before, to, after);
  }
};

template <RegularizedOde R>
class SrmSweeps : public IterateSweeps<ExplicitSweep<R>> {
 public:
  SrmSweeps(R ode, const ExplicitTableau& formula, InitialIterate<typename R::Carried> y_0 = {})
      : IterateSweeps<ExplicitSweep<R>>({std::move(ode), formula}, std::move(y_0)) {}
};

}  // namespace daewave::ivp
