#pragma once
// All iterates of a sequential regularization, sweep by sweep: for iterates { for steps }. Keeps
// the waveform of y at the abscissae of every step; the same function advances a step as in
// srm_step.hpp, and the bits are the same.

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "ivp/srm_step.hpp"

namespace daewave::ivp {

/// Steps of given lengths. Memory: (steps + 1) (x, slope) and the y of the abscissae.
template <RegularizedOde R>
class SrmSweeps {
 public:
  using State = typename R::State;
  using Carried = typename R::Carried;

  SrmSweeps(R ode, const ExplicitTableau& formula, InitialIterate<Carried> y_0 = {})
      : iterate_(std::move(ode), formula), y_0_(std::move(y_0)) {}

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
  const IterateState<R>& at(int i) const { return states_[static_cast<std::size_t>(i)]; }
  int count() const { return static_cast<int>(states_.size()); }
  const std::string& failure() const { return failure_; }
  long evaluations() const { return iterate_.evaluations(); }

 private:
  /// The waveform of y_0.
  void prepare(double t, const State& x, const std::vector<double>& steps) {
    const std::vector<double>& abscissae = iterate_.abscissae();
    const Carried none = iterate_.none(x, t);
    wanted_ = abscissae.size();
    states_.assign(steps.size() + 1, IterateState<R>{x, x, none});
    next_ = states_;
    steps_ = steps;
    t_.assign(1, t);
    wave_.assign(steps.size() * wanted_, none);
    new_wave_ = wave_;
    start_ = none;
    if (y_0_) y_0_(t, start_);
    for (std::size_t i = 0; i < steps.size(); ++i) {
      for (std::size_t j = 0; j < wanted_ && y_0_; ++j) {
        y_0_(t_[i] + abscissae[j] * steps[i], wave_[i * wanted_ + j]);
      }
      t_.push_back(t_[i] + steps[i]);
    }
  }

  bool sweep(const State& x) {
    if (!iterate_.start(t_[0], x, start_, next_[0])) return false;
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      if (!iterate_.advance(t_[i], steps_[i], next_[i], &wave_[i * wanted_], next_[i + 1],
                            &new_wave_[i * wanted_])) {
        return false;
      }
    }
    start_ = next_[0].carried;
    wave_.swap(new_wave_);
    return true;
  }

  SrmIterate<R> iterate_;
  InitialIterate<Carried> y_0_;
  std::size_t wanted_ = 1;
  std::vector<double> steps_, t_;
  std::vector<IterateState<R>> states_, next_;
  std::vector<Carried> wave_, new_wave_;
  Carried start_;  ///< y_{s-1} at the begin.
  std::string failure_;
};

}  // namespace daewave::ivp
