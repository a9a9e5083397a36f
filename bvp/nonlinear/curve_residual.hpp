#pragma once
// What a collocation curve is off its equation between the stages, and off its constraints.

#include <vector>

#include "bvp/curve/collocation_curve.hpp"
#include "bvp/curve/component_sizes.hpp"
#include "bvp/nonlinear/dependent_points.hpp"
#include "bvp/nonlinear/iterate_system.hpp"
#include "bvp/residual/local_error.hpp"
#include "bvp/residual/turning_modes.hpp"
#include "bvp/residual/unresolved.hpp"
#include "core/problem/dae_problem.hpp"

namespace daewave::bvp {

/// nx rows x' - F(x, t; y); below them, where they are asked for, what F makes of y less y.
///
/// The former are told as the errors that they become within their interval, over its step.
///
/// At the stages both would be zero but for rounding within F, which may be far above that of its
/// terms, and for what Newton's method has left: between them as much is no residual.
class CurveResidual {
 public:
  /// Both are kept by reference.
  /// @param dependent   times at which, and close to which, there are no equations.
  /// @param influences  of residuals on x (bvp/residual/influences.hpp), where they are known.
  CurveResidual(IterateSystem& system, const CollocationCurve& curve, bool with_carried,
                std::vector<DependentPoint> dependent = {}, SolutionSizes sizes = {},
                VecX influences = {});

  /// Lets them see the intervals that are looked at; kept by reference.
  void watch(TurningModes& modes) { modes_ = &modes; }

  void operator()(int interval, const Places& at, ResidualValues& found);

  /// Whether steps that were looked at are long for the problem.
  bool is_stiff() const { return is_stiff_; }

  /// What is small where errors are to be `tolerance`, in units of the sizes of components.
  ResidualLimits limits(double tolerance) const;

 private:
  /// @param values, integrals  as those of Places. @param t  of the points.
  void evaluate(int interval, const MatX& values, const MatX& integrals,
                const std::vector<double>& t, ResidualValues& found);
  bool evaluate_together(const std::vector<double>& t);
  void evaluate_one_by_one(const std::vector<double>& t);
  void find_noise(int interval);
  void find_local_error(int interval);
  bool has_equations(double t) const;

  IterateSystem& system_;
  TurningModes* modes_ = nullptr;
  const CollocationCurve& curve_;
  bool with_carried_;
  std::vector<DependentPoint> dependent_;
  MatX x_, slope_of_curve_, before_;  ///< A row for each point.
  MatX slopes_at_, carried_at_;       ///< Of the equations there; slopes are NaN if unknown.
  VecX point_, before_point_, slope_, carried_;
  MatX stage_values_, stage_integrals_;  ///< Of the polynomials.
  std::vector<double> stage_times_;
  SolutionSizes sizes_;
  VecX influences_;
  VecX moved_;     ///< Components of x, for derivatives.
  bool balances_;  ///< Sizes of components tell nothing of how rows compare.
  MatX J_;
  LocalError local_error_;
  bool is_stiff_ = false;
  int interval_ = -1;
  VecX noise_;  ///< At the stages of that interval; by row.
  ResidualValues at_stages_;
};

/// Largest residual of the constraints at nodes, relative to what moves it as far as an error of x
/// does: sum |dg_i/dx_j| S_j. @param at  receives t of it.
double constraint_excess(const DaeProblem& problem, const CollocationCurve& curve,
                         const ComponentSizes& sizes, double& at);

}  // namespace daewave::bvp
