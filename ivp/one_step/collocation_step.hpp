#pragma once
// One step of a collocation formula, Gauss or Radau IIA, followed by what the system does to its
// end:
//
//   Z_j = h sum_l a_jl rhs(z + Z_l, t + c_l h),  z~ = z + sum_j d_j Z_j,  z = after_step(z~)
//
// for stiff problems, and for those that must not be damped (Gauss). An odd number of stages
// estimates its error with order k, by the formula of [HW2] IV.8; an even one has no real
// eigenvalue to do so and goes with a fixed step. Dense output is the collocation polynomial, an
// error O(h^{k+1}) in one step, joined to the stabilized end; where what is stiff leaves nothing of
// that in the estimate, the step before tells it. A state inside of a step that is to be as exact
// as its end, of order 2k or 2k - 1, is the end of a step of its own.

#include <string>

#include "ivp/one_step/collocation_accuracy.hpp"
#include "ivp/one_step/stage_newton.hpp"
#include "ivp/run/ode_system.hpp"
#include "ivp/run/step.hpp"
#include "ivp/run/tolerance.hpp"

namespace daewave::ivp {

/// The system is kept by reference and evaluated by nobody else between attempt() and accept().
/// Where Newton's method does not converge, attempt() returns NaN, or with error control an error
/// so large that the step is halved.
class CollocationStep final : public Step {
 public:
  /// @param estimate  false for a fixed step: attempt() returns 0, and stages are solved to
  ///                  rounding instead of to a part of the tolerance.
  CollocationStep(OdeSystem& system, const Collocation& scheme, const Tolerance& tolerance,
                  bool estimate = true);

  bool start(double t, const VecX& z) override;
  double attempt(double h) override;
  bool accept() override;

  double t() const override { return t_; }
  const VecX& state() const override { return z_; }
  /// z' at the state, as after_step() left it.
  const VecX& slope() const { return slope_; }

  void interpolate(double theta, VecX& out) override;
  int dense_degree() const override;
  int solved_degree() const override;
  bool solve_inside(double theta, VecX& out) override;

  bool multiplier(VecX& carried) override { return multiplier_at(t_, z_, carried); }
  bool knows_multiplier_between() const override { return true; }
  bool multiplier_at(double t, const VecX& z, VecX& carried) override;
  Drift drift() override { return system_.drift(t_, z_); }

  int error_order() const override { return accuracy_.estimates ? newton_.scheme().stages : 0; }
  Control control() const override { return collocation_control(); }
  /// One over which z changes by little. The first error lets it grow.
  double first_step(double sign, double most) override;
  bool unsolved() const override { return unsolved_; }
  std::string failure() const override { return failure_; }
  long evaluations() const override { return evaluations_; }
  const StageNewton& newton() const { return newton_; }

 private:
  bool evaluate(double t, const VecX& z, VecX& slope);
  bool differentiate_at_begin(double h, MatX& J);
  bool differentiate(double h, double t, const VecX& z, const VecX& slope, MatX& J);
  bool solve_end_inside(double theta, VecX& out);
  bool solve_stages_inside(double h);
  double not_solved();
  double error(double h);
  double error_between(double h);

  OdeSystem& system_;
  Tolerance tolerance_;
  CollocationAccuracy accuracy_;
  bool stabilizes_;
  StageNewton newton_;
  StageNewton inside_;  ///< Of steps to times inside of the one taken last.
  double t_ = 0, trial_h_ = 0;
  double begin_ = 0;                        ///< Of the step taken last,
  double between_ = 0, trial_between_ = 0;  ///< and the error of its polynomial, 1 the tolerance.
  VecX z_, slope_, before_, trial_, looked_at_, end_, trial_slope_, weight_, error_, shift_;
  bool reliable_ = false;  ///< The step before was accepted.
  bool unsolved_ = false;
  long evaluations_ = 0;
  std::string failure_;
};

}  // namespace daewave::ivp
