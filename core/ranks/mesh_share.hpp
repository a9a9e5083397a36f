#pragma once
// Consecutive intervals of a mesh that one rank holds, where ranks share it; the nodes between two
// of them both have.

#include <span>
#include <utility>
#include <vector>

#include "core/ranks/communicator.hpp"

namespace daewave {

/// By default a whole mesh, which is shared with nobody: then nothing is said to anyone, and what
/// is asked of all ranks is what there is here.
struct MeshShare {
  const Communicator* ranks = nullptr;  ///< Not owned.
  int first = 0;                        ///< Interval of the whole mesh that is the first here.
  int all = 0;                          ///< Intervals of the whole mesh.
  double begin = 0, end = 0;            ///< Of the whole mesh.
  std::vector<int> borders{};           ///< Of partitions of its intervals, of which each is whole.

  bool is_shared() const { return ranks != nullptr; }
  bool has_begin() const { return first == 0; }
  double largest(double mine) const { return is_shared() ? largest_of(*ranks, mine) : mine; }
  bool any(bool mine) const { return is_shared() ? any_of(*ranks, mine) : mine; }
  /// Entry by entry, of as many on all ranks.
  std::vector<double> largest_each(std::vector<double> mine) const;
  /// What the rank with the begin has, and the one with the end, of what each gives.
  std::pair<std::vector<double>, std::vector<double>> ends(std::span<const double> of_first,
                                                           std::span<const double> of_last) const;
};

/// Intervals in parts that ranks take whole: rank r has those from result[r] to result[r + 1].
/// @param borders  of the parts, from 0 to the number of intervals.
/// @throws InvalidOption where there are more ranks than parts.
std::vector<int> share_borders(const std::vector<int>& borders, int ranks);

}  // namespace daewave
