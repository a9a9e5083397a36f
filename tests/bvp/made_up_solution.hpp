#pragma once
// A solution that is made up: a curve, and nothing else.

#include <memory>
#include <utility>

#include "bvp/result/solution.hpp"

namespace daewave::testing {

class MadeUpValues final : public bvp::SolutionValues {
 public:
  explicit MadeUpValues(bvp::CollocationCurve curve) : curve_(std::move(curve)) {}
  const bvp::CollocationCurve& curve() const override { return curve_; }
  const MeshShare& share() const override { return share_; }
  bool carries_By() const override { return false; }
  Regularization regularization() const override { return {}; }
  int iterates() const override { return 1; }
  VecX x(int, double t) const override { return curve_.x(t); }
  VecX slope(int, double t) const override { return curve_.slope(t); }
  VecX carried(int, double t) const override { return curve_.carried(t); }
  VecX By(int, double) const override { return {}; }
  std::optional<VecX> y(int, double) const override { return std::nullopt; }
  VecX constraint_residual(int, double) const override { return {}; }
  Table table(const std::vector<double>&) const override { return {}; }

 private:
  MeshShare share_;  ///< With nobody.
  bvp::CollocationCurve curve_;
};

inline bvp::Solution made_up(bvp::CollocationCurve curve, Report report = {}) {
  return {std::make_shared<MadeUpValues>(std::move(curve)), std::move(report)};
}

/// Straight lines: x (1 + t) and `carried` everywhere, one stage in each interval.
inline bvp::CollocationCurve straight(const Mesh& mesh, double x, double carried,
                                      Scheme scheme = Scheme::gauss) {
  bvp::CollocationValues values;
  values.x.resize(1, mesh.intervals() + 1);
  for (int i = 0; i <= mesh.intervals(); ++i) values.x(0, i) = x * (1 + mesh.node(i));
  values.slopes.setConstant(1, mesh.intervals(), x);
  values.carried.setConstant(1, mesh.intervals(), carried);
  return {mesh, collocation(scheme, 1), values};
}

}  // namespace daewave::testing
