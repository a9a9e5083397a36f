#pragma once
// Newton's method for the increment D of x and the multiplier L of one step of a blocked formula,
//
//   R = D + s - gamma (part f(x) - B(x) L) = 0,   c(x) = 0,   x = x_before + D:
//
//   [ I - gamma (part f - B L)_x   B ] [ dD       ]     [ R ]
//   [ c_x                          0 ] [ gamma dL ] = - [ c ]
//
// simplified: derivatives are kept as long as the iteration converges fast, factors as long as
// gamma stays. Where that does not converge with derivatives of the same step, they are renewed in
// each iteration.

#include "core/eigen_memory.hpp"

#include <Eigen/LU>
#include <string>

#include "core/types.hpp"
#include "ivp/equations/index_two_system.hpp"
#include "ivp/multistep/multistep_past.hpp"

namespace daewave::ivp {

/// The equation of a step.
struct MultistepEquation {
  double t = 0, h = 0;
  double gamma = 0;  ///< h over the coefficient of D in rho x_n.
  double part = 1;   ///< Coefficient of f in sigma.
  VecX constant;     ///< s; nx.
};

class MultistepNewton {
 public:
  /// @param to_rounding  until rounding changes D as much as an iteration does; otherwise until the
  ///                     error is some part of the weights.
  MultistepNewton(IndexTwoSystem& system, bool to_rounding)
      : system_(system), to_rounding_(to_rounding) {}

  /// Begins anew, with memory for what is to come.
  void start();

  /// Solves for D, which is near the given one, as increment of past.next(), and L. On success f(),
  /// B() belong to past.next().x. @param weight  of x, where the goal is not rounding; nx.
  bool solve(const MultistepEquation& equation, const VecX& weight, MultistepPast& past, VecX& D,
             VecX& L);

  const VecX& f() const { return f_; }
  const MatX& B() const { return B_; }

  /// What a perturbation e of R (nx) changes in D, which is put in its place, and in L (nl), with
  /// the derivatives of the last step.
  void filter(VecX& e, VecX& change_of_L);

  /// Of a failure: whether the system could be evaluated and all was finite; a shorter step may
  /// help then.
  bool finite() const { return failure_ == Failure::slow || failure_ == Failure::singular; }
  std::string failure() const;

  long evaluations() const { return evaluations_; }
  long jacobians() const { return jacobians_; }
  long factorizations() const { return factorizations_; }

 private:
  enum class Failure { none, evaluation, not_finite, slow, singular };
  struct Change {
    double goal = 0;      ///< max of |dD_i| and gamma |B dL|_i over weight_i, or as below.
    double relative = 0;  ///< To the largest x_i seen.
  };

  Failure iterate(const MultistepEquation& equation, const VecX& weight, MultistepPast& past,
                  VecX& D, VecX& L);
  bool stops(double rate, int iteration) const;
  void see_sizes(const VecX& x);
  bool evaluate(double t, const VecX& x);
  bool differentiate(const MultistepEquation& equation, const VecX& x, const VecX& L);
  bool factorize(double gamma);
  Change change(const VecX& weight) const;

  IndexTwoSystem& system_;
  bool to_rounding_;
  VecX f_, c_, largest_;
  VecX size_;  ///< Of each x, for what is half of its digits, or rounding.
  MatX B_;
  VecX right_, solved_, push_, moved_x_, D_first_, L_first_;
  VecX stacked_, moved_;  ///< (part f - B L, c), and what differences need.
  MatX derivatives_;      ///< Of the stacked ones.
  MatX kept_B_, slope_x_, c_x_, matrix_;
  Eigen::PartialPivLU<MatX> factor_;
  bool has_derivatives_ = false;
  enum class Derivatives { kept, of_step, of_iteration } from_ = Derivatives::kept;
  double factorized_gamma_ = 0;
  double contraction_ = 1;
  double rounding_seen_ = 0;  ///< Relative changes at which fresh derivatives came to a stand.
  Failure failure_ = Failure::none;
  double failed_t_ = 0, failed_h_ = 0, failed_rate_ = 0;
  long evaluations_ = 0, jacobians_ = 0, factorizations_ = 0;
};

}  // namespace daewave::ivp
