#pragma once
// Memory for dense kernels: aligned to a cache line, rows padded to whole vectors.

#include <cstddef>
#include <new>
#include <vector>

namespace daewave {

/// Allocates on cache lines. (Eigen's allocator aligns to what the build's instruction set needs,
/// which is less than the kernels chosen at run time use.)
template <class T>
struct CacheLineAllocator {
  using value_type = T;
  static constexpr std::align_val_t line{64};

  CacheLineAllocator() = default;
  template <class U>
  CacheLineAllocator(const CacheLineAllocator<U>&) {}

  T* allocate(std::size_t count) {
    return static_cast<T*>(::operator new(count * sizeof(T), line));
  }
  void deallocate(T* memory, std::size_t) { ::operator delete(memory, line); }

  template <class U>
  bool operator==(const CacheLineAllocator<U>&) const {
    return true;
  }
};

/// Contiguous doubles starting on a cache line.
using AlignedVector = std::vector<double, CacheLineAllocator<double>>;

/// Doubles in the longest vector register in use; padded rows are a multiple of it.
inline constexpr int vector_width = 8;

/// `columns` rounded up to whole vectors.
inline constexpr int padded(int columns) {
  return (columns + vector_width - 1) / vector_width * vector_width;
}

}  // namespace daewave
