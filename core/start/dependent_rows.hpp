#pragma once
// Rows of a matrix that are sums of others.

#include <vector>

#include "core/types.hpp"

namespace daewave {

/// From 0: of those that could be left out the later ones, where the earlier ones are far from
/// dependent.
std::vector<int> dependent_rows(const MatX& G);

}  // namespace daewave
