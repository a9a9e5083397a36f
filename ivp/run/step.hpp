#pragma once
// The two seams of the time loop.
//
//   OdeSystem   an ordinary problem z' = rhs(t, z), and what is done to z after a step
//   Step        one step of whatever is integrated: all that the time loop (integrate.hpp) sees
//
// A Runge-Kutta step takes an OdeSystem; the step of a sequential regularization advances all its
// iterates; a multistep formula keeps its past. None of them knows of step control, output, events.

#include <concepts>
#include <string>

namespace daewave::ivp {

/// How far a state is off its constraints, max norm.
struct Drift {
  double position = 0;
  double velocity = 0;
};

/// Objects hold the memory of an evaluation: one for each thread.
template <class S>
concept OdeSystem = requires(S& system, const S& same, double t, typename S::State& z,
                             const typename S::State& at, typename S::State& slope,
                             typename S::Multiplier& multiplier) {
  /// slope = z'; false where it cannot be evaluated, and failure() tells why.
  { system.rhs(t, at, slope) } -> std::same_as<bool>;
  /// Brings the end of a step back to the constraints and mends `slope`, which is rhs(t, z) on
  /// entry and is used as the first slope of the next step. Called directly after rhs(t, z), whose
  /// factorization it may use. False as above.
  { system.after_step(t, z, slope) } -> std::same_as<bool>;
  /// True when after_step() changes anything.
  { same.stabilizes() } -> std::same_as<bool>;
  { system.multiplier(t, at, multiplier) } -> std::same_as<bool>;
  { system.drift(t, at) } -> std::same_as<Drift>;
  { same.failure() } -> std::convertible_to<std::string>;
};

template <class S>
concept Step = requires(S& step, const S& same, double t, double h, double theta,
                        const typename S::State& start, typename S::State& out,
                        typename S::Carried& carried) {
  /// Begins at (t, start). False where the problem cannot be evaluated there.
  { step.start(t, start) } -> std::same_as<bool>;
  /// Tries a step of h from t(). Returns the local error in units of the tolerance (1: just
  /// accepted), 0 where nothing estimates it, NaN where something is not finite or cannot be
  /// evaluated: then the state is unchanged and failure() tells why.
  { step.attempt(h) } -> std::same_as<double>;
  /// Takes what was tried: t() and state() move on, stabilized. False as for start(); where t() has
  /// not moved then, a shorter step may be tried.
  { step.accept() } -> std::same_as<bool>;
  { same.t() } -> std::same_as<double>;
  { same.state() } -> std::same_as<const typename S::State&>;
  /// The state at t() - (1 - theta) h of the step last accepted, theta in [0, 1].
  {same.interpolate(theta, out)};
  /// Multiplier, or what is carried, at t().
  { step.multiplier(carried) } -> std::same_as<bool>;
  { step.drift() } -> std::same_as<Drift>;
  /// h^(order + 1) is the order of what attempt() returns; 0 where nothing estimates it.
  { same.error_order() } -> std::same_as<int>;
  { same.failure() } -> std::convertible_to<std::string>;
  { same.evaluations() } -> std::convertible_to<long>;
};

/// All iterates of a sequential regularization at once, s = 1..iterates().
template <class S>
concept TellsDriftOfIterates = requires(S& step, int s) {
  { step.iterates() } -> std::convertible_to<int>;
  { step.drift_of(s) } -> std::same_as<Drift>;
};

/// A formula with a past, which chooses the length of its next step itself, after a step that was
/// accepted as after one that was not; > 0.
template <class S>
concept ChoosesLength = Step<S> && requires(const S& same) {
  { same.next_length() } -> std::same_as<double>;
};

}  // namespace daewave::ivp
