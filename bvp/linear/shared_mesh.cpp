#include "bvp/linear/shared_mesh.hpp"

#include <vector>

#include "core/blocks/partitions.hpp"

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

void share_mesh(const LinearDae& problem, std::optional<int> partitions, const Communicator& ranks,
                Setting& setting) {
  const std::vector<double>& nodes = setting.mesh.nodes();
  const StageLayout layout(problem.nx(), problem.ny(), setting.scheme);
  MeshShare& share = setting.share;
  share.ranks = &ranks;
  share.all = setting.mesh.intervals();
  share.begin = setting.mesh.begin();
  share.end = setting.mesh.end();
  share.borders = partition_borders(layout.node, order_of(problem, layout, share.begin), share.all,
                                    partitions.value_or(partitions_for_ranks(share.all)));
  const std::vector<int> shares = share_borders(share.borders, ranks.size());
  share.first = shares[ranks.rank()];
  const auto first = nodes.begin() + share.first, last = nodes.begin() + shares[ranks.rank() + 1];
  setting.mesh = Mesh(std::vector<double>(first, last + 1));
}

}  // namespace daewave::bvp
