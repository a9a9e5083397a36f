#pragma once
// One step of a backward differentiation formula of order k, projected onto the invariants:
//
//   z~ - z_pred + past = h / gamma_k f(t, z~, w),   0 = r(t, z~, w)
//   z = the point of h(z, t) = 0 nearest to z~,     d = z - z_pred          [Eich] (2.4)-(2.6)
//
// or with multipliers for the invariants,
//
//   z - z_pred + past = h / gamma_k (f(t, z, w) - D mu),   0 = h(z, t)      [ACPR] (3.3), (4.8)
//
// in backward differences on a grid of step h that is changed now and then. d is the next
// difference, of the states projected, and tells the error, |d| / (k + 1); so errors across the
// manifold, which are not propagated, are not controlled either.       [Eich] Theorem 3.2, 4.1

#include <memory>
#include <string>

#include "ivp/equations/coordinate_projection.hpp"
#include "ivp/multistep/backward_differences.hpp"
#include "ivp/multistep/bdf_order.hpp"
#include "ivp/multistep/step_newton.hpp"
#include "ivp/run/step.hpp"
#include "ivp/run/tolerance.hpp"

namespace daewave::ivp {

/// What a BdfStep is made of.
struct BdfOptions {
  int order = 6;       ///< Highest one, or the one of fixed steps; 1..6.
  bool fixed = false;  ///< Steps of one length and order; attempt() returns 0.
  Projection projection{};
  bool multipliers = false;  ///< Keep what is projected onto by multipliers in the step instead.
  double rank_tolerance = 1e-12;
};

/// The system is kept by reference and evaluated by nobody else during a step. Nothing is
/// allocated after start().
class BdfStep final : public Step {
 public:
  BdfStep(DaeSystem& system, const BdfOptions& options, const Tolerance& tolerance);

  bool start(double t, const VecX& z) override;
  double attempt(double h) override;
  bool accept() override;

  double t() const override { return t_; }
  const VecX& state() const override { return z_; }
  const VecX& algebraic() const { return w_; }
  void interpolate(double theta, VecX& out) override;
  int dense_degree() const override { return options_.fixed ? std::max(options_.order, 3) : 6; }

  bool multiplier(VecX& multiplier) override;
  bool knows_multiplier_between() const override { return true; }
  bool multiplier_at(double t, const VecX& z, VecX& multiplier) override;
  Drift drift() override { return system_.drift(t_, z_); }

  int error_order() const override { return options_.fixed ? 0 : 1; }
  std::string failure() const override;
  long evaluations() const override;

  bool chooses_length() const override { return true; }
  /// What was tried is longer or shorter by the errors.
  double next_length() const override { return choice_.length(); }
  double first_step(double sign, double most) override;

  int order() const { return choice_.order(); }
  const StepNewton& newton() const { return newton_; }
  const CoordinateProjection& projection() const { return projection_; }

 private:
  enum class Failure { none, system, newton, projection, starting };

  void take_grid(double h);
  void restart();
  void weigh();
  void weigh_algebraic();
  bool solve(double t, double h);
  double error_of_increment();
  double norm(const double* e) const;
  double reject(double error);
  void begin_anew_at_last();
  double not_solved(Failure failure);
  bool follows();
  double attempt_to_start(double h);
  bool accept_of_start();
  std::unique_ptr<BdfStep> make_starter() const;
  VecX rounding_of_time() const;
  std::string failure_to_start() const;
  bool starting() const { return options_.fixed && started_ < options_.order; }

  DaeSystem& system_;
  BdfOptions options_;
  Tolerance tolerance_;
  int nz_, nw_;
  BackwardDifferences past_;
  StepNewton newton_;
  CoordinateProjection projection_;
  BdfOrder choice_;
  double t_ = 0, h_ = 0;             ///< h_: of the grid, signed.
  double trial_h_ = 0, last_h_ = 0;  ///< Tried, and of the step last accepted.
  double error_ = 0;
  int trial_order_ = 1, degree_ = 1;
  VecX z_, w_, slope_, residual_;
  VecX trial_z_, trial_w_, predicted_, change_, base_, d_, scale_, weight_;
  long evaluations_ = 0;
  Failure failure_ = Failure::none;

  /// Fixed steps: values to start from by a run of its own to nearly rounding.
  std::unique_ptr<BdfStep> starter_;
  int started_ = 0;
  double starter_length_ = 0;

  VecX before_, before_slope_;                   ///< At the begin of a step that has no past.
  bool has_past_ = false, joins_start_ = false;  ///< The step last accepted is the first of a past.
};

}  // namespace daewave::ivp
