#pragma once
// The mesh t_0 < t_1 < ... < t_N on which everything is discretized.

#include <vector>

#include "core/types.hpp"

namespace daewave {

/// N intervals between N + 1 increasing nodes.
///
/// A uniform mesh computes t_i = t_0 + i h, so that no rounding accumulates over long horizons.
class Mesh {
 public:
  Mesh() = default;

  /// @param nodes  at least two, finite, strictly increasing.
  /// @throws InvalidProblem naming the first node that breaks the rule.
  explicit Mesh(std::vector<double> nodes);

  int intervals() const { return static_cast<int>(nodes_.size()) - 1; }
  double node(int i) const { return nodes_[i]; }
  double step(int i) const { return nodes_[i + 1] - nodes_[i]; }  ///< h of interval i, i >= 0.
  double begin() const { return nodes_.front(); }
  double end() const { return nodes_.back(); }
  double smallest_step() const;
  double largest_step() const;
  const std::vector<double>& nodes() const { return nodes_; }

  /// The interval i with node(i) <= t <= node(i + 1); the left one when t is an inner node.
  /// @throws InvalidOption when t is outside the mesh or not a number.
  int locate(double t) const;

  /// The mesh with every interval halved that has a number between its ends.
  Mesh halved() const;

 private:
  std::vector<double> nodes_;
};

/// N equal intervals. @throws InvalidOption unless begin < end, both finite, and intervals >= 1.
Mesh uniform_mesh(double begin, double end, int intervals);

/// N intervals of the same density as `mesh`, node i at the i/N quantile of its node distribution.
Mesh resized(const Mesh& mesh, int intervals);

}  // namespace daewave
