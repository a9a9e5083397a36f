#pragma once
// Structure of a Jacobian that is seen in its expressions: nobody has to say it.

#include <optional>
#include <vector>

#include "core/expression/graph.hpp"
#include "core/kkt/joint_pattern.hpp"
#include "core/kkt/sparse_pattern.hpp"

namespace daewave::expression {

/// A matrix of expressions: of each row the entries that are not zero everywhere, by column. Memory
/// is that of these.
struct RefRows {
  struct Entry {
    int column;
    Ref value;
  };

  int columns = 0;
  std::vector<std::vector<Entry>> rows{};

  /// -1 for an entry that is zero.
  Ref find(int row, int column) const;
  /// All, by columns.
  std::vector<Ref> dense(Graph& graph) const;
};

/// own_i and before_i of core/kkt/chain_jacobian.hpp, four expressions for each body; empty where
/// the matrix is of no chain.
std::vector<Ref> chain_columns(Graph& graph, const RefRows& G);

struct JointBlocks {
  JointPatternPtr pattern;
  /// Of each end of each joint, 2 x 3 by columns; zero for what is not there.
  std::vector<Ref> blocks;
};

/// Rows that follow each other and speak of the same two bodies are a joint, two rows at most;
/// empty where a row speaks of more than two bodies, of three coordinates each.
std::optional<JointBlocks> joint_blocks(Graph& graph, const RefRows& G);

struct SparseRefs {
  SparsePatternPtr pattern;
  std::vector<Ref> values;
};

/// By rows.
SparseRefs sparse_entries(const RefRows& G);

}  // namespace daewave::expression
