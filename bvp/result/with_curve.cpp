#include "bvp/result/with_curve.hpp"

#include <memory>
#include <utility>

namespace daewave::bvp {
namespace {

class CurveValues final : public SolutionValues {
 public:
  CurveValues(Solution like, SharedCurve curve)
      : like_(std::move(like)), curve_(std::move(curve.curve)), share_(std::move(curve.share)) {}

  const CollocationCurve& curve() const override { return curve_; }
  const MeshShare& share() const override { return share_; }
  bool carries_By() const override { return like_.carries_By(); }
  Regularization regularization() const override { return like_.regularization(); }
  int iterates() const override { return like_.iterates(); }
  VecX x(int, double t) const override { return curve_.x(t); }
  VecX slope(int, double t) const override { return curve_.slope(t); }
  MatX x_at(const VecX& times) const override { return curve_.x(times); }
  MatX slope_at(const VecX& times) const override { return curve_.slope(times); }
  VecX carried(int, double t) const override { return curve_.carried(t); }
  VecX By(int i, double t) const override { return like_.values().By(i, t); }
  std::optional<VecX> y(int i, double t) const override { return like_.values().y(i, t); }
  VecX constraint_residual(int i, double t) const override {
    return like_.values().constraint_residual(i, t);
  }
  Table table(const std::vector<double>& times) const override {
    return like_.values().table(times);
  }

 private:
  Solution like_;
  CollocationCurve curve_;
  MeshShare share_;
};

}  // namespace

Solution with_curve(const Solution& like, CollocationCurve curve) {
  return with_curve(like, SharedCurve{std::move(curve), like.share()});
}

Solution with_curve(const Solution& like, SharedCurve curve) {
  Solution other(std::make_shared<const CurveValues>(like, std::move(curve)), like.report);
  other.parameters = like.parameters;
  other.fixed_nodes = like.fixed_nodes;
  return other;
}

SharedCurve shared_curve(const Solution& solution) {
  return {solution.values().curve(), solution.share()};
}

}  // namespace daewave::bvp
