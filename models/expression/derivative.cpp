#include "models/expression/derivative.hpp"

#include <cmath>
#include <utility>

namespace daewave::models {

Ref Derivative::of(Ref expression) {
  const auto found = known_.find(expression);
  if (found != known_.end()) return found->second;
  for (const Ref one : graph_->needed_for({expression})) {
    if (!known_.contains(one)) known_.emplace(one, of_node(one));
  }
  return known(expression);
}

Ref Derivative::of_node(Ref one) {
  Graph& graph = *graph_;
  // A copy: nodes move as others are made.
  const Node node = graph[one];
  const Ref zero = graph.number(0);
  if (node.operation == Operation::number) return zero;
  if (node.operation == Operation::variable) {
    const Ref rate = rate_(node.a);
    return rate < 0 ? zero : rate;
  }
  const auto rate = [&](Ref operand) { return operand < 0 ? zero : known(operand); };
  const Ref a = node.a, b = node.b, da = rate(a), db = rate(b), dc = rate(node.c);
  switch (node.operation) {
    case Operation::add:
      return graph.add(da, db);
    case Operation::subtract:
      return graph.subtract(da, db);
    case Operation::multiply:
      return graph.add(graph.multiply(da, b), graph.multiply(a, db));
    case Operation::divide:
      // (a / b)' = (a' - (a / b) b') / b
      return graph.divide(graph.subtract(da, graph.multiply(one, db)), b);
    case Operation::negate:
      return graph.negate(da);
    case Operation::power: {
      const Ref of_base =
          graph.is_number(da, 0)
              ? zero
              : graph.multiply(
                    graph.multiply(b, graph.power(a, graph.subtract(b, graph.number(1)))), da);
      if (graph.is_number(db, 0)) return of_base;
      return graph.add(
          of_base, graph.multiply(graph.multiply(one, graph.make(Operation::logarithm, a)), db));
    }
    case Operation::arc_tangent_2:
      return graph.divide(graph.subtract(graph.multiply(b, da), graph.multiply(a, db)),
                          graph.add(graph.multiply(a, a), graph.multiply(b, b)));
    case Operation::minimum:
      return graph.make(Operation::select, graph.make(Operation::less_equal, a, b), da, db);
    case Operation::maximum:
      return graph.make(Operation::select, graph.make(Operation::less_equal, b, a), da, db);
    case Operation::select:
      return graph.make(Operation::select, a, db, dc);
    default:
      return graph.is_number(da, 0) ? zero : of_function(one, node, da);
  }
}

Ref Derivative::of_function(Ref one, const Node& node, Ref da) {
  Graph& graph = *graph_;
  const Ref a = node.a;
  const auto over_root = [&](Ref numerator) {
    return graph.divide(numerator,
                        graph.square_root(graph.subtract(graph.number(1), graph.multiply(a, a))));
  };
  const auto squared = [&](Ref x) { return graph.multiply(x, x); };
  switch (node.operation) {
    case Operation::square_root:
      return graph.divide(da, graph.multiply(graph.number(2), one));
    case Operation::sine:
      return graph.multiply(graph.cosine(a), da);
    case Operation::cosine:
      return graph.negate(graph.multiply(graph.sine(a), da));
    case Operation::tangent:
      return graph.multiply(graph.add(graph.number(1), squared(one)), da);
    case Operation::arc_sine:
      return over_root(da);
    case Operation::arc_cosine:
      return graph.negate(over_root(da));
    case Operation::arc_tangent:
      return graph.divide(da, graph.add(graph.number(1), squared(a)));
    case Operation::hyperbolic_sine:
      return graph.multiply(graph.make(Operation::hyperbolic_cosine, a), da);
    case Operation::hyperbolic_cosine:
      return graph.multiply(graph.make(Operation::hyperbolic_sine, a), da);
    case Operation::hyperbolic_tangent:
      return graph.multiply(graph.subtract(graph.number(1), squared(one)), da);
    case Operation::exponential:
      return graph.multiply(one, da);
    case Operation::logarithm:
      return graph.divide(da, a);
    case Operation::absolute:
      return graph.multiply(graph.make(Operation::sign, a), da);
    default:  // Steps: sign, floor, comparisons.
      return graph.number(0);
  }
}

Ref partial_derivative(Graph& graph, Ref of, int variable) {
  const Ref one = graph.number(1);
  return Derivative(graph, [=](int index) { return index == variable ? one : -1; }).of(of);
}

}  // namespace daewave::models
