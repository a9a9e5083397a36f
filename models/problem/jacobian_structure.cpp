#include "models/problem/jacobian_structure.hpp"

#include <algorithm>
#include <utility>

namespace daewave::models {
namespace {

constexpr int of_body = 3;   ///< Coordinates.
constexpr int of_joint = 2;  ///< Rows at most.

/// Which bodies a row speaks of, ascending.
std::vector<int> bodies_of_row(const Graph& graph, const RefMatrix& G, int row) {
  std::vector<int> bodies;
  for (int j = 0; j < G.columns; ++j) {
    if (graph.is_number(G(row, j), 0)) continue;
    if (bodies.empty() || bodies.back() != j / of_body) bodies.push_back(j / of_body);
  }
  return bodies;
}

}  // namespace

std::vector<Ref> chain_columns(const Graph& graph, const RefMatrix& G) {
  const int bodies = G.columns / of_body;
  if (bodies < 1 || G.columns != of_body * bodies || G.rows != 2 * bodies) return {};
  std::vector<Ref> columns;
  for (int i = 0; i < bodies; ++i) {
    for (int k = 0; k < 2; ++k) {
      const int row = 2 * i + k;
      for (int j = 0; j < G.columns; ++j) {
        const int body = j / of_body, coordinate = j % of_body;
        const bool near = body == i || body == i - 1;
        if (near && coordinate == 2) continue;
        const double wanted = near && coordinate == k ? (body == i ? 1 : -1) : 0;
        if (!graph.is_number(G(row, j), wanted)) return {};
      }
    }
    for (const int body : {i, i - 1}) {
      for (int k = 0; k < 2; ++k) {
        // Before the first there is none: any place that is zero.
        columns.push_back(body < 0 ? -1 : G(2 * i + k, of_body * body + 2));
      }
    }
  }
  return columns;
}

std::optional<JointBlocks> joint_blocks(Graph& graph, const RefMatrix& G) {
  if (G.columns % of_body != 0) return {};
  const Ref zero = graph.number(0);
  std::vector<Joint> joints;
  std::vector<std::vector<int>> bodies;
  for (int row = 0; row < G.rows; ++row) {
    std::vector<int> of_row = bodies_of_row(graph, G, row);
    if (of_row.empty() || of_row.size() > 2) return {};
    if (!joints.empty() && joints.back().rows < of_joint && bodies.back() == of_row) {
      ++joints.back().rows;
      continue;
    }
    joints.push_back({1, of_row[0], of_row.size() > 1 ? of_row[1] : Joint::ground});
    bodies.push_back(std::move(of_row));
  }
  JointBlocks out;
  int first = 0;
  for (const Joint& joint : joints) {
    for (const int body : {joint.first, joint.second}) {
      for (int coordinate = 0; coordinate < of_body; ++coordinate) {
        for (int k = 0; k < of_joint; ++k) {
          const bool there = body != Joint::ground && k < joint.rows;
          out.blocks.push_back(there ? G(first + k, of_body * body + coordinate) : zero);
        }
      }
    }
    first += joint.rows;
  }
  out.pattern = std::make_shared<const JointPattern>(G.columns / of_body, std::move(joints));
  return out;
}

SparseRefs sparse_entries(const Graph& graph, const RefMatrix& G) {
  SparseRefs out;
  std::vector<SparseEntry> entries;
  for (int j = 0; j < G.columns; ++j) {
    for (int i = 0; i < G.rows; ++i) {
      if (graph.is_number(G(i, j), 0)) continue;
      entries.push_back({i, j});
      out.values.push_back(G(i, j));
    }
  }
  out.pattern = std::make_shared<const SparsePattern>(G.rows, G.columns, std::move(entries));
  return out;
}

}  // namespace daewave::models
