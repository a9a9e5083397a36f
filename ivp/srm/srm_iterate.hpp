#pragma once
// One iterate of a sequential regularization, by whatever formula: what the orders of the loops,
// step by step, sweep by sweep and window by window, see of it. They call the same functions with
// the same numbers, and have the same bits.
//
// A step from t to t + h needs y_{s-1} at t and at the points of the formula, the last of which is
// t + h; it leaves y_s at the same points.

#include <string>
#include <vector>

#include "core/regularize/regularized_ode.hpp"
#include "ivp/run/step_control.hpp"
#include "ivp/run/tolerance.hpp"

namespace daewave::ivp {

/// An iterate at one t: x_s, its slope, and what it leaves for the next.
struct IterateState {
  VecX x, slope, carried;
};

/// What a step of an iterate is given.
struct IterateStep {
  double t, h;
  const IterateState& from;
  const VecX& left;    ///< y_{s-1}(t).
  const VecX* before;  ///< y_{s-1} at the points.
};

/// Several of them may share a problem, and the memory of its evaluation.
class SrmIterate {
 public:
  virtual ~SrmIterate();
  SrmIterate(const SrmIterate&) = delete;
  SrmIterate& operator=(const SrmIterate&) = delete;

  /// The points of a step, in units of h.
  const std::vector<double>& points() const { return points_; }

  /// Begins at (t, x) with y_{s-1}(t) = before.
  virtual bool start(double t, const VecX& x, const VecX& before, IterateState& at) = 0;
  /// False where it failed; failure() tells why, and refused() what comes of it.
  /// @param to     the end.
  /// @param after  receives y_s at the points; null where nobody asks, for the last iterate.
  virtual bool advance(const IterateStep& step, IterateState& to, VecX* after) = 0;
  /// Local error of the step last advanced, in units of the tolerance.
  virtual double error(const IterateStep& step, const IterateState& to) = 0;
  /// What attempt() returns where advance() failed: NaN, or an error that asks for a shorter step.
  virtual double refused() const;
  /// The step last advanced is taken.
  virtual void accept(double /*h*/) {}

  // Of the step last taken.

  /// x(t + theta h).
  virtual void interpolate(const IterateStep& taken, const IterateState& to, double theta,
                           VecX& out) = 0;
  virtual int dense_degree() const = 0;
  /// As Step::solved_degree().
  virtual int solved_degree() const { return 0; }
  /// x at the end of `step`, from where the step last taken began to theta of it. False where it is
  /// not solved. Nothing stays of it.
  /// @param after  receives y_s at the points of `step`; null where nobody asks.
  virtual bool solve_inside(const IterateStep& /*step*/, double /*theta*/, VecX& /*x*/,
                            VecX* /*after*/) {
    return false;
  }
  /// y_s at t inside.
  /// @param x       interpolated there.
  /// @param before  y_{s-1} there, where it is known; else null: it is interpolated.
  virtual bool carried_at(const IterateStep& taken, const IterateState& to, double t, const VecX& x,
                          const VecX* before, VecX& carried) = 0;

  /// What there is beside the state, for a checkpoint; empty where it is all.
  virtual VecX kept() const { return {}; }
  virtual void take_up(const VecX& /*kept*/) {}

  /// h^(order + 1) is the order of error(); 0 where nothing estimates it.
  virtual int error_order() const = 0;
  virtual Control control() const = 0;
  /// True where an error above 1 is no reason to look for a larger one, of the iterates to come.
  virtual bool gives_up_early() const { return false; }

  /// Largest |g| and |G v + g_t| at (t, at.x), `at` being the end of the step last advanced, by the
  /// last of those that share the problem.
  void residuals(double t, const IterateState& at, const VecX& before, double& position,
                 double& velocity);
  /// The same of any state. Not counted as an evaluation: it is for the eye, and how often it is
  /// asked for depends on the clock.
  void residuals_of(double t, const IterateState& other, const VecX& before, double& position,
                    double& velocity);
  /// Another state than that of the last step is taken up.
  void moved() { at_end_ = false; }

  const std::string& failure() const { return failure_; }
  long evaluations() const { return evaluations_; }

 protected:
  /// The problem is kept by reference. @param points  the last of them 1.
  SrmIterate(RegularizedOde& ode, std::vector<double> points, const Tolerance& tolerance);

  void resize(int nx, int carried);
  bool evaluate(const VecX& x, double t, const VecX& before, VecX& slope, VecX& carried);
  /// The same where a step begins or ends.
  bool evaluate_end(const VecX& x, double t, const VecX& before, IterateState& at);
  bool finite(const char* what, const VecX& x, double t);

  std::vector<double> points_;
  Tolerance tolerance_;
  VecX x_, slope_, carried_;  ///< Memory.
  std::string failure_;

 private:
  RegularizedOde* ode_;
  bool at_end_ = false;  ///< The state last evaluated is the end of the step.
  long evaluations_ = 0;
};

}  // namespace daewave::ivp
