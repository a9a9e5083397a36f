#include "core/expression/substitution.hpp"

namespace daewave::expression {

Ref Substitution::in(Ref expression) {
  for (const Ref one : graph_->needed_for({expression})) {
    if (known_.contains(one)) continue;
    const Node node = (*graph_)[one];
    if (node.operation == Operation::number) {
      known_.emplace(one, one);
    } else if (node.operation == Operation::variable) {
      const Ref other = instead_(node.a);
      known_.emplace(one, other < 0 ? one : other);
    } else {
      const auto moved = [this](Ref of) { return of < 0 ? -1 : known_.at(of); };
      known_.emplace(one,
                     graph_->make(node.operation, moved(node.a), moved(node.b), moved(node.c)));
    }
  }
  return known_.at(expression);
}

double value_at(const Graph& graph, Ref of, const std::function<double(int)>& variables) {
  std::unordered_map<Ref, double> known;
  for (const Ref one : graph.needed_for({of})) {
    const Node& node = graph[one];
    const auto value = [&known](Ref operand) { return operand < 0 ? 0 : known.at(operand); };
    switch (node.operation) {
      case Operation::number:
        known[one] = node.value;
        break;
      case Operation::variable:
        known[one] = variables(node.a);
        break;
      default:
        known[one] = value_of(node.operation, value(node.a), value(node.b), value(node.c));
    }
  }
  return known.at(of);
}

}  // namespace daewave::expression
