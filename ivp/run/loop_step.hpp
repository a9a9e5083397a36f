#pragma once
// A step as the time loop sees it: the concept `Step` of step.hpp through virtual functions, of
// which a step calls a few. The loop, with output, events and reports, is compiled once; what a
// step costs stays in its template.

#include <cstddef>
#include <string>
#include <vector>

#include "core/not_finite.hpp"
#include "core/types.hpp"
#include "ivp/run/monitors.hpp"
#include "ivp/run/step.hpp"
#include "ivp/run/step_control.hpp"

namespace daewave::ivp {

/// What a `Step` and its monitors offer; nothing here allocates after the first call.
class LoopStep {
 public:
  virtual ~LoopStep() = default;

  /// From (t, z0), z0 being the state the run was given.
  virtual bool start(double t) = 0;
  virtual double attempt(double h) = 0;
  virtual bool accept() = 0;
  virtual double t() const = 0;
  virtual std::size_t size() const = 0;  ///< Of the state.
  virtual const double* state() const = 0;
  virtual void interpolate(double theta, VecX& out) = 0;
  virtual bool multiplier(VecX& carried) = 0;
  virtual bool knows_multiplier_between() const = 0;
  /// At a state inside of the step last accepted; only where that is known.
  virtual bool multiplier_at(double t, const VecX& z, VecX& carried) = 0;

  virtual int error_order() const = 0;
  virtual int dense_degree() const = 0;
  virtual Control control() const = 0;
  /// A step to begin with, of the direction `sign`; its size.
  virtual double first_step(double sign, double most) = 0;
  virtual bool chooses_length() const = 0;
  virtual double next_length() const = 0;  ///< Only where it chooses.

  virtual bool watches_drift() const = 0;
  virtual Drift drift() = 0;
  /// The larger of position and velocity, of each iterate where there are several; else empty.
  virtual void drift_of_iterates(std::vector<double>& drifts) = 0;
  virtual bool watches_energy() const = 0;
  virtual double energy(double t) = 0;
  virtual bool second_order() const = 0;
  virtual bool carries_By() const = 0;

  virtual std::string failure() const = 0;
  virtual long evaluations() const = 0;
};

/// The step can also tell the multiplier between the ends of the step last accepted.
template <class S>
concept HasMultiplierAt = requires(S& step, double t, const typename S::State& z,
                                   typename S::Carried& carried) {
  { step.multiplier_at(t, z, carried) } -> std::same_as<bool>;
};

template <Step S>
class LoopStepOf final : public LoopStep {
 public:
  using State = typename S::State;

  /// All are kept by reference.
  LoopStepOf(S& step, const State& z0, const Monitors<State>& monitors)
      : step_(step), z0_(z0), monitors_(monitors) {}

  bool start(double t) override {
    at_ = z0_;
    return step_.start(t, z0_);
  }
  double attempt(double h) override { return step_.attempt(h); }
  bool accept() override { return step_.accept(); }
  double t() const override { return step_.t(); }
  std::size_t size() const override { return static_cast<std::size_t>(z0_.size()); }
  const double* state() const override { return step_.state().data(); }
  void interpolate(double theta, VecX& out) override {
    step_.interpolate(theta, at_);
    out = at_;
  }

  bool multiplier(VecX& carried) override {
    const bool known = step_.multiplier(carried_);
    carried = carried_;
    return known;
  }
  bool knows_multiplier_between() const override { return HasMultiplierAt<S>; }
  bool multiplier_at(double t, const VecX& z, VecX& carried) override {
    bool known = false;
    if constexpr (HasMultiplierAt<S>) {
      at_ = z;
      known = step_.multiplier_at(t, at_, carried_);
    }
    carried = carried_;
    return known;
  }

  int error_order() const override { return step_.error_order(); }
  int dense_degree() const override {
    if constexpr (requires { step_.dense_degree(); }) return step_.dense_degree();
    return 5;
  }
  Control control() const override {
    if constexpr (requires { step_.control(); }) return step_.control();
    return {};
  }
  double first_step(double sign, double most) override {
    if constexpr (requires { step_.first_step(sign, most); }) {
      const double h = step_.first_step(sign, most);
      return h < 0 ? -h : h;
    }
    return 1e-4 * most;
  }
  bool chooses_length() const override { return ChoosesLength<S>; }
  double next_length() const override {
    if constexpr (ChoosesLength<S>) return step_.next_length();
    return 0;
  }

  bool watches_drift() const override { return monitors_.drift; }
  Drift drift() override { return step_.drift(); }
  void drift_of_iterates(std::vector<double>& drifts) override {
    drifts.clear();
    if constexpr (TellsDriftOfIterates<S>) {
      for (int s = 1; s <= step_.iterates(); ++s) {
        const Drift drift = step_.drift_of(s);
        drifts.push_back(larger(drift.position, drift.velocity));
      }
    }
  }
  bool watches_energy() const override { return static_cast<bool>(monitors_.energy); }
  double energy(double t) override { return monitors_.energy(t, step_.state()); }
  bool second_order() const override { return monitors_.second_order; }
  bool carries_By() const override { return monitors_.carries_By; }

  std::string failure() const override { return step_.failure(); }
  long evaluations() const override { return step_.evaluations(); }

 private:
  S& step_;
  const State& z0_;
  const Monitors<State>& monitors_;
  State at_;
  typename S::Carried carried_;
};

}  // namespace daewave::ivp
