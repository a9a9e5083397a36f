#include "bvp/linear/end_values.hpp"

#include <utility>
#include <vector>

#include "bvp/curve/component_sizes.hpp"
#include "core/blocks/small_lu.hpp"

namespace daewave::bvp {

void add_end_values(LinearData& to) {
  const LinearDae& problem = *to.problem;
  const Collocation& scheme = to.curve.scheme();
  const int n = problem.nx(), m = problem.ny(), k = scheme.stages;
  if (k < 2 || scheme.starts_at_node() || scheme.ends_at_node() ||
      !problem.has_constraint_derivatives() || !to.curve.has_slopes()) {
    return;
  }
  const Mesh& mesh = to.curve.mesh();
  CollocationValues values = to.curve.values();
  const auto intervals = static_cast<Eigen::Index>(mesh.intervals());
  values.end_slopes.resize(n, 2 * intervals);
  values.end_carried.resize(n, 2 * intervals);
  CoefficientBatch batch(n, m, true);
  constexpr double stiff = 1e3;
  const VecX sizes = to.sizes.x.moved(to.extent_x);
  SmallLu lu(m);
  MatX CB(m, m);
  VecX x(n), free(n), multiplier(m);
  for (int i = 0; i < mesh.intervals(); ++i) {
    const double h = mesh.step(i);
    const double t[2] = {mesh.node(i) + beside_nodes * h, mesh.node(i + 1) - beside_nodes * h};
    problem.evaluate(t, 2, batch);
    for (int end = 0; end < 2; ++end) {
      const double theta = end == 0 ? beside_nodes : 1 - beside_nodes;
      const Eigen::Index column = 2 * i + end;
      auto slope = values.end_slopes.col(column), By = values.end_carried.col(column);
      to.curve.slope_in(i, theta, x);
      slope = x;
      to.curve.carried_in(i, theta, x);
      By = x;
      const auto A = batch.A(end), B = batch.B(end), C = batch.C(end);
      // Of stiff components x' = A x would be the rounding of x at the node, times A.
      if ((A.cwiseAbs() * sizes).cwiseQuotient(sizes).maxCoeff() * h > stiff) continue;
      CB.noalias() = C.lazyProduct(B);
      if (!lu.factorize(CB)) continue;
      x = values.x.col(i + end) + (end == 0 ? 1 : -1) * beside_nodes * h * slope;
      free.noalias() = A.lazyProduct(x);
      free += batch.q(end);
      multiplier = batch.r_t(end);
      multiplier.noalias() += C.lazyProduct(free);
      multiplier.noalias() += batch.C_t(end).lazyProduct(x);
      lu.solve(multiplier);
      By.noalias() = B.lazyProduct(multiplier);
      slope = free - By;
    }
  }
  to.curve = CollocationCurve(mesh, scheme, std::move(values));
}

}  // namespace daewave::bvp
