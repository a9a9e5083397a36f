#include "bvp/continuation/predicted.hpp"

#include "bvp/curve/component_sizes.hpp"
#include "bvp/curve/stretched.hpp"
#include "bvp/result/with_curve.hpp"

namespace daewave::bvp {
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
  Solution next = with_curve(last, CollocationCurve(mesh, of_last.scheme(), std::move(values)));
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
