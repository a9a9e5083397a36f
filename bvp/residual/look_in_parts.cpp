#include "bvp/residual/look_in_parts.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace daewave::bvp {
namespace {

/// Of all ranks, increasing; no more than `most`.
std::vector<double> first_times(const MeshShare& share, std::vector<double> mine, int most) {
  std::vector<double> all = share.joined(std::move(mine));
  std::sort(all.begin(), all.end());
  if (static_cast<int>(all.size()) > most) all.resize(static_cast<std::size_t>(most));
  return all;
}

/// Those of another part of the mesh, further right.
void append(VecX& to, const VecX& more) {
  const Eigen::Index before = to.size();
  to.conservativeResize(before + more.size());
  to.tail(more.size()) = more;
}

}  // namespace

Look look_in_parts(const MeshShare& share, const Mesh& mesh, int most,
                   const std::function<Look(const MeshPart&)>& look) {
  const std::vector<IntervalRange> ranges = share.ranges(mesh.intervals());
  const double length =
      share.ranks != nullptr ? share.end - share.begin : mesh.end() - mesh.begin();
  Look mine;
  share.together([&] {
    for (const IntervalRange& range : ranges) {
      Look here = look({range, length});
      if (ranges.size() == 1) {
        mine = std::move(here);
        break;
      }
      mine.tolerance = here.tolerance;
      if (mine.failure.empty()) mine.failure = std::move(here.failure);
      mine.is_stiff = mine.is_stiff || here.is_stiff;
      Unresolved& seen = mine.seen;
      if (here.seen.worst > seen.worst) {
        seen.worst = here.seen.worst;
        seen.at = here.seen.at;
      }
      seen.nodes.insert(seen.nodes.end(), here.seen.nodes.begin(), here.seen.nodes.end());
      seen.jumps.insert(seen.jumps.end(), here.seen.jumps.begin(), here.seen.jumps.end());
      append(seen.integral, here.seen.integral);
      append(seen.value, here.seen.value);
    }
  });
  if (share.ranks == nullptr) return mine;
  mine.seen.nodes = first_times(share, std::move(mine.seen.nodes), most);
  mine.seen.jumps = first_times(share, std::move(mine.seen.jumps), most);
  mine.seen.integral = share.joined(mine.seen.integral);
  mine.seen.value = share.joined(mine.seen.value);
  mine.failure = share.first_of(mine.failure);
  mine.is_stiff = share.largest(mine.is_stiff ? 1 : 0) > 0;
  const std::vector<double> worst = share.worst({mine.seen.worst, mine.seen.at});
  mine.seen.worst = worst[0];
  mine.seen.at = worst[1];
  return mine;
}

std::vector<double> kinks_in_parts(
    const MeshShare& share, const Mesh& mesh, const std::vector<int>& intervals,
    const std::function<std::vector<double>(const std::vector<int>&)>& find) {
  std::vector<int> here;
  for (const int i : intervals) {
    const int mine = i - share.first;
    if (mine >= 0 && mine < mesh.intervals()) here.push_back(mine);
  }
  std::vector<double> found;
  share.together([&] { found = find(here); });
  return share.joined(std::move(found));
}

}  // namespace daewave::bvp
