#pragma once
// What a nonlinear solve found: a collocation curve, and the problem for what follows from it.

#include <optional>
#include <utility>
#include <vector>

#include "bvp/curve/collocation_curve.hpp"
#include "bvp/result/solution.hpp"
#include "core/problem/dae_problem.hpp"

namespace daewave::bvp {

class NonlinearValues final : public SolutionValues {
 public:
  /// @param share  with whom the mesh is shared, of which the curve is what is here: all ranks make
  ///               theirs together.
  NonlinearValues(DaeProblemPtr problem, CollocationCurve curve, const Regularization& form,
                  int iterates, MeshShare share = {});

  const CollocationCurve& curve() const override { return curve_; }
  const MeshShare& share() const override { return share_; }
  bool carries_By() const override;
  Regularization regularization() const override;
  int iterates() const override { return iterates_; }

  VecX x(int i, double t) const override;
  VecX slope(int, double t) const override { return curve_.slope(t); }
  VecX carried(int i, double t) const override;
  VecX By(int i, double t) const override;
  std::optional<VecX> y(int i, double t) const override;
  MatX x_at(const VecX& times) const override { return curve_.x(times); }
  MatX slope_at(const VecX& times) const override { return curve_.slope(times); }
  VecX constraint_residual(int i, double t) const override;
  Table table(const std::vector<double>& times) const override;

 private:
  bool is_constrained() const;

  DaeProblemPtr problem_;
  CollocationCurve curve_;
  MeshShare share_;
  Regularization form_;
  int iterates_;
  double B_reference_ = 0;  ///< Largest of the smallest pivots of B over the interval.
};

}  // namespace daewave::bvp
