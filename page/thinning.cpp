#include "page/thinning.hpp"

#include <algorithm>
#include <cmath>

namespace daewave::page {
namespace {

/// Rows of one part of t that a column cannot do without.
void keep_extremes(const std::vector<double>& column, std::size_t begin, std::size_t end,
                   std::vector<std::size_t>& rows) {
  std::size_t least = end, largest = end;
  bool gap = false;
  for (std::size_t i = begin; i < end; ++i) {
    if (!std::isfinite(column[i])) {
      // A line that breaks does so still.
      if (!gap) rows.push_back(i);
      gap = true;
      continue;
    }
    gap = false;
    if (least == end || column[i] < column[least]) least = i;
    if (largest == end || column[i] > column[largest]) largest = i;
  }
  if (least == end) return;
  rows.push_back(least);
  rows.push_back(largest);
}

}  // namespace

std::vector<std::size_t> rows_seen(const std::vector<double>& t,
                                   const std::vector<const std::vector<double>*>& columns,
                                   int bins) {
  std::vector<std::size_t> rows;
  if (t.empty()) return rows;
  const double begin = t.front(), length = t.back() - begin;
  const auto bin_of = [&](std::size_t i) {
    return length == 0 ? 0 : static_cast<int>((t[i] - begin) / length * bins);
  };
  for (std::size_t first = 0; first < t.size();) {
    std::size_t end = first + 1;
    while (end < t.size() && bin_of(end) == bin_of(first)) ++end;
    const auto kept = static_cast<std::ptrdiff_t>(rows.size());
    rows.push_back(first);
    rows.push_back(end - 1);
    if (end - first > 2) {
      for (const std::vector<double>* column : columns) keep_extremes(*column, first, end, rows);
    }
    std::sort(rows.begin() + kept, rows.end());
    rows.erase(std::unique(rows.begin() + kept, rows.end()), rows.end());
    first = end;
  }
  return rows;
}

}  // namespace daewave::page
