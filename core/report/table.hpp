#pragma once
// Named columns of numbers: what a solution becomes before it is written or drawn.

#include <string>
#include <vector>

namespace daewave {

/// Columns of equal length; NaN marks an entry that does not exist (y where B has no full rank).
struct Table {
  std::vector<std::string> names;            ///< One name per column, unique.
  std::vector<std::vector<double>> columns;  ///< columns[j][i] is row i of column j.

  int rows() const { return columns.empty() ? 0 : static_cast<int>(columns.front().size()); }

  /// Appends a column. @throws Error when its length differs from the columns already there.
  void add(std::string name, std::vector<double> values);

  /// The column of that name. @throws Error naming the known columns when there is none.
  const std::vector<double>& column(const std::string& name) const;
};

/// A name that none of `taken` is: `name`, or that with _ behind it, as often as it takes.
std::string free_name(const std::vector<std::string>& taken, std::string name);

}  // namespace daewave
