#pragma once
// Newton's method for the stages of an implicit step,
//
//   Z_j = h sum_l a_jl F(x + Z_l, t + c_l h):   (I - h A (x) J) dZ = -Z + h (A (x) I) F(Z)
//
// simplified: one J, kept as long as the iteration converges fast, its factors as long as h stays;
// a step starts from the polynomial of the one before.                       [HW2] IV.8
// Where that does not converge with a J of the same step, each stage gets its own.

#include <string>

#include "core/types.hpp"
#include "ivp/one_step/coupled_stages.hpp"
#include "ivp/one_step/newton_convergence.hpp"
#include "ivp/one_step/stage_solver.hpp"
#include "ivp/one_step/stage_sum.hpp"
#include "ivp/one_step/stage_transform.hpp"

namespace daewave::ivp {

/// What the stages are of.
class StageProblem {
 public:
  virtual ~StageProblem() = default;
  /// F = F(X, t + c_j h); false where it cannot be evaluated.
  virtual bool slope(int j, const VecX& X, VecX& F) = 0;
  /// J = dF/dx there, where slope() gave F; j = -1 for the begin of the step, where X and F have no
  /// meaning.
  virtual bool differentiate(int j, const VecX& X, const VecX& F, MatX& J) = 0;
};

/// Nothing is allocated after start(), unless stages come to have a Jacobian each.
class StageNewton {
 public:
  StageNewton(const StageTransform& scheme, const NewtonGoal& goal);

  const StageTransform& scheme() const { return scheme_; }

  /// Begins anew with a state of n.
  void start(int n);

  /// Solves for the stages of a step of h from x. On failure failure() tells why, and what was
  /// accepted last stands.
  ///
  /// @param weight  of the components, where the goal is not rounding.
  bool solve(const VecX& x, double h, const VecX& weight, StageProblem& problem);

  /// @param slope          slope(j, X, F) -> bool: as StageProblem::slope().
  /// @param differentiate  differentiate(j, X, F, J) -> bool: as StageProblem::differentiate().
  template <class Slope, class Differentiate>
  bool solve(const VecX& x, double h, const VecX& weight, Slope slope,
             Differentiate differentiate) {
    struct Given final : StageProblem {
      Given(Slope& slope, Differentiate& differentiate)
          : slope_(slope), differentiate_(differentiate) {}
      bool slope(int j, const VecX& X, VecX& F) override { return slope_(j, X, F); }
      bool differentiate(int j, const VecX& X, const VecX& F, MatX& J) override {
        return differentiate_(j, X, F, J);
      }
      Slope& slope_;
      Differentiate& differentiate_;
    };
    Given given(slope, differentiate);
    return solve(x, h, weight, static_cast<StageProblem&>(given));
  }

  /// The next solve() starts from the stages at hand: it is of a step that differs by little.
  void keep_stages() { keep_ = true; }

  /// Z of the stage j solved last.
  const VecX& Z(int j) const { return Z_[j]; }

  /// x_new - x of the stages solved last.
  void increment(VecX& out) const { combine(scheme_.d, Z_, out); }

  /// (I - h mu_0 J)^-1 (h mu_0 f + sum e_j Z_j): the error of [HW2] (8.19); f is F at the begin.
  void estimate(double h, const VecX& f, VecX& out);

  /// Where a node of the step taken last is, of as many as there are stages: 0 for its begin, then
  /// its stages; in units of a step of h from its end. NaN where none was taken.
  double node_before(int node, double h) const;
  /// What the polynomial of the stages solved last, for a step of h, misses of x there.
  void missed_before(int node, double h, VecX& out) const;

  /// Of the polynomial of the stages solved last: x(t + theta h) - x, and h times its slope there.
  void at_trial(double theta, VecX& increment, VecX& h_slope) const;
  /// (I - h mu_0 J)^-1 of these, as in estimate().
  void filter(VecX& out) { solver_.filter(out); }

  /// The step solved last is taken: the next one starts from it.
  void accept(double h);

  /// What the step taken last leaves to the next one.
  VecX kept() const;
  /// After start() with the same number of components: as if those steps had been taken here.
  void take_up(const VecX& kept);

  double last_length() const { return last_h_; }  ///< h of the step taken last.
  /// The next solve() is of a step from where the one that `taken`, of the same scheme, took last
  /// began to theta of it, and starts from its polynomial and its Jacobian.
  void go_inside(const StageNewton& taken, double theta);

  /// x(t + theta h) - x(t) of the step taken last.
  void interpolate(double theta, VecX& out) const;

  long jacobians() const { return jacobians_; }
  long factorizations() const { return factorizations_; }
  long iterations() const { return iterations_; }
  /// Steps whose stages had a Jacobian each.
  long coupled() const { return coupled_; }

  /// Of a failure: whether the problem could be evaluated (else it knows why), and all was finite.
  bool evaluated() const { return failure_ != Failure::evaluation; }
  bool finite() const { return failure_ == Failure::slow || failure_ == Failure::diverged; }

  /// Of a step from t.
  std::string failure(double t) const;

 private:
  enum class Failure { none, evaluation, slow, diverged, not_finite };

  /// Above this rate J is evaluated again for the next step.
  static constexpr double slow_ = 1e-3;
  /// And above this one, those of coupled stages for the next iteration.
  static constexpr double slow_coupled_ = 0.1;
  /// Where h |J|, in units of the weights, is larger, coupled stages are solved to that part of the
  /// goal.
  static constexpr double stiff_ = 1000, of_goal_stiff_ = 0.01;
  /// Steps after which coupled stages are given up, to see whether one J will do again.
  static constexpr int coupled_for_ = 20;
  /// Larger states have coupled stages only where the step cannot be shorter instead.
  static constexpr int most_coupled_ = 100;
  /// States up to this have the memory of coupled stages from the start, k^2 n^2 numbers twice.
  static constexpr int small_ = most_on_stack;

  template <class Self, class Visit>
  static void each_kept(Self& self, Visit& visit);

  bool fail(Failure how, double h);
  void combine(const StageRow<double>& weight, const StageRow<VecX>& row, VecX& out) const;
  bool renew(double h, StageProblem& problem);
  void predict(double h);
  Failure iterate(const VecX& x, double h, const VecX& weight, StageProblem& problem);
  bool solve_coupled(const VecX& x, double h, const VecX& weight, StageProblem& problem);
  bool differentiate_stages(const VecX& x, double h, const VecX& weight, StageProblem& problem);
  bool evaluate(const VecX& x, StageProblem& problem);
  void residual(double h);
  void change_stages();

  StageTransform scheme_;
  StageSum sum_, sum_alone_;  ///< Of as many terms as there are stages.
  NewtonConvergence convergence_;
  StageSolver solver_;
  CoupledStages stages_;
  StageRow<VecX> Z_, F_, minus_right_, last_;
  VecX at_, last_end_;
  MatX J_, stage_J_;
  bool has_jacobian_ = false, fresh_ = false, has_last_ = false, keep_ = false;
  int n_ = 0;
  int coupled_steps_ = 0;  ///< To go with coupled stages.
  double factorized_h_ = 0, last_h_ = 1;
  double inside_ = 0;  ///< Of the step taken last, where the next one ends; 0: it goes on from it.
  double stiffness_ = 0;  ///< h |J| of coupled stages, in units of the weights.
  long jacobians_ = 0, factorizations_ = 0, iterations_ = 0, coupled_ = 0;
  Failure failure_ = Failure::none;
  double failed_h_ = 0;
};

}  // namespace daewave::ivp
