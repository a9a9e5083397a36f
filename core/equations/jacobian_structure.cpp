#include "core/equations/jacobian_structure.hpp"

#include <utility>

namespace daewave::expression {
namespace {

constexpr int of_body = 3;   ///< Coordinates.
constexpr int of_joint = 2;  ///< Rows at most.

/// Which bodies a row speaks of, ascending.
std::vector<int> bodies_of(const std::vector<RefRows::Entry>& row) {
  std::vector<int> bodies;
  for (const RefRows::Entry& entry : row) {
    const int body = entry.column / of_body;
    if (bodies.empty() || bodies.back() != body) bodies.push_back(body);
  }
  return bodies;
}

/// Coordinate k of body i less that of the body before it, and both angles.
bool is_row_of_chain(const Graph& graph, const std::vector<RefRows::Entry>& row, int i, int k) {
  int fixed = 0;
  for (const RefRows::Entry& entry : row) {
    const int body = entry.column / of_body, coordinate = entry.column % of_body;
    if (body != i && body != i - 1) return false;
    if (coordinate == 2) continue;
    if (coordinate != k || !graph.is_number(entry.value, body == i ? 1 : -1)) return false;
    ++fixed;
  }
  return fixed == (i > 0 ? 2 : 1);
}

}  // namespace

Ref RefRows::find(int row, int column) const {
  for (const Entry& entry : rows[static_cast<std::size_t>(row)]) {
    if (entry.column == column) return entry.value;
  }
  return -1;
}

std::vector<Ref> RefRows::dense(Graph& graph) const {
  std::vector<Ref> all(rows.size() * static_cast<std::size_t>(columns), graph.number(0));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (const Entry& entry : rows[i]) {
      all[i + static_cast<std::size_t>(entry.column) * rows.size()] = entry.value;
    }
  }
  return all;
}

std::vector<Ref> chain_columns(Graph& graph, const RefRows& G) {
  const int bodies = G.columns / of_body;
  if (G.columns != of_body * bodies || static_cast<int>(G.rows.size()) != 2 * bodies) return {};
  const Ref zero = graph.number(0);
  std::vector<Ref> columns;
  for (int i = 0; i < bodies; ++i) {
    for (int k = 0; k < 2; ++k) {
      if (!is_row_of_chain(graph, G.rows[static_cast<std::size_t>(2 * i + k)], i, k)) return {};
    }
    for (const int body : {i, i - 1}) {
      for (int k = 0; k < 2; ++k) {
        const Ref turn = G.find(2 * i + k, of_body * body + 2);
        columns.push_back(turn < 0 ? zero : turn);
      }
    }
  }
  return columns;
}

std::optional<JointBlocks> joint_blocks(Graph& graph, const RefRows& G) {
  if (G.columns % of_body != 0) return {};
  const Ref zero = graph.number(0);
  std::vector<Joint> joints;
  std::vector<std::vector<int>> bodies;
  for (const std::vector<RefRows::Entry>& row : G.rows) {
    std::vector<int> of_row = bodies_of(row);
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
          const Ref value = there ? G.find(first + k, of_body * body + coordinate) : -1;
          out.blocks.push_back(value < 0 ? zero : value);
        }
      }
    }
    first += joint.rows;
  }
  out.pattern = std::make_shared<const JointPattern>(G.columns / of_body, std::move(joints));
  return out;
}

SparseRefs sparse_entries(const RefRows& G) {
  SparseRefs out;
  std::vector<SparseEntry> entries;
  for (std::size_t i = 0; i < G.rows.size(); ++i) {
    for (const RefRows::Entry& entry : G.rows[i]) {
      entries.push_back({static_cast<int>(i), entry.column});
      out.values.push_back(entry.value);
    }
  }
  out.pattern = std::make_shared<const SparsePattern>(static_cast<int>(G.rows.size()), G.columns,
                                                      std::move(entries));
  return out;
}

}  // namespace daewave::expression
