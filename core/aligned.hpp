#pragma once
// Memory for dense kernels: aligned to a cache line, rows padded to whole vectors.

#include <Eigen/Core>
#include <vector>

namespace daewave {

/// Contiguous doubles starting on a cache line.
using AlignedVector = std::vector<double, Eigen::aligned_allocator<double>>;

/// Doubles in the longest vector register in use; padded rows are a multiple of it.
inline constexpr int vector_width = 8;

/// `columns` rounded up to whole vectors.
inline constexpr int padded(int columns) {
  return (columns + vector_width - 1) / vector_width * vector_width;
}

}  // namespace daewave
