#pragma once
// One step of an explicit Runge-Kutta formula, followed by what the system does to its end:
//
//   z~ = z + h sum_i b_i k_i,   slope = rhs(t + h, z~),   (z, slope) = after_step(z~, slope).
//
// The error estimate belongs to z~; dense output joins the stabilized ends. The slope at the end is
// evaluated once and is the first stage of the next step.
//
// What decays within a step, stages that only dense output needs have many times as large where
// stability holds the step: of dop853 10 times at its bound, 30 a little beyond, 1e4 at 10. So the
// polynomial is looked at between its stages, and where it is off the step is taken again in parts.

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "ivp/one_step/stage_sum.hpp"
#include "ivp/one_step/step_polynomial.hpp"
#include "ivp/one_step/tableaux.hpp"
#include "ivp/run/nonstiff_step.hpp"
#include "ivp/run/ode_system.hpp"
#include "ivp/run/tolerance.hpp"

namespace daewave::ivp {

/// The system is kept by reference and evaluated by nobody else between attempt() and accept().
class ExplicitRkStep final : public NonstiffStep {
 public:
  /// @param formula   kept by reference.
  /// @param estimate  false saves the estimation of errors: attempt() returns 0.
  ExplicitRkStep(OdeSystem& system, const ExplicitTableau& formula, const Tolerance& tolerance,
                 bool estimate = true);
  ExplicitRkStep(const ExplicitRkStep&) = delete;
  ExplicitRkStep& operator=(const ExplicitRkStep&) = delete;

  bool start(double t, const VecX& z) override;
  double attempt(double h) override;
  /// By the parabola through begin, slope and end: the interpolant takes further stages.
  bool tried(double theta, VecX& out) override;
  bool accept() override;

  double t() const override { return t_; }
  const VecX& state() const override { return z_; }
  /// z' at the state, as after_step() left it.
  const VecX& slope() const { return slope_; }

  void interpolate(double theta, VecX& out) override;
  void roughly(const double* theta, int count, int n, double* out) override;
  int dense_degree() const override { return formula_.dense_degree(); }

  bool multiplier(VecX& carried) override { return multiplier_at(t_, z_, carried); }
  bool knows_multiplier_between() const override { return true; }
  bool multiplier_at(double t, const VecX& z, VecX& carried) override;
  Drift drift() override { return system_.drift(t_, z_); }

  int error_order() const override { return estimates_ ? formula_.error_order : 0; }
  Control control() const override { return formula_.control; }
  /// One evaluation.
  double first_step(double sign, double most) override;
  /// |h| times the size of the largest eigenvalue, as the last two stages of the step last accepted
  /// tell it; 0 where they tell nothing, as where it is not watched.          [HW2] IV.2
  double stiffness() const override { return stiffness_; }
  /// Of formulas whose last stage is at the end of the step, and not the state there.
  void watch_stiffness(bool watch) override { watches_ = watch && !formula_.ends_with_slope; }
  std::string failure() const override { return failure_; }
  long evaluations() const override { return evaluations_; }

 private:
  /// A combination of the stages: where they are, and what sums them.
  struct Sum {
    const Combination* row = nullptr;
    std::array<const double*, most_stages> k{};
    StageSum with_z = nullptr, alone = nullptr;
  };

  void take_memory(int n);
  void find_stages();
  bool evaluate(double t, const VecX& z, VecX& slope);
  bool finite(const VecX& z, double t);
  void combine(const Sum& sum, double h, const VecX& z, VecX& out) const;
  void combine(const Sum& sum, double h, VecX& out) const;
  double error(double h);
  double stiffness_of(const VecX& end) const;
  void prepare_interpolant();
  bool make_polynomial();
  double missed_between();
  bool cut_into(int count);

  OdeSystem& system_;
  const ExplicitTableau& formula_;
  Tolerance tolerance_;
  bool estimates_, stabilizes_, watches_ = false;
  int n_ = 0;
  double t_ = 0, h_ = 0, trial_h_ = 0;
  VecX z_, slope_, before_, trial_, trial_slope_, error_, other_error_;
  std::array<VecX, most_stages> k_;  ///< Their memory stays where it is, as sums know it.
  std::vector<Sum> stages_, errors_, dense_sums_;
  Sum end_;
  bool has_interpolant_ = false;
  StepPolynomial polynomial_;
  std::unique_ptr<ExplicitRkStep> part_;  ///< Takes the step in parts.
  std::vector<StepPolynomial> parts_;
  int part_count_ = 0;  ///< 0: the polynomial is good enough.
  VecX shift_;          ///< From the end of the parts to that of the step.
  VecX last_argument_;  ///< Where the last stage was evaluated.
  double stiffness_ = 0;
  long evaluations_ = 0;
  std::string failure_;
};

}  // namespace daewave::ivp
