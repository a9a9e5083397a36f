#pragma once
// Exact derivatives of expressions, as further expressions of the same graph.

#include <cstddef>
#include <functional>
#include <vector>

#include "core/expression/graph.hpp"

namespace daewave::expression {

/// The derivative of a node whose operands have the derivatives da, db, dc; of a variable or a
/// number it is not asked for.
Ref derivative_of(Graph& graph, Ref one, Ref da, Ref db, Ref dc);

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
  bool is_known(Ref one) const {
    return static_cast<std::size_t>(one) < known_.size() && known(one) >= 0;
  }
  Ref known(Ref one) const { return known_[static_cast<std::size_t>(one)]; }

  Graph* graph_;
  std::function<Ref(int)> rate_;
  static constexpr Ref not_known = -1, wanted = -2;
  std::vector<Ref> known_;
};

/// Of an expression by one variable.
Ref partial_derivative(Graph& graph, Ref of, int variable);

/// One entry of a gradient.
struct Partial {
  int variable;
  Ref value;
};

/// Of each expression its partial derivatives, by those variables that it depends on, ascending;
/// those that are zero everywhere left out. One pass over all that the expressions are made of.
std::vector<std::vector<Partial>> gradients_of(Graph& graph, const std::vector<Ref>& expressions);

}  // namespace daewave::expression
