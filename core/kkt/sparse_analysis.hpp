#pragma once
// What follows from the pattern of a sparse G alone for
//
//   S = G W G^T = L D L^T,   W diagonal in blocks of `width` coordinates:
//
// the order of elimination, where the entries of S come from, and how many L has. Row j and row k
// of G couple in S where they have entries in one block.

#include <vector>

#include "core/kkt/sparse_pattern.hpp"

namespace daewave {

/// Rows are eliminated in an order of approximately minimum degree: where each row has few
/// coordinates and each coordinate is in few rows, chains and trees have a fill that is linear in
/// the rows, nets of n rows one of about n log n. A coordinate in d rows couples them all, in d^2 /
/// 2 entries. Positions below are those in this order.
class SparseAnalysis {
 public:
  /// S_entry += G[left] W[weight] G[right].
  struct Product {
    int left, right;  ///< Entries of G.
    int weight;       ///< width^2 numbers for each block of W, column by column.
    int entry;        ///< Of S.
  };

  /// @param width  1, or a divisor of the columns.
  SparseAnalysis(const SparsePattern& pattern, int width);

  int rows() const { return static_cast<int>(row_at_.size()); }
  /// Row of G that is eliminated at a position.
  const std::vector<int>& row_at() const { return row_at_; }

  /// Columns of S, from the top to the diagonal: column k has the entries [begin()[k],
  /// begin()[k + 1]), of which the first is its diagonal.
  const std::vector<int>& begin() const { return begin_; }
  /// Position of the row of each entry of S.
  const std::vector<int>& row_of_entry() const { return row_of_entry_; }
  int entries() const { return static_cast<int>(row_of_entry_.size()); }
  const std::vector<Product>& products() const { return products_; }

  /// The elimination tree: the first row below the diagonal of a column of L, -1 for none.
  const std::vector<int>& parent() const { return parent_; }
  /// Columns of L below the diagonal: column k has room for [factor_begin()[k],
  /// factor_begin()[k + 1]).
  const std::vector<int>& factor_begin() const { return factor_begin_; }
  /// Entries of L below the diagonal, fill included.
  int factor_entries() const { return factor_begin_.empty() ? 0 : factor_begin_.back(); }

 private:
  void find_order(const std::vector<std::vector<int>>& neighbours);
  void find_entries(const std::vector<std::vector<int>>& neighbours);
  void find_products(const SparsePattern& pattern, const std::vector<std::vector<int>>& blocks,
                     int width);
  void count_factor();
  int entry_at(int row, int column) const;

  std::vector<int> row_at_, place_;
  std::vector<int> begin_, row_of_entry_;
  std::vector<Product> products_;
  std::vector<int> parent_, factor_begin_;
};

}  // namespace daewave
