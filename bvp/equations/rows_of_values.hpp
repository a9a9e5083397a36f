#pragma once
// What a system was evaluated to at many points, copied or divided into columns of a Jacobian: as
// many points at once as a register of the machine has numbers.

#include <cstddef>

namespace daewave::bvp {

/// Values at points, entry i at point p at [i * stride + p]; null: there are none.
struct RowsOfValues {
  const double* values = nullptr;
  std::ptrdiff_t stride = 0;
};

/// to[i stride + p] = from[i, p], i below rows, p below points. They do not overlap.
/// @return whether all of these are finite.
bool copy_values(const RowsOfValues& from, int rows, int points, std::ptrdiff_t stride, double* to);

/// column[i stride + p] = (moved[i, p] - base[i stride + p]) / taken[p], i below rows, p below
/// points. The column may be where the moved values are.
/// @return whether all of these are finite.
bool divide_differences(const RowsOfValues& moved, const double* base, const double* taken,
                        int rows, int points, std::ptrdiff_t stride, double* column);

}  // namespace daewave::bvp
