#pragma once
// Lines of equal value of a field.

#include "large/flow/field.hpp"

namespace daewave::flow {

/// A polyline for each line that a level has, one behind the other with NaN between them.
struct Contour {
  double level = 0;
  std::vector<double> x, y;
};

/// Linear on edges between corners; a cell whose corners lie crosswise is divided by its mean.
Contour contour(const CornerField& field, double level);

}  // namespace daewave::flow
