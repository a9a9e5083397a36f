#pragma once
// Effort/precision diagrams: errors over step sizes, a curve for each method.

#include <string>
#include <vector>

namespace daewave::reproduce {

struct ErrorCurve {
  std::string label;
  std::vector<double> h, error;  ///< NaN where the run failed.
};

struct ErrorPanel {
  std::string title;
  std::vector<ErrorCurve> curves;
};

}  // namespace daewave::reproduce
