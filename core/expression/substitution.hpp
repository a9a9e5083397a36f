#pragma once
// Expressions with other expressions in the place of variables.

#include <functional>
#include <unordered_map>

#include "core/expression/graph.hpp"

namespace daewave::expression {

class Substitution {
 public:
  /// @param instead  of a variable; -1: it stays.
  Substitution(Graph& graph, std::function<Ref(int variable)> instead)
      : graph_(&graph), instead_(std::move(instead)) {}

  Ref in(Ref expression);

 private:
  Graph* graph_;
  std::function<Ref(int)> instead_;
  std::unordered_map<Ref, Ref> known_;
};

/// A value at numbers. @param variables  one for each variable that occurs.
double value_at(const Graph& graph, Ref of, const std::function<double(int variable)>& variables);

}  // namespace daewave::expression
