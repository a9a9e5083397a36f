#pragma once
// What a collocation curve is off its equation between the stages, and off its constraints.

#include <utility>
#include <vector>

#include "bvp/curve/collocation_curve.hpp"
#include "bvp/curve/component_sizes.hpp"
#include "bvp/equations/iterate_system.hpp"
#include "bvp/nonlinear/dependent_points.hpp"
#include "bvp/residual/local_error.hpp"
#include "bvp/residual/turning_modes.hpp"
#include "bvp/residual/unresolved.hpp"
#include "core/machine/aligned.hpp"
#include "core/problem/dae_problem.hpp"

namespace daewave::bvp {

/// What is told of what is carried, below the rows of x.
enum class CarriedRows {
  none,
  made,    ///< What the equations make of it, less it.
  missing  ///< Of iterates that leave it as it was at the begin: see CurveResidual.
};

/// nx rows x' - F(x, t; y); below them, where they are asked for, rows of what is carried.
///
/// What iterates with alpha1 = 0 make of y is y plus 1/epsilon times what constraints are off, and
/// between the stages that tells of x. But x follows the constraints at once, whatever forces there
/// are: of a force that no stage saw, y is missing as much as balances x' - f - B y.
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
  CurveResidual(IterateSystem& system, const CollocationCurve& curve, CarriedRows carried_rows,
                std::vector<DependentPoint> dependent = {}, SolutionSizes sizes = {},
                VecX influences = {});
  /// Of a curve that is a part of another one.
  /// @param extents  of x and of what is carried of the whole one, as MeshShare::extents() has it.
  /// @param end      no interval from there on is looked at: what is asked for together is asked
  ///                 for of those before.
  CurveResidual(IterateSystem& system, const CollocationCurve& curve, CarriedRows carried_rows,
                std::vector<DependentPoint> dependent, SolutionSizes sizes, VecX influences,
                std::pair<MatX, MatX> extents, int end);

  /// Goes on with another curve of the same equations, with the memory that is there.
  void turn_to(const CollocationCurve& curve, CarriedRows carried_rows,
               std::vector<DependentPoint> dependent, VecX influences,
               std::pair<MatX, MatX> extents, int end);

  /// Lets them see the intervals of this curve that are looked at; kept by reference.
  void watch(TurningModes& modes) { modes_ = &modes; }

  void operator()(int interval, const Places& at, ResidualValues& found);

  /// Where intervals will be looked at first: where calls are dear they are asked for together.
  void expect(std::vector<FirstLook> looks);
  /// Whether that is of any use.
  bool looks_ahead() const { return looks_ahead_; }

  /// Whether steps that were looked at are long for the problem.
  bool is_stiff() const { return is_stiff_; }

  /// What is small where errors are to be `tolerance`, in units of the sizes of components.
  ResidualLimits limits(double tolerance) const;

 private:
  /// J in the middle of some intervals, entry (i, j) of one of them at [(i + j nx) * stride + p].
  struct Middles {
    int first = 0, count = 0, stride = 0;
    bool known = false;  ///< Otherwise each has to be found by itself.
    UnsetVector J;
    bool has(int interval) const { return interval >= first && interval < first + count; }
  };

  /// What the equations are at stages and places of intervals that are asked for next, of one look
  /// at all.
  struct Ahead {
    std::vector<int> intervals;  ///< Increasing.
    std::vector<int> begin;      ///< The first point of each, and all of them at last.
    std::vector<double> t;
    UnsetVector x, before, slopes, carried;  ///< Entry i at point p at [i * t.size() + p].
  };

  void evaluate(int interval, int stages, const Places& at);
  void place(int interval, int stages, const Places& places);
  int rows_of_carried() const;
  void look_ahead(int interval, const Places& at);
  std::vector<FirstLook> looks_from(int interval, const std::vector<double>& theta,
                                    const PolynomialsAt& at) const;
  void place_ahead(const std::vector<FirstLook>& looks);
  bool evaluate_ahead();
  bool take_from_ahead(int interval);
  bool evaluate_together();
  void evaluate_one_by_one();
  void take(Eigen::Index from, Eigen::Index points, ResidualValues& found);
  bool find_slopes_of_carried(int interval);
  void take_missing(int interval, Eigen::Index from, ResidualValues& found);
  void find_noise();
  void find_local_error(int interval);
  IterateSystem::Batch place_middles(int interval);
  void find_middles(int interval);
  bool find_jacobian(int interval);
  bool has_equations(double t) const;

  IterateSystem& system_;
  TurningModes* modes_ = nullptr;
  const CollocationCurve* curve_ = nullptr;
  int end_ = 0;  ///< Of the intervals that are looked at.
  MatX extent_x_, extent_carried_;
  CarriedRows carried_rows_ = CarriedRows::none;
  std::vector<DependentPoint> dependent_;
  // Of the points evaluated last, a row for each, side by side.
  int stride_ = 0;
  std::vector<double> t_;
  UnsetVector x_, slope_of_curve_, before_;
  UnsetVector slopes_at_, carried_at_;  ///< Of the equations there; slopes are NaN if unknown.
  UnsetVector moved_at_, moved_before_, slopes_moved_, carried_moved_;
  bool sees_missing_ = false;  ///< In that interval.
  MatX of_carried_;            ///< dY/dx there, carried x nx.
  ResidualValues unbalanced_;
  bool everywhere_ = true;  ///< None is.
  VecX point_, before_point_, slope_, carried_, of_polynomials_;
  PolynomialsAt at_stage_times_;
  SolutionSizes sizes_;
  VecX influences_;
  VecX moved_;             ///< Components of x, for derivatives.
  VecX balanced_;          ///< Sizes that are taken instead, where those tell nothing.
  bool balances_ = false;  ///< Sizes of components tell nothing of how rows compare.
  MatX J_;
  Middles middles_;
  bool looks_ahead_ = false;  ///< As calls are dear.
  Ahead ahead_;
  std::vector<FirstLook> expected_;
  std::vector<double> t_of_middles_;
  UnsetVector middle_x_, middle_slope_, middle_before_, middle_carried_;
  LocalError local_error_;
  bool is_stiff_ = false;
  int interval_ = -1;
  VecX noise_;  ///< At the stages of that interval; by row.
  ResidualValues at_stages_;
};

/// Largest residual of the constraints at nodes, relative to what moves it as far as an error of x
/// does: sum |dg_i/dx_j| S_j. @param at  receives t of it.
/// @param share  of the mesh: where ranks have a part each, all call it, and know that of all.
double constraint_excess(const DaeProblem& problem, const CollocationCurve& curve,
                         const ComponentSizes& sizes, double& at, const MeshShare& share = {});

}  // namespace daewave::bvp
