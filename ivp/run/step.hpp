#pragma once
// One step of whatever is integrated: all that the time loop sees of it. A Runge-Kutta step takes
// an OdeSystem; the step of a sequential regularization advances all its iterates; a multistep
// formula keeps its past. None of them knows of step control, output, events.

#include <limits>
#include <string>

#include "core/types.hpp"
#include "ivp/run/ode_system.hpp"
#include "ivp/run/step_control.hpp"

namespace daewave::ivp {

/// Nothing here allocates after the first step.
class Step {
 public:
  virtual ~Step() = default;

  /// Begins at (t, z). False where the problem cannot be evaluated there.
  virtual bool start(double t, const VecX& z) = 0;
  /// Tries a step of h from t(). Returns the local error in units of the tolerance (1: just
  /// accepted), 0 where nothing estimates it, NaN where something is not finite or cannot be
  /// evaluated: then the state is unchanged and failure() tells why.
  virtual double attempt(double h) = 0;
  /// The state at t() + theta h of the step last tried, theta in [0, 1]; false where it is not
  /// known before that is taken.
  virtual bool tried(double /*theta*/, VecX& /*out*/) { return false; }
  /// Takes what was tried: t() and state() move on, stabilized. False as for start(); where t() has
  /// not moved then, a shorter step may be tried.
  virtual bool accept() = 0;
  virtual double t() const = 0;
  virtual const VecX& state() const = 0;
  /// The state at t() - (1 - theta) h of the step last accepted, theta in [0, 1].
  virtual void interpolate(double theta, VecX& out) = 0;
  /// The first n entries of it at several places, from what is known without an evaluation, which
  /// may be less exact: entry i at place p is out[i * count + p].
  virtual void roughly(const double* theta, int count, int n, double* out) {
    VecX state;
    for (int p = 0; p < count; ++p) {
      interpolate(theta[p], state);
      for (int i = 0; i < n; ++i) out[i * count + p] = state[i];
    }
  }
  /// Of the polynomial of interpolate() in theta.
  virtual int dense_degree() const { return 5; }
  /// Of a polynomial that is as exact inside of that step as its end is; 0 where interpolate() is.
  virtual int solved_degree() const { return 0; }
  /// As interpolate(), but as exact as the end: by a step of its own from where that step began.
  /// Nothing of it stays for the next one. False where there is none, or it is not solved.
  virtual bool solve_inside(double /*theta*/, VecX& /*out*/) { return false; }
  /// The step last accepted is as long as several of other formulas: what events look at may come
  /// and go in it.
  virtual bool is_long() const { return false; }

  /// Multiplier, or what is carried, at t().
  virtual bool multiplier(VecX& carried) = 0;
  virtual bool knows_multiplier_between() const { return false; }
  /// At a state inside of the step last accepted; only where that is known.
  virtual bool multiplier_at(double /*t*/, const VecX& /*z*/, VecX& /*carried*/) { return false; }

  virtual Drift drift() = 0;
  /// Iterates of a sequential regularization that tells the drift of each; else none.
  virtual int iterates() const { return 0; }
  /// Of iterate s, 1..iterates().
  virtual Drift drift_of(int /*s*/) { return {}; }

  /// h^(order + 1) is the order of what attempt() returns; 0 where nothing estimates it.
  virtual int error_order() const = 0;
  /// Recommended: few rejected steps.
  virtual Control control() const { return {}; }
  /// A step to begin with, of the direction `sign`, |h| <= most.
  virtual double first_step(double sign, double most) { return sign * 1e-4 * most; }
  /// A formula with a past chooses the length of its next step itself, after a step that was
  /// accepted as after one that was not.
  virtual bool chooses_length() const { return false; }
  virtual double next_length() const { return 0; }  ///< > 0; only where it chooses.

  /// Why the run has to end where it is, asked after an attempt; empty: it goes on.
  virtual std::string ending() const { return {}; }

  /// What the last attempt() told is no error: its equations were not solved, as failure() says,
  /// and a shorter step may be.
  virtual bool unsolved() const { return false; }
  virtual std::string failure() const = 0;
  virtual long evaluations() const = 0;

 protected:
  /// Of a step that cannot be taken, for attempt().
  static constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
};

}  // namespace daewave::ivp
