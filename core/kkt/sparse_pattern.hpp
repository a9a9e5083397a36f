#pragma once
// Which entries of a sparse Jacobian may differ from zero. Made once and then shared by everything
// that evaluates a problem, in any thread.

#include <memory>
#include <vector>

namespace daewave {

/// Row and column of an entry, counted from 0.
struct SparseEntry {
  int row;
  int column;
  friend bool operator==(const SparseEntry&, const SparseEntry&) = default;
};

/// Entries in the order in which they are given: their values come in the same.
class SparsePattern {
 public:
  /// @throws InvalidProblem  an entry out of range or given twice, sizes below zero.
  SparsePattern(int rows, int columns, std::vector<SparseEntry> entries);

  int rows() const { return rows_; }
  int columns() const { return columns_; }
  const std::vector<SparseEntry>& entries() const { return entries_; }
  friend bool operator==(const SparsePattern&, const SparsePattern&) = default;

 private:
  void check() const;

  int rows_, columns_;
  std::vector<SparseEntry> entries_;
};

using SparsePatternPtr = std::shared_ptr<const SparsePattern>;

}  // namespace daewave
