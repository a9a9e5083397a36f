#pragma once
// What a graph of expressions is made of: its nodes, operands first.

#include "core/error.hpp"
#include "models/expression/graph.hpp"
#include "python/module/pickled.hpp"

namespace daewave::python {

struct GraphParts {
  Eigen::Matrix<int, Eigen::Dynamic, 4> nodes;  ///< Operation and three operands of each.
  VecX values;                                  ///< Of those that are numbers.
};

template <>
struct Members<GraphParts> {
  static auto of(auto& of_all) {
    auto& [nodes, values] = of_all;
    return std::tie(nodes, values);
  }
};

template <>
struct Crossing<models::Graph> {
  static GraphParts out(const models::Graph& graph) {
    GraphParts parts;
    parts.nodes.resize(graph.size(), 4);
    parts.values.resize(graph.size());
    for (models::Ref i = 0; i < graph.size(); ++i) {
      const models::Node& node = graph[i];
      parts.nodes.row(i) << static_cast<int>(node.operation), node.a, node.b, node.c;
      parts.values[i] = node.value;
    }
    return parts;
  }

  /// Made once more: what is simple already is not made simpler, so that each has its number again.
  /// @throws InvalidProblem where one has not.
  static models::Graph in(const GraphParts& parts) {
    models::Graph graph;
    if (parts.values.size() != parts.nodes.rows()) throw damaged();
    for (models::Ref i = 0; i < parts.nodes.rows(); ++i) {
      const int operation = parts.nodes(i, 0);
      if (operation < 0 || operation > static_cast<int>(models::Operation::select)) throw damaged();
      const auto kind = static_cast<models::Operation>(operation);
      for (int k = 0; k < models::operands_of(kind); ++k) {
        const int operand = parts.nodes(i, 1 + k);
        if (operand < 0 || operand >= i) throw damaged();
      }
      const int a = parts.nodes(i, 1), b = parts.nodes(i, 2), c = parts.nodes(i, 3);
      const models::Ref made = kind == models::Operation::number     ? graph.number(parts.values[i])
                               : kind == models::Operation::variable ? graph.variable(a)
                                                                     : graph.make(kind, a, b, c);
      if (made != i) throw damaged();
    }
    return graph;
  }

 private:
  static InvalidProblem damaged() { return InvalidProblem("a graph that was pickled is damaged"); }
};

}  // namespace daewave::python
