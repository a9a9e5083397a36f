#pragma once
// Memory for dense kernels: aligned to a cache line, rows padded to whole vectors.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <new>
#include <vector>

namespace daewave {

/// Allocates on cache lines. (Eigen's allocator aligns to what the build's instruction set needs,
/// which is less than the kernels chosen at run time use. The aligned operator new takes three
/// times as long as the plain one, which keeps freed memory of all sizes at hand.)
template <class T>
struct CacheLineAllocator {
  using value_type = T;
  static constexpr std::size_t line = 64;

  CacheLineAllocator() = default;
  template <class U>
  CacheLineAllocator(const CacheLineAllocator<U>&) {}

  T* allocate(std::size_t count) {
    if (count > (std::numeric_limits<std::size_t>::max() - line) / sizeof(T))
      throw std::bad_alloc();
    void* const whole = ::operator new(count * sizeof(T) + line);
    // There is room for a pointer before the next line: plain memory is aligned to two of them.
    auto* const begin =
        reinterpret_cast<void**>((reinterpret_cast<std::uintptr_t>(whole) / line + 1) * line);
    begin[-1] = whole;
    return reinterpret_cast<T*>(begin);
  }
  void deallocate(T* memory, std::size_t) {
    ::operator delete(reinterpret_cast<void**>(memory)[-1]);
  }

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
