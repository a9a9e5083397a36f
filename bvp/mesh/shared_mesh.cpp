#include "bvp/mesh/shared_mesh.hpp"

#include <memory>
#include <utility>
#include <vector>

#include "core/blocks/partitions.hpp"

namespace daewave::bvp {

MeshShare share_mesh(int block, const ConditionOrder& order, const Options& options, Mesh& mesh) {
  MeshShare share;
  share.ranks = options.ranks;
  share.all = mesh.intervals();
  share.begin = mesh.begin();
  share.end = mesh.end();
  share.borders = partition_borders(block, order, share.all,
                                    options.partitions.value_or(partitions_for_ranks(share.all)));
  const int ranks = options.ranks->size();
  const bool chooses = refines(options);
  share.is_alike = chooses && ranks > static_cast<int>(share.borders.size()) - 1;
  if (share.is_alike) return share;
  share.shares = share_borders(share.borders, ranks);
  share.first = share.shares[options.ranks->rank()];
  const std::vector<double>& nodes = mesh.nodes();
  const auto first = nodes.begin() + share.first,
             last = nodes.begin() + share.shares[options.ranks->rank() + 1];
  Mesh mine(std::vector<double>(first, last + 1));
  if (chooses) share.mesh = std::make_shared<const Mesh>(std::move(mesh));
  mesh = std::move(mine);
  return share;
}

}  // namespace daewave::bvp
