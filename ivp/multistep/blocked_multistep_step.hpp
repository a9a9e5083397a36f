#pragma once
// One step of a beta-blocked multistep formula (blocked_formula.hpp) for a DAE of index 2:
//
//   rho x_n = h sigma (f - B lambda)_n + h B(x_n) tau lambda_n,   0 = c(x_n)        [AFS] (2.4)
//
// What is solved for is D_n = x_n - x_{n-1} and L_n = (sigma - tau) lambda_n without what the past
// contributes to sigma; lambda_n follows.
//
// The first values are not the formula's: x and lambda of the k (with error control, as many
// as its estimate takes) first nodes come from the underlying ordinary equation, integrated close
// to rounding (with error control, to a thousandth of the tolerance), or from whoever knows them.
// Otherwise the order of x would be that of the start, and lambda oscillate.
//
// Steps of any length go with the coefficients of their grid (grid_coefficients.hpp). The error of
// a step is controlled in x, where it is the formula's own, on the constraints: estimated from the
// difference to what the past predicts, and, where tau acts on B lambda, from how far that is off
// B(x_n) tau lambda. Not estimated is what tau, O(h^k) in lambda, adds while B turns, which is of
// the same order for dcbdf and adams-moulton. Steps grow by no more than
// largest_step_ratio(), within which the formulas are stable. The paper leaves variable steps open.
//
// The error of lambda, of order k, may be controlled too: (sigma - tau) e_lambda = tau lambda, with
// sigma and tau of the sums 1 and 0, and with what the error of x, as a perturbation of the
// equation, changes in L. It is one of each step alone: none is handed on.
//
// With error control lambda of a step in which x moves by less than the tolerance is that of the
// underlying equation at x_n.

#include <functional>
#include <string>
#include <vector>

#include "ivp/equations/index_two_system.hpp"
#include "ivp/multistep/blocked_formula.hpp"
#include "ivp/multistep/grid_coefficients.hpp"
#include "ivp/multistep/multistep_newton.hpp"
#include "ivp/multistep/multistep_past.hpp"
#include "ivp/reduced/underlying_solution.hpp"
#include "ivp/run/step.hpp"
#include "ivp/run/step_control.hpp"
#include "ivp/run/tolerance.hpp"

namespace daewave::ivp {

/// x and lambda at t, where they are known; false where they are not.
using KnownSolution = std::function<bool(double t, VecX& x, VecX& lambda)>;

/// The system is kept by reference. After the starting values no memory is asked for.
class BlockedMultistepStep final : public Step {
 public:
  /// @param estimate  false for a fixed step: attempt() returns 0, and equations are solved to
  ///                  rounding instead of to a part of the tolerance.
  /// @param known     starting values; empty: they are computed.
  /// @param multipliers  the error of lambda is controlled too. Equations are solved to rounding
  ///                     then: what is left of them in D is in lambda divided by h.
  BlockedMultistepStep(IndexTwoSystem& system, const BlockedFormula& formula,
                       const Tolerance& tolerance, bool estimate = true, KnownSolution known = {},
                       bool multipliers = false);

  bool start(double t, const VecX& x) override;
  double attempt(double h) override;
  bool accept() override;

  double t() const override { return t_; }
  const VecX& state() const override { return past_.node(0).x; }

  /// The polynomial through x_n and the nodes before it, one more than the order of the pair where
  /// there are as many; while starting values are taken, through those to come too.
  void interpolate(double theta, VecX& out) override;
  int dense_degree() const override { return formula_.order_of_pair(); }

  bool multiplier(VecX& lambda) override;
  bool knows_multiplier_between() const override { return true; }
  /// Interpolated as x, of degree k.
  bool multiplier_at(double t, const VecX& x, VecX& lambda) override;
  Drift drift() override { return system_.drift(t_, state()); }

  int error_order() const override { return estimates_ ? formula_.order() : 0; }
  Control control() const override { return control_; }
  bool unsolved() const override { return unsolved_; }
  std::string failure() const override { return failure_; }
  long evaluations() const override { return newton_.evaluations() + underlying_.evaluations(); }

  /// A step for which the starting values have errors of about the tolerance. They are kept for the
  /// attempt that takes it.
  double first_step(double sign, double most) override;

  const BlockedFormula& formula() const { return formula_; }
  const MultistepNewton& newton() const { return newton_; }

 private:
  /// A starting value that is known, but not taken yet.
  struct Ahead {
    double t = 0;
    VecX x, lambda;
  };

  bool starts() const { return past_.count() < needed_; }
  double attempt_start(double h);
  std::size_t nodes_to_look_at() const;
  bool look_ahead(double h, int most_steps);
  bool ahead_to(double t, double longest, int most_steps, Ahead& node);
  double longer_by() const;
  bool put_next(double t, const VecX& x, const VecX& lambda);
  double error_of_start(double h);

  /// out = values at t, through `most` nodes: of those ahead and of the past, as near as there are.
  template <class Values>
  void interpolate_nodes(int most, double t, Values values, VecX& out) const;

  void set_equation(double h);
  void take_multiplier_of_state();
  void apply_tau();
  double error();
  double error_of_multiplier();
  bool fails(const std::string& why);

  IndexTwoSystem& system_;
  BlockedFormula formula_;
  Tolerance tolerance_;
  bool estimates_, multipliers_;
  bool unsolved_ = false;
  KnownSolution known_;
  Control control_;
  int needed_;  ///< Nodes of the past without which the formula does not go.

  UnderlyingSolution underlying_;
  MultistepNewton newton_;
  MultistepPast past_;
  std::vector<Ahead> ahead_;  ///< Nearest first.
  double start_error_ = 0, start_h_ = 0;

  GridNodes nodes_;
  GridCoefficients at_;
  MultistepEquation equation_;
  VecX D_, L_, predicted_, weight_, error_, lambda_, c_;
  VecX change_of_L_, largest_lambda_;  ///< Seen so far.
  MatX B_;
  double t_ = 0, begin_of_step_ = 0, trial_t_ = 0;
  std::string failure_;
};

}  // namespace daewave::ivp
