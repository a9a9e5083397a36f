#include "bvp/curve/times_of_ranks.hpp"

#include <utility>

namespace daewave::bvp {

bool has_time(const MeshShare& share, const Mesh& mesh, double t) {
  if (!share.is_shared()) return true;
  const bool has_end = share.first + mesh.intervals() == share.all;
  return (share.has_begin() || t > mesh.begin()) && (has_end || t <= mesh.end());
}

MatX at_times(const MeshShare& share, const Mesh& mesh, int rows, const std::vector<double>& times,
              const std::function<VecX(double t)>& value) {
  std::vector<double> mine;  // Which of the times, and the value.
  share.together([&] {
    for (std::size_t p = 0; p < times.size(); ++p) {
      if (!has_time(share, mesh, times[p])) continue;
      const VecX here = value(times[p]);
      mine.push_back(static_cast<double>(p));
      mine.insert(mine.end(), here.begin(), here.end());
    }
  });
  const std::vector<double> all = share.joined(std::move(mine));
  MatX values(rows, static_cast<Eigen::Index>(times.size()));
  for (std::size_t at = 0; at < all.size(); at += static_cast<std::size_t>(rows) + 1) {
    values.col(static_cast<Eigen::Index>(all[at])) = Eigen::Map<const VecX>(&all[at] + 1, rows);
  }
  return values;
}

}  // namespace daewave::bvp
