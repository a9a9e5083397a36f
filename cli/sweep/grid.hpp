#pragma once
// --vary: NAME=FROM:TO:COUNT or NAME=VALUE,VALUE,...; several make a grid.

#include <string>
#include <vector>

#include "problems/linear_catalogue.hpp"

namespace daewave::cli {

/// All values of a parameter.
struct Axis {
  std::string name;
  std::vector<double> values;
};

/// The grid of all axes; the last one varies fastest.
class Grid {
 public:
  /// @throws InvalidOption  for another form, and for more than 1e7 runs.
  explicit Grid(const std::vector<std::string>& texts);

  int count() const { return count_; }
  const std::vector<Axis>& axes() const { return axes_; }
  std::vector<problems::Parameter> at(int number) const;

 private:
  std::vector<Axis> axes_;
  int count_ = 1;
};

}  // namespace daewave::cli
