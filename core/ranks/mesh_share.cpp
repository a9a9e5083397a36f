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

std::vector<double> MeshShare::worst(std::vector<double> mine) const {
  if (!is_shared()) return mine;
  const auto size = static_cast<std::ptrdiff_t>(mine.size());
  const std::vector<double> gathered = gather(*ranks, mine);
  auto most = gathered.begin();
  for (auto rank = most + size; rank != gathered.end(); rank += size) {
    if (!(*rank <= *most || std::isnan(*most))) most = rank;
  }
  return {most, most + size};
}

std::pair<MatX, MatX> MeshShare::extents(const MatX& values, const MatX& others) const {
  const Eigen::Index rows = values.rows(), other_rows = others.rows();
  if (!is_shared()) {
    const auto most = [](const MatX& of) {
      return of.cols() > 0 ? MatX(of.cwiseAbs().rowwise().maxCoeff())
                           : MatX(MatX::Zero(of.rows(), 1));
    };
    return {most(values), most(others)};
  }
  VecX mine = VecX::Zero(rows + other_rows);
  if (values.cols() > 0) mine.head(rows) = values.cwiseAbs().rowwise().maxCoeff();
  if (others.cols() > 0) mine.tail(other_rows) = others.cwiseAbs().rowwise().maxCoeff();
  const std::vector<double> of_all = largest_each({mine.begin(), mine.end()});
  return {Eigen::Map<const VecX>(of_all.data(), rows),
          Eigen::Map<const VecX>(of_all.data() + rows, other_rows)};
}

VecX MeshShare::first_column(const MatX& values) const {
  const auto size = static_cast<std::size_t>(values.rows());
  const std::vector<double> found = ends({values.data(), size}, {}).first;
  return Eigen::Map<const VecX>(found.data(), values.rows());
}

std::vector<double> MeshShare::joined(std::vector<double> mine) const {
  if (is_shared()) return gather(*ranks, mine);
  return mine;
}

VecX MeshShare::joined(const VecX& mine) const {
  if (!is_shared()) return mine;
  const std::vector<double> of_all =
      gather(*ranks, {mine.data(), static_cast<std::size_t>(mine.size())});
  return Eigen::Map<const VecX>(of_all.data(), static_cast<Eigen::Index>(of_all.size()));
}

std::vector<std::string> MeshShare::joined(const std::string& mine) const {
  return is_shared() ? ranks->gather(mine) : std::vector<std::string>{mine};
}

std::string MeshShare::first_of(const std::string& mine) const {
  if (!is_shared()) return mine;
  for (std::string& text : joined(mine)) {
    if (!text.empty()) return std::move(text);
  }
  return "";
}

std::vector<IntervalRange> MeshShare::ranges(int intervals) const {
  if (ranks == nullptr) return {{0, intervals}};
  std::vector<IntervalRange> ranges;
  for (std::size_t p = 0; p + 1 < borders.size(); ++p) {
    const IntervalRange here{borders[p] - first, borders[p + 1] - first};
    if (here.begin >= 0 && here.end <= intervals) ranges.push_back(here);
  }
  return ranges;
}

std::pair<std::vector<double>, std::vector<double>> MeshShare::ends(
    std::span<const double> of_first, std::span<const double> of_last) const {
  if (!is_shared()) return {{of_first.begin(), of_first.end()}, {of_last.begin(), of_last.end()}};
  std::vector<double> mine(of_first.begin(), of_first.end());
  mine.insert(mine.end(), of_last.begin(), of_last.end());
  const std::vector<double> gathered = gather(*ranks, mine);
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
