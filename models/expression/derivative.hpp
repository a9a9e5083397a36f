#pragma once
// Exact derivatives of expressions, as further expressions of the same graph.

#include <functional>
#include <unordered_map>
#include <vector>

#include "models/expression/graph.hpp"

namespace daewave::models {

/// Along one direction, which may depend on variables itself: of velocities q' = v, for instance.
/// At a kink (abs, min, max, comparisons) it is that of the side which the value is taken from.
class Derivative {
 public:
  /// @param rate  of each variable, an expression; -1: it stands still. Asked for once.
  Derivative(Graph& graph, std::function<Ref(int variable)> rate)
      : graph_(&graph), rate_(std::move(rate)) {}

  Ref of(Ref expression);

 private:
  /// Those of the operands are known.
  Ref of_node(Ref one);
  Ref of_function(Ref one, const Node& node, Ref da);
  Ref known(Ref one) const { return known_.at(one); }

  Graph* graph_;
  std::function<Ref(int)> rate_;
  std::unordered_map<Ref, Ref> known_;
};

/// Of an expression by one variable.
Ref partial_derivative(Graph& graph, Ref of, int variable);

}  // namespace daewave::models
