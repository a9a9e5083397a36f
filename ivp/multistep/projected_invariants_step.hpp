#pragma once
// Projected invariants: the equations of reduced index with multipliers more, so that all
// invariants are constraints, an index 2 that needs no stabilization:
//
//   z' = f(z, w, t) - D mu,   0 = r(z, w, t),   0 = h(z, t)              [ACPR] (3.3), (4.8)
//
// by Radau IIA, whose last stage is the end of the step: h holds there. mu vanishes with the
// step. D = H^T at the begin of a step; of order 2 k - 1 for k stages.
//
//   Z_j = h sum_l a_jl (f(z + Z_l, w_l) - D mu_l),   0 = r(z + Z_j, w_j),   0 = h(z + Z_j)

#include <string>

#include "core/blocks/small_lu.hpp"
#include "ivp/equations/dae_system.hpp"
#include "ivp/equations/invariant_rows.hpp"
#include "ivp/one_step/collocation_accuracy.hpp"
#include "ivp/one_step/stage_transform.hpp"
#include "ivp/options/projection.hpp"
#include "ivp/run/step.hpp"
#include "ivp/run/tolerance.hpp"

namespace daewave::ivp {

/// Nothing is allocated after start().
class ProjectedInvariantsStep final : public Step {
 public:
  /// @param system    kept by reference. @param onto  the rows of h that are kept.
  /// @param estimate  false for a fixed step: stages are solved to rounding.
  /// @throws InvalidOption for a scheme whose last stage is not the end, or for rows that are none.
  ProjectedInvariantsStep(DaeSystem& system, Onto onto, const Collocation& scheme,
                          const Tolerance& tolerance, bool estimate = true);

  bool start(double t, const VecX& z) override;
  double attempt(double h) override;
  bool accept() override;

  double t() const override { return t_; }
  const VecX& state() const override { return z_; }
  void interpolate(double theta, VecX& out) override;
  int dense_degree() const override { return scheme_.stages; }
  bool multiplier(VecX& carried) override { return multiplier_at(t_, z_, carried); }
  bool knows_multiplier_between() const override { return true; }
  bool multiplier_at(double t, const VecX& z, VecX& carried) override;
  Drift drift() override { return system_.drift(t_, z_); }
  int error_order() const override { return accuracy_.estimates ? scheme_.stages : 0; }
  Control control() const override { return collocation_control(); }
  double first_step(double sign, double most) override;
  bool unsolved() const override { return unsolved_; }
  std::string failure() const override { return failure_; }
  long evaluations() const override { return evaluations_; }

  /// h mu of the last stage accepted: how far the step was off the invariants without it.
  const VecX& mu() const { return last_mu_; }
  long jacobians() const { return jacobians_; }

 private:
  bool evaluate(double t, const VecX& z, const VecX& w);
  bool linearize(double h);
  bool differentiate(double h);
  bool factorize(double h);
  void predict(double h);
  enum class Newton { converged, slow, failed };
  Newton iterate(double h);
  bool residual(double h);
  double size_of_change() const;
  double error(double h);
  double error_between(double h);
  double not_solved();

  DaeSystem& system_;
  StageTransform scheme_;
  Tolerance tolerance_;
  CollocationAccuracy accuracy_;
  int nz_, nw_, row_, rows_, column_, columns_, n_;

  double t_ = 0, trial_h_ = 0, last_h_ = 0;
  VecX z_, w_, before_, slope_, weight_, end_, error_;
  VecX f_, r_, h_, at_, at_w_, moved_f_, moved_r_;
  VecX foreseen_w_;      ///< At the end of the step, where the polynomial before it leads.
  MatX H_, J_;           ///< J_ = d(f, r)/d(z, w).
  VecX further_column_;  ///< Memory of differentiate(): nz + nw.
  MatX matrix_, small_matrix_;
  SmallLu lu_, filter_;
  VecX Y_, last_Y_, right_, F_, small_, last_mu_;  ///< (Z, W, h mu) of each stage.
  bool has_jacobian_ = false, fresh_ = false, has_last_ = false, reliable_ = false,
       unsolved_ = false;
  double rate_ = 1;
  long evaluations_ = 0, jacobians_ = 0;
  std::string failure_;
};

}  // namespace daewave::ivp
