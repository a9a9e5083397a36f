#pragma once
// Lagrange's polynomials: sum_i l_i(theta) y_i passes through y_i at node i.

#include <cstddef>
#include <vector>

namespace daewave::ivp {

/// l_i(theta) of distinct nodes.
inline double lagrange(const std::vector<double>& nodes, std::size_t i, double theta) {
  double product = 1;
  for (std::size_t j = 0; j < nodes.size(); ++j) {
    if (j != i) product *= (theta - nodes[j]) / (nodes[i] - nodes[j]);
  }
  return product;
}

}  // namespace daewave::ivp
