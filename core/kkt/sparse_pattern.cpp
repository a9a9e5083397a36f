#include "core/kkt/sparse_pattern.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <utility>

#include "core/error.hpp"

namespace daewave {

SparsePattern::SparsePattern(int rows, int columns, std::vector<SparseEntry> entries)
    : rows_(rows), columns_(columns), entries_(std::move(entries)) {
  check();
}

void SparsePattern::check() const {
  if (rows_ < 0) throw InvalidProblem(fmt::format("pattern: rows = {}: must be >= 0", rows_));
  if (columns_ < 0) {
    throw InvalidProblem(fmt::format("pattern: columns = {}: must be >= 0", columns_));
  }
  for (std::size_t e = 0; e < entries_.size(); ++e) {
    const auto& [row, column] = entries_[e];
    if (row < 0 || row >= rows_ || column < 0 || column >= columns_) {
      throw InvalidProblem(
          fmt::format("pattern: entry {} = ({}, {}): must be in the rows 0 to {} and the columns 0 "
                      "to {}; count from 0",
                      e, row, column, rows_ - 1, columns_ - 1));
    }
  }
  std::vector<std::size_t> order(entries_.size());
  for (std::size_t e = 0; e < order.size(); ++e) order[e] = e;
  const auto place = [this](std::size_t e) {
    return std::make_pair(entries_[e].row, entries_[e].column);
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return place(a) < place(b); });
  for (std::size_t k = 1; k < order.size(); ++k) {
    if (place(order[k]) != place(order[k - 1])) continue;
    const auto& [row, column] = entries_[order[k]];
    throw InvalidProblem(fmt::format(
        "pattern: entry {} = ({}, {}) is entry {} again: must be there once; add their values",
        order[k], row, column, order[k - 1]));
  }
}

}  // namespace daewave
