#include "bvp/linear/share_linear_mesh.hpp"

#include "bvp/mesh/shared_mesh.hpp"
#include "core/blocks/babd_matrix.hpp"

namespace daewave::bvp {
namespace {

/// As order_conditions() of the matrix finds it: which conditions act at which end.
ConditionOrder order_of(const LinearDae& problem, const StageLayout& layout, double begin) {
  const int n = layout.nx, m = layout.ny, u = layout.node;
  MatX B0 = MatX::Zero(u, u), B1 = MatX::Zero(u, u), C(m, n);
  VecX r(m);
  problem.evaluate_constraint(begin, C, r);
  const Boundary& boundary = problem.boundary();
  B0.topLeftCorner(m, n) = C;
  B0.block(m, 0, n - m, n) = boundary.B0;
  B1.block(m, 0, n - m, n) = boundary.B1;
  // The multipliers of a node at the begin have their own equation there.
  B0.bottomRows(u - n).setOnes();
  return order_conditions(B0, B1);
}

}  // namespace

void share_linear_mesh(const LinearDae& problem, const Options& options, Setting& setting) {
  const StageLayout layout(problem.nx(), problem.ny(), setting.scheme);
  const ConditionOrder order = order_of(problem, layout, setting.mesh.begin());
  setting.share = share_mesh(layout.node, order, options, setting.mesh);
}

}  // namespace daewave::bvp
