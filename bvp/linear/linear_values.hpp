#pragma once
// What a linear solve found: x at nodes, B y at stages; between nodes the problem is asked again.

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "bvp/curve/collocation_curve.hpp"
#include "bvp/curve/component_sizes.hpp"
#include "bvp/linear/discretization.hpp"
#include "bvp/result/solution.hpp"
#include "core/problem/linear_dae.hpp"

namespace daewave::bvp {

/// Of schemes of one stage the last stage before the intervals that are here, and the first one
/// behind them, which other ranks have: lines between stages go on to them.
struct StageBeside {
  double t = 0;
  VecX By{};
};

/// Numbers of a solve on one mesh.
struct LinearData {
  std::shared_ptr<const LinearDae> problem;
  CollocationCurve curve;  ///< Carries B y; its slopes may have been left out.
  Regularization regularization;
  int iterates = 0;
  int earlier = 0;  ///< Iterates that B y_0 came from.
  ConstraintReference reference;
  MeshShare share{};  ///< With whom: the curve is what is here.
  std::optional<StageBeside> before{}, behind{};
  /// The largest size of each row of x at nodes and of B y at stages, of all ranks; one column.
  MatX extent_x{}, extent_carried{};
  SolutionSizes sizes{};  ///< In units of which errors are compared with the tolerance.
  VecX influences{};  ///< Of residuals on x (bvp/residual/influences.hpp), where they are known.
  /// Of each component of B y in each interval, the most that the last iterate changed at a stage;
  /// empty where alpha1 > 0.
  MatX change{};
};

/// Slopes at the stages of interval i, one below the other: with x at the left node and B y at the
/// stages known, F_j - A_j h sum_l a_jl F_l = A_j x + q_j - (B y)_j.
/// @param at_stages  of at least as many points as there are stages; they come first.
VecX stage_slopes(const LinearData& of, int i, const CoefficientBatch& at_stages);

/// Fills in the stages beside what is here, of schemes of one stage. All ranks call it.
void add_stages_beside(LinearData& to);

/// Fills in the slopes of a curve that lacks them.
/// @throws InvalidProblem for coefficients that are not finite.
void add_slopes(LinearData& to);

class LinearValues final : public SolutionValues {
 public:
  explicit LinearValues(LinearData data) : data_(std::move(data)) {}
  const LinearData& data() const { return data_; }

  const CollocationCurve& curve() const override { return data_.curve; }
  const MeshShare& share() const override { return data_.share; }
  bool carries_By() const override { return true; }
  Regularization regularization() const override { return data_.regularization; }
  int iterates() const override { return data_.iterates; }

  /// Costs one evaluation of the coefficients at the stages of the interval where slopes were left
  /// out.
  VecX x(int i, double t) const override;
  VecX slope(int i, double t) const override;
  VecX carried(int i, double t) const override { return By(i, t); }
  VecX By(int i, double t) const override;
  std::optional<VecX> y(int i, double t) const override;
  VecX constraint_residual(int i, double t) const override;
  Table table(const std::vector<double>& times) const override;

 private:
  MatX slopes(int i) const;  ///< At the stages, where the curve lacks them; nx x k.

  LinearData data_;
};

/// Of the solution of a linear problem. @throws InvalidOption for another, or none.
const LinearData& linear_data(const Solution& solution);

}  // namespace daewave::bvp
