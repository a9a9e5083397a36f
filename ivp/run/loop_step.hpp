#pragma once
// A step whose state has a type of its own as the `Step` that the time loop sees.

#include <concepts>
#include <string>

#include "core/not_finite.hpp"
#include "core/types.hpp"
#include "ivp/run/step.hpp"
#include "ivp/run/step_control.hpp"

namespace daewave::ivp {

/// The functions of `Step`, of a state and of what is carried in types of its own.
template <class S>
concept TypedStep = requires(S& step, const S& same, double t, double h, double theta,
                             const typename S::State& start, typename S::State& out,
                             typename S::Carried& carried) {
  { step.start(t, start) } -> std::same_as<bool>;
  { step.attempt(h) } -> std::same_as<double>;
  { step.accept() } -> std::same_as<bool>;
  { same.t() } -> std::same_as<double>;
  { same.state() } -> std::same_as<const typename S::State&>;
  {step.interpolate(theta, out)};
  { step.multiplier(carried) } -> std::same_as<bool>;
  { step.drift() } -> std::same_as<Drift>;
  { same.error_order() } -> std::same_as<int>;
  { same.failure() } -> std::convertible_to<std::string>;
  { same.evaluations() } -> std::convertible_to<long>;
}
&&!std::derived_from<S, Step>;

/// All iterates of a sequential regularization at once, s = 1..iterates().
template <class S>
concept TellsDriftOfIterates = requires(S& step, int s) {
  { step.iterates() } -> std::convertible_to<int>;
  { step.drift_of(s) } -> std::same_as<Drift>;
};

/// The step can also tell the multiplier between the ends of the step last accepted.
template <class S>
concept HasMultiplierAt = requires(S& step, double t, const typename S::State& z,
                                   typename S::Carried& carried) {
  { step.multiplier_at(t, z, carried) } -> std::same_as<bool>;
};

template <TypedStep S>
class LoopStepOf final : public Step {
 public:
  using State = typename S::State;

  /// Kept by reference.
  explicit LoopStepOf(S& step) : step_(step) {}

  bool start(double t, const VecX& z) override {
    at_ = z;
    state_ = z;
    return step_.start(t, at_);
  }
  double attempt(double h) override { return step_.attempt(h); }
  bool accept() override { return step_.accept(); }
  double t() const override { return step_.t(); }
  const VecX& state() const override { return state_ = step_.state(); }
  void interpolate(double theta, VecX& out) override {
    step_.interpolate(theta, at_);
    out = at_;
  }
  int dense_degree() const override {
    if constexpr (requires { step_.dense_degree(); }) return step_.dense_degree();
    return Step::dense_degree();
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

  Drift drift() override { return step_.drift(); }
  int iterates() const override {
    if constexpr (TellsDriftOfIterates<S>) return step_.iterates();
    return 0;
  }
  Drift drift_of(int s) override {
    if constexpr (TellsDriftOfIterates<S>) return step_.drift_of(s);
    return Step::drift_of(s);
  }

  int error_order() const override { return step_.error_order(); }
  Control control() const override {
    if constexpr (requires { step_.control(); }) return step_.control();
    return {};
  }
  double first_step(double sign, double most) override {
    if constexpr (requires { step_.first_step(sign, most); }) return step_.first_step(sign, most);
    return Step::first_step(sign, most);
  }

  std::string failure() const override { return step_.failure(); }
  long evaluations() const override { return step_.evaluations(); }

 private:
  S& step_;
  State at_;
  mutable VecX state_;
  typename S::Carried carried_;
};

}  // namespace daewave::ivp
