#pragma once
// The terminal value problem of a linear DAE, from a node of a forward solve back to the begin:
// iterates on the same mesh, in the same form, that have their layer at that node. [AL1] (4.5)

#include <limits>
#include <optional>
#include <vector>

#include "bvp/linear/linear_values.hpp"
#include "bvp/linear/sweeps.hpp"

namespace daewave::bvp {

/// Of errors, on the way back.
inline constexpr double default_max_amplification = 1e6;

/// What a pass back is told.
struct BackwardControl {
  int from = 0;  ///< The node that it begins at; 0: the last one.
  /// Direction, nx x ny, along which x there is made consistent; open: the shortest correction.
  std::optional<MatX> correct_along{};
  double most_amplification = default_max_amplification;
  /// Only changes up to this time count for how many iterates there are.
  double watched_up_to = std::numeric_limits<double>::infinity();
  SweepControl sweeps{};
};

struct BackwardPass {
  /// In forward time, on the mesh up to that node. Without values where it was refused.
  Solution solution;
  /// Log of what an error at each node is amplified by up to the begin, at the most; intervals + 1.
  std::vector<double> growth;
  bool ran() const { return solution.has_values(); }
};

/// @param By_0    in forward time and sign.
/// @param report  what it begins with.
/// @throws InvalidOption for a direction of another shape, or that the constraint does not see.
BackwardPass run_back(const LinearData& forward, const Waveform& By_0,
                      const BackwardControl& control, const Options& options, Report report);

}  // namespace daewave::bvp
