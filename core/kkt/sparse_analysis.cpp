#include "core/kkt/sparse_analysis.hpp"

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>
#include <algorithm>
#include <cstddef>

namespace daewave {
namespace {

std::size_t index(int i) { return static_cast<std::size_t>(i); }

/// Entries of G in each block of its columns.
std::vector<std::vector<int>> entries_in_blocks(const SparsePattern& pattern, int width) {
  std::vector<std::vector<int>> blocks(index((pattern.columns() + width - 1) / width));
  for (int e = 0; e < static_cast<int>(pattern.entries().size()); ++e) {
    blocks[index(pattern.entries()[index(e)].column / width)].push_back(e);
  }
  return blocks;
}

/// Rows that each row couples with, itself not among them, ascending.
std::vector<std::vector<int>> coupled_rows(const SparsePattern& pattern,
                                           const std::vector<std::vector<int>>& blocks) {
  std::vector<std::vector<int>> neighbours(index(pattern.rows()));
  for (const std::vector<int>& block : blocks) {
    for (const int a : block) {
      for (const int b : block) {
        const int row = pattern.entries()[index(a)].row, other = pattern.entries()[index(b)].row;
        if (row != other) neighbours[index(row)].push_back(other);
      }
    }
  }
  for (std::vector<int>& of_row : neighbours) {
    std::sort(of_row.begin(), of_row.end());
    of_row.erase(std::unique(of_row.begin(), of_row.end()), of_row.end());
  }
  return neighbours;
}

}  // namespace

SparseAnalysis::SparseAnalysis(const SparsePattern& pattern, int width) {
  const auto blocks = entries_in_blocks(pattern, width);
  const auto neighbours = coupled_rows(pattern, blocks);
  find_order(neighbours);
  find_entries(neighbours);
  find_products(pattern, blocks, width);
  count_factor();
}

void SparseAnalysis::find_order(const std::vector<std::vector<int>>& neighbours) {
  const int n = static_cast<int>(neighbours.size());
  row_at_.resize(index(n));
  place_.resize(index(n));
  if (n == 0) return;
  std::vector<Eigen::Triplet<double>> entries;
  for (int j = 0; j < n; ++j) {
    entries.emplace_back(j, j, 1.0);
    for (const int k : neighbours[index(j)]) entries.emplace_back(j, k, 1.0);
  }
  Eigen::SparseMatrix<double> graph(n, n);
  graph.setFromTriplets(entries.begin(), entries.end());
  Eigen::AMDOrdering<int>::PermutationType found;
  Eigen::AMDOrdering<int>()(graph, found);
  for (int k = 0; k < n; ++k) {
    row_at_[index(k)] = found.indices()[k];
    place_[index(found.indices()[k])] = k;
  }
}

void SparseAnalysis::find_entries(const std::vector<std::vector<int>>& neighbours) {
  begin_.push_back(0);
  for (int k = 0; k < rows(); ++k) {
    row_of_entry_.push_back(k);
    for (const int other : neighbours[index(row_at_[index(k)])]) {
      if (place_[index(other)] < k) row_of_entry_.push_back(place_[index(other)]);
    }
    std::sort(row_of_entry_.begin() + begin_.back() + 1, row_of_entry_.end());
    begin_.push_back(entries());
  }
}

/// Of a row and column that are known to have one, row <= column.
int SparseAnalysis::entry_at(int row, int column) const {
  const int diagonal = begin_[index(column)];
  if (row == column) return diagonal;
  const auto first = row_of_entry_.begin();
  return static_cast<int>(
      std::lower_bound(first + diagonal + 1, first + begin_[index(column) + 1], row) - first);
}

void SparseAnalysis::find_products(const SparsePattern& pattern,
                                   const std::vector<std::vector<int>>& blocks, int width) {
  const auto& entries = pattern.entries();
  for (int b = 0; b < static_cast<int>(blocks.size()); ++b) {
    for (const int left : blocks[index(b)]) {
      for (const int right : blocks[index(b)]) {
        const int row = place_[index(entries[index(left)].row)];
        const int column = place_[index(entries[index(right)].row)];
        if (row > column) continue;
        const int i = entries[index(left)].column % width;
        const int j = entries[index(right)].column % width;
        products_.push_back({left, right, (b * width + j) * width + i, entry_at(row, column)});
      }
    }
  }
}

/// Row k of L has entries in the columns that lead to k in the tree from those of S.
void SparseAnalysis::count_factor() {
  const int n = rows();
  parent_.assign(index(n), -1);
  std::vector<int> count(index(n), 0), seen(index(n), -1);
  for (int k = 0; k < n; ++k) {
    seen[index(k)] = k;
    for (int p = begin_[index(k)] + 1; p < begin_[index(k) + 1]; ++p) {
      for (int i = row_of_entry_[index(p)]; seen[index(i)] != k; i = parent_[index(i)]) {
        if (parent_[index(i)] < 0) parent_[index(i)] = k;
        ++count[index(i)];
        seen[index(i)] = k;
      }
    }
  }
  factor_begin_.assign(1, 0);
  for (const int of_column : count) factor_begin_.push_back(factor_begin_.back() + of_column);
}

}  // namespace daewave
