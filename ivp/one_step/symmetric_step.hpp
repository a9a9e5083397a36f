#pragma once
// A Gauss step between two projections by the same multipliers:
//
//   z~_0 = z_n + D(z_n) mu,  z~_1 = Gauss step of z~_0,  z_{n+1} = z~_1 + D(z_{n+1}) mu,
//   0 = h(z_{n+1}, t_{n+1})                                                        [HLW] V.4.1
//
// with D and h of normal_directions.hpp.
//
// Read from its end to its begin it is the same step: of mechanisms that may run backward in time
// the energy error stays bounded instead of growing, and errors of positions grow with t, not with
// its square. Projection after the step alone destroys that. h must stay fixed.
//
// mu is found along with the stages. As g'' = 0 along every solution of the underlying problem,
// what the begin of a step is off its constraints is there again at its end,
// g(t + h) = g(t) + h g'(t):
//
//   mu_v -= (G v + g_t) / 2,  mu_q -= (g - h (G v + g_t) / 2) / 2

#include <memory>
#include <string>

#include "ivp/equations/normal_directions.hpp"
#include "ivp/one_step/stage_newton.hpp"
#include "ivp/one_step/stage_sweeps.hpp"
#include "ivp/options/index_reduction.hpp"
#include "ivp/run/ode_system.hpp"
#include "ivp/run/step.hpp"

namespace daewave::ivp {

/// Estimates no error. The system is kept by reference and evaluated by nobody else between
/// attempt() and accept().
class SymmetricStep final : public Step {
 public:
  /// @param system      changes nothing after a step.
  /// @param begin, end  of the same problem, for the two ends of a step.
  SymmetricStep(OdeSystem& system, std::unique_ptr<NormalDirections> begin,
                std::unique_ptr<NormalDirections> end, const Collocation& scheme,
                StageIteration iteration = StageIteration::fixed_point);

  bool start(double t, const VecX& z) override;
  double attempt(double h) override;
  bool accept() override;

  double t() const override { return t_; }
  const VecX& state() const override { return z_; }

  /// The collocation polynomial, what the projections add coming in smoothly at both ends.
  void interpolate(double theta, VecX& out) override;
  int dense_degree() const override;

  bool multiplier(VecX& carried) override { return multiplier_at(t_, z_, carried); }
  bool knows_multiplier_between() const override { return true; }
  bool multiplier_at(double t, const VecX& z, VecX& carried) override;
  Drift drift() override { return system_.drift(t_, z_); }

  int error_order() const override { return 0; }
  std::string failure() const override { return failure_; }
  long evaluations() const override { return evaluations_; }

 private:
  double attempt_by_sweeps(double h);
  double attempt_by_newton(double h);
  bool evaluate(double t, const VecX& z, VecX& slope);
  void measure(const VecX& z);
  bool constrain(double h, double& change);
  bool not_finite(double t);

  OdeSystem& system_;
  std::unique_ptr<NormalDirections> begin_, end_;
  StageSweeps sweeps_;
  std::unique_ptr<StageNewton> newton_;  ///< Instead of sweeps.
  NormalDirections::Multipliers mu_, off_;
  double t_ = 0, trial_h_ = 0;
  VecX z_, before_, trial_, per_size_, largest_, slope_, pushed_, weight_, at_;
  VecX lost_, trial_lost_, push_begin_, push_end_, moved_;
  long evaluations_ = 0;
  std::string failure_;
};

}  // namespace daewave::ivp
