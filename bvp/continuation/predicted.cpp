#include "bvp/continuation/predicted.hpp"

#include "bvp/curve/component_sizes.hpp"
#include "bvp/curve/stretched.hpp"

namespace daewave::bvp {
namespace {

/// Another curve in place of that of a solution.
class PredictedValues final : public SolutionValues {
 public:
  PredictedValues(Solution like, CollocationCurve curve)
      : like_(std::move(like)), curve_(std::move(curve)) {}

  const CollocationCurve& curve() const override { return curve_; }
  bool carries_By() const override { return like_.carries_By(); }
  Regularization regularization() const override { return like_.regularization(); }
  int iterates() const override { return like_.iterates(); }
  VecX x(int, double t) const override { return curve_.x(t); }
  VecX slope(int, double t) const override { return curve_.slope(t); }
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
};

}  // namespace

Solution predicted(const Solution& before, const Solution& last, double factor) {
  const CollocationCurve& of_last = last.values().curve();
  const Mesh& mesh = of_last.mesh();
  const CollocationCurve first = stretched(before.values().curve(), {mesh.begin(), mesh.end()});
  const CollocationValues old = first.on(mesh, of_last.scheme());
  CollocationValues values = of_last.values();
  values.x += factor * (values.x - old.x);
  values.slopes += factor * (values.slopes - old.slopes);
  if (values.carried.rows() == old.carried.rows() && values.carried.rows() > 0) {
    values.carried += factor * (values.carried - old.carried);
  }
  Solution next(std::make_shared<const PredictedValues>(
                    last, CollocationCurve(mesh, of_last.scheme(), std::move(values))),
                last.report);
  next.fixed_nodes = last.fixed_nodes;
  next.parameters = last.parameters + factor * (last.parameters - before.parameters);
  return next;
}

VecX sizes_of(const Solution& solution) { return component_sizes(solution.x_at_nodes()); }

double product(const Solution& a, const Solution& b, const Solution& c, const Solution& d,
               const VecX& sizes) {
  const Mesh& mesh = a.mesh();
  const double n = static_cast<double>(sizes.size());
  double sum = 0;
  // Simpson's rule; what is measured are lengths of steps.
  const auto at = [&](double t) {
    const VecX first = (a.x(t) - b.x(t)).cwiseQuotient(sizes);
    return first.dot((c.x(t) - d.x(t)).cwiseQuotient(sizes)) / n;
  };
  double left = at(mesh.begin());
  for (int i = 0; i < mesh.intervals(); ++i) {
    const double right = at(mesh.node(i + 1));
    sum += mesh.step(i) / 6 * (left + 4 * at(mesh.node(i) + mesh.step(i) / 2) + right);
    left = right;
  }
  return sum / (mesh.end() - mesh.begin());
}

}  // namespace daewave::bvp
