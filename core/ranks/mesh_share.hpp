#pragma once
// Consecutive intervals of a mesh that one rank holds, where ranks share it; the nodes between two
// of them both have.

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/ranks/communicator.hpp"
#include "core/time/mesh.hpp"
#include "core/types.hpp"

namespace daewave {

/// Some of the intervals that there are here, from begin to before end.
struct IntervalRange {
  int begin = 0, end = 0;
};

/// By default a whole mesh, which is shared with nobody: then nothing is said to anyone, and what
/// is asked of all ranks is what there is here.
struct MeshShare {
  const Communicator* ranks = nullptr;  ///< Not owned.
  int first = 0;                        ///< Interval of the whole mesh that is the first here.
  int all = 0;                          ///< Intervals of the whole mesh.
  double begin = 0, end = 0;            ///< Of the whole mesh.
  std::vector<int> borders{};           ///< Of partitions of its intervals, of which each is whole.
  std::vector<int> shares{};            ///< Rank r has the intervals from shares[r] to shares[r+1].
  /// There are fewer partitions than ranks, and each rank has all of them: all do the same.
  bool is_alike = false;
  std::shared_ptr<const Mesh> mesh{};  ///< The whole one, where another is chosen from it.

  /// Whether others have what this rank has not.
  bool is_shared() const { return ranks != nullptr && !is_alike; }
  bool has_begin() const { return first == 0; }
  /// Whether what is told of it is told by this rank, where all have it.
  bool is_told_here() const { return !is_alike || ranks->rank() == 0; }
  double largest(double mine) const { return is_shared() ? largest_of(*ranks, mine) : mine; }
  /// Where ranks do the same, what is asked of one from outside is still asked of all.
  bool any(bool mine) const { return ranks != nullptr ? any_of(*ranks, mine) : mine; }
  /// Entry by entry, of as many on all ranks.
  std::vector<double> largest_each(std::vector<double> mine) const;
  /// What is told by the rank whose first number is the largest, by the first of several; NaN is
  /// larger than all.
  std::vector<double> worst(std::vector<double> mine) const;
  /// By row of each, the largest size of all columns of all ranks; one column.
  std::pair<MatX, MatX> extents(const MatX& values, const MatX& others) const;
  /// That of the rank with the begin.
  VecX first_column(const MatX& values) const;
  /// What the rank with the begin has, and the one with the end, of what each gives.
  std::pair<std::vector<double>, std::vector<double>> ends(std::span<const double> of_first,
                                                           std::span<const double> of_last) const;
  /// What ranks have of the intervals, or times in them, one rank after the other.
  std::vector<double> joined(std::vector<double> mine) const;
  VecX joined(const VecX& mine) const;
  std::vector<std::string> joined(const std::string& mine) const;
  /// The first text of a rank that is not empty.
  std::string first_of(const std::string& mine) const;

  /// The partitions that are here, as their intervals are counted here: what depends on the
  /// intervals before in its rounding or in what is asked for together, is done by each of them
  /// anew, whoever has it. All intervals at once where no ranks are.
  /// @param intervals  that are here.
  std::vector<IntervalRange> ranges(int intervals) const;

  /// Runs what each rank does by itself: as together() of core/ranks/communicator.hpp has it.
  template <class Work>
  void together(const Work& work) const {
    if (!is_shared()) return work();
    daewave::together(*ranks, work);
  }
};

/// Intervals in parts that ranks take whole: rank r has those from result[r] to result[r + 1].
/// @param borders  of the parts, from 0 to the number of intervals.
/// @throws InvalidOption where there are more ranks than parts.
std::vector<int> share_borders(const std::vector<int>& borders, int ranks);

}  // namespace daewave
