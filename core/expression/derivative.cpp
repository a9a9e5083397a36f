#include "core/expression/derivative.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <utility>

namespace daewave::expression {

namespace {

Ref of_function(Graph& graph, Ref one, const Node& node, Ref da) {
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
    case Operation::decimal_logarithm:
      return graph.divide(da, graph.multiply(a, graph.number(std::numbers::ln10)));
    case Operation::binary_logarithm:
      return graph.divide(da, graph.multiply(a, graph.number(std::numbers::ln2)));
    case Operation::cube_root:
      return graph.divide(da, graph.multiply(graph.number(3), squared(one)));
    case Operation::absolute:
      return graph.multiply(graph.make(Operation::sign, a), da);
    default:  // Steps: sign, floor, comparisons.
      return graph.number(0);
  }
}

/// Where the partial derivatives of a node are among all.
struct Range {
  std::size_t begin = 0, end = 0;
};

class Gradients {
 public:
  Gradients(Graph& graph, const std::vector<Ref>& expressions)
      : graph_(graph), zero_(graph.number(0)), of_(static_cast<std::size_t>(graph.size())) {
    for (const Ref one : graph.needed_for(expressions)) {
      Range& range = of_[static_cast<std::size_t>(one)];
      range.begin = all_.size();
      differentiate(one);
      range.end = all_.size();
    }
  }

  std::vector<Partial> of(Ref expression) const {
    const Range& range = of_[static_cast<std::size_t>(expression)];
    return {all_.begin() + static_cast<std::ptrdiff_t>(range.begin),
            all_.begin() + static_cast<std::ptrdiff_t>(range.end)};
  }

 private:
  void differentiate(Ref one) {
    const Node node = graph_[one];
    if (node.operation == Operation::variable) {
      all_.push_back({node.a, graph_.number(1)});
      return;
    }
    const Ref operands[] = {node.a, node.b, node.c};
    const int count = operands_of(node.operation);
    Range left[3];
    for (int i = 0; i < count; ++i) left[i] = of_[static_cast<std::size_t>(operands[i])];
    for (;;) {
      int variable = -1;
      for (const Range& of : left) {
        if (of.begin == of.end) continue;
        const int here = all_[of.begin].variable;
        if (variable < 0 || here < variable) variable = here;
      }
      if (variable < 0) return;
      Ref rate[] = {zero_, zero_, zero_};
      for (int i = 0; i < count; ++i) {
        Range& of = left[i];
        if (of.begin == of.end || all_[of.begin].variable != variable) continue;
        rate[i] = all_[of.begin++].value;
      }
      const Ref value = derivative_of(graph_, one, rate[0], rate[1], rate[2]);
      if (!graph_.is_number(value, 0)) all_.push_back({variable, value});
    }
  }

  Graph& graph_;
  Ref zero_;
  std::vector<Range> of_;
  std::vector<Partial> all_;
};

}  // namespace

Ref derivative_of(Graph& graph, Ref one, Ref da, Ref db, Ref dc) {
  // A copy: nodes move as others are made.
  const Node node = graph[one];
  const Ref zero = graph.number(0), a = node.a, b = node.b;
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
      return graph.is_number(da, 0) ? zero : of_function(graph, one, node, da);
  }
}

Ref Derivative::of_node(Ref one) {
  const Node node = (*graph_)[one];
  const Ref zero = graph_->number(0);
  if (node.operation == Operation::number) return zero;
  if (node.operation == Operation::variable) {
    const Ref rate = rate_(node.a);
    return rate < 0 ? zero : rate;
  }
  const auto rate = [&](Ref operand) { return operand < 0 ? zero : known(operand); };
  return derivative_of(*graph_, one, rate(node.a), rate(node.b), rate(node.c));
}

Ref Derivative::of(Ref expression) {
  if (is_known(expression)) return known(expression);
  if (known_.size() <= static_cast<std::size_t>(expression)) {
    known_.resize(static_cast<std::size_t>(graph_->size()), not_known);
  }
  // What it is made of and is not known, each once: paths through it may be without number.
  std::vector<Ref> unknown;
  const auto want = [&](Ref one) {
    Ref& derivative = known_[static_cast<std::size_t>(one)];
    if (derivative != not_known) return;
    derivative = wanted;
    unknown.push_back(one);
  };
  want(expression);
  for (std::size_t next = 0; next < unknown.size(); ++next) {
    const Node& node = (*graph_)[unknown[next]];
    const Ref operands[] = {node.a, node.b, node.c};
    for (int i = 0; i < operands_of(node.operation); ++i) want(operands[i]);
  }
  // Operands first.
  std::sort(unknown.begin(), unknown.end());
  for (const Ref one : unknown) known_[static_cast<std::size_t>(one)] = of_node(one);
  return known(expression);
}

Ref partial_derivative(Graph& graph, Ref of, int variable) {
  const Ref one = graph.number(1);
  return Derivative(graph, [=](int index) { return index == variable ? one : -1; }).of(of);
}

std::vector<std::vector<Partial>> gradients_of(Graph& graph, const std::vector<Ref>& expressions) {
  const Gradients gradients(graph, expressions);
  std::vector<std::vector<Partial>> out;
  for (const Ref one : expressions) out.push_back(gradients.of(one));
  return out;
}

}  // namespace daewave::expression
