#pragma once
// What a multistep formula keeps of the steps before: x as increments, so that sums over the past
// carry no rounding of x, and x itself with what rounding took from it.

#include <array>

#include "core/types.hpp"
#include "ivp/multistep/grid_coefficients.hpp"

namespace daewave::ivp {

/// A node of the past.
struct PastNode {
  double t = 0;
  VecX x;
  VecX increment;  ///< x minus that of the node before it; 0 at the first.
  VecX f;          ///< nx.
  VecX term;       ///< B lambda; nx.
  VecX lambda;     ///< nl.
};

class MultistepPast {
 public:
  /// Begins anew, with memory for all there will ever be.
  void start(int nx, int nl);

  int count() const { return count_; }
  /// Node n - j of the last node n, 0 <= j < count().
  const PastNode& node(int j) const { return nodes_[static_cast<std::size_t>(j)]; }

  /// Memory of the node to come: to be filled, except x, and then kept or overwritten.
  PastNode& next() { return nodes_.back(); }
  /// x of the node to come is the last one plus `increment`; of the first, it is given.
  void set_next_x(const VecX& increment);
  /// The node to come is the last one. The oldest is forgotten.
  void keep_next();

  /// Times of the node to come at t and of those before it, in steps of h.
  void nodes_before(double t, double h, GridNodes& nodes) const;

 private:
  std::array<PastNode, most_multistep_nodes + 1> nodes_{};  ///< The newest first; next() is last.
  VecX lost_, next_lost_;  ///< What x lacks of the sum of the increments.
  int count_ = 0;
};

}  // namespace daewave::ivp
