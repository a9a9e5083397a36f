#include "core/ranks/mesh_share.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace daewave {

std::vector<double> MeshShare::largest_each(std::vector<double> mine) const {
  if (!is_shared()) return mine;
  const std::vector<double> gathered = gather(*ranks, mine);
  for (std::size_t i = 0; i < gathered.size(); ++i) {
    double& here = mine[i % mine.size()];
    if (!(here >= gathered[i] || std::isnan(here))) here = gathered[i];
  }
  return mine;
}

std::pair<std::vector<double>, std::vector<double>> MeshShare::ends(
    std::span<const double> of_first, std::span<const double> of_last) const {
  std::vector<double> mine(of_first.begin(), of_first.end());
  mine.insert(mine.end(), of_last.begin(), of_last.end());
  const std::vector<double> gathered = is_shared() ? gather(*ranks, mine) : mine;
  const auto width = static_cast<std::ptrdiff_t>(of_last.size());
  return {{gathered.begin(), gathered.begin() + static_cast<std::ptrdiff_t>(of_first.size())},
          {gathered.end() - width, gathered.end()}};
}

std::vector<int> share_borders(const std::vector<int>& borders, int ranks) {
  const int parts = static_cast<int>(borders.size()) - 1;
  if (ranks > parts) {
    throw InvalidOption(fmt::format(
        "{} ranks: more than the {} partition(s) that the {} intervals are solved in, of which "
        "each rank takes some; take fewer ranks, or give partitions = {}",
        ranks, parts, borders.back(), ranks));
  }
  std::vector<int> shares{0};
  int part = 0;
  for (int rank = 0; rank < ranks; ++rank) {
    const double wanted = static_cast<double>(borders.back()) * (rank + 1) / ranks;
    // The border that is nearest, such that each rank behind has a part too.
    ++part;
    while (part < parts - (ranks - 1 - rank) &&
           std::abs(borders[part + 1] - wanted) <= std::abs(borders[part] - wanted)) {
      ++part;
    }
    if (rank + 1 == ranks) part = parts;
    shares.push_back(borders[part]);
  }
  return shares;
}

}  // namespace daewave
