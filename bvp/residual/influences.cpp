#include "bvp/residual/influences.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/not_finite.hpp"

namespace daewave::bvp {

VecX probed_influences(const Mesh& mesh, const MeshShare& share, int block, const VecX& sizes,
                       const std::function<VecX(const VecX& right)>& solve) {
  // One that is the same everywhere, and one whose sign changes without a pattern: what decays on
  // the way cancels in neither of them.
  constexpr int parts = 8;
  constexpr double signs[parts] = {1, -1, -1, 1, -1, 1, 1, -1};
  const double begin = share.is_shared() ? share.begin : mesh.begin();
  const double length = (share.is_shared() ? share.end : mesh.end()) - begin;
  const Eigen::Index nodes = mesh.intervals() + 1;
  VecX influences = VecX::Zero(sizes.size());
  for (Eigen::Index row = 0; row < sizes.size(); ++row) {
    for (const bool changes : {false, true}) {
      VecX right = VecX::Zero(nodes * block);
      for (int i = 0; i < mesh.intervals(); ++i) {
        const double part = (mesh.node(i) - begin) / length;
        const double sign = changes ? signs[static_cast<int>(parts * part)] : 1;
        right[static_cast<Eigen::Index>(i) * block + row] = sign * mesh.step(i) / length;
      }
      const VecX u = solve(right);
      const auto x = Eigen::Map<const MatX>(u.data(), block, nodes).topRows(sizes.size());
      const VecX moved = share.extents(x, MatX()).first;
      influences[row] = larger(influences[row], largest_size(moved.cwiseQuotient(sizes)));
    }
  }
  return influences;
}

/// Where all sizes are alike all rows have them, however much the problem amplifies: the difference
/// of two meshes tells that. What one row does to others beyond that it does not.
VecX residual_sizes(const VecX& sizes, const VecX& influences) {
  if (influences.size() != sizes.size()) return sizes;
  double amplified = std::numeric_limits<double>::infinity();
  for (Eigen::Index j = 0; j < sizes.size(); ++j) {
    if (std::isfinite(sizes[j])) amplified = std::min(amplified, sizes[j] * influences[j]);
  }
  amplified = std::isfinite(amplified) ? std::max(amplified, 1.0) : 1.0;
  VecX result = sizes;
  for (Eigen::Index j = 0; j < sizes.size(); ++j) {
    if (influences[j] > 0) result[j] = std::min(sizes[j], amplified / influences[j]);
  }
  return result;
}

}  // namespace daewave::bvp
