#pragma once
// Memory for dense kernels: aligned to a cache line, rows padded to whole vectors.

#include <cstddef>
#include <cstdint>
#include <new>
#include <utility>
#include <vector>

#include "core/machine/large_pages.hpp"

namespace daewave {

/// Allocates on cache lines. (Eigen's allocator aligns to what the build's instruction set needs,
/// which is less than the kernels chosen at run time use.)
///
/// Small memory comes from the plain operator new, which keeps what was freed at hand and takes a
/// third of the time of the aligned one. Large pages are asked for under large memory.
template <class T>
struct CacheLineAllocator {
  using value_type = T;
  static constexpr std::size_t line = 64;

  CacheLineAllocator() = default;
  template <class U>
  CacheLineAllocator(const CacheLineAllocator<U>&) {}

  T* allocate(std::size_t count) {
    const std::size_t bytes = count * sizeof(T);
    if (!is_small(count)) {
      void* const memory = ::operator new (bytes, std::align_val_t{line});
      prefer_large_pages(memory, bytes);
      return static_cast<T*>(memory);
    }
    void* const whole = ::operator new(bytes + line);
    // There is room for a pointer before the next line: plain memory is aligned to two of them.
    auto* const begin =
        reinterpret_cast<void**>((reinterpret_cast<std::uintptr_t>(whole) / line + 1) * line);
    begin[-1] = whole;
    return reinterpret_cast<T*>(begin);
  }
  void deallocate(T* memory, std::size_t count) {
    if (!is_small(count)) {
      ::operator delete (memory, std::align_val_t{line});
    } else {
      ::operator delete(reinterpret_cast<void**>(memory)[-1]);
    }
  }

  static constexpr bool is_small(std::size_t count) { return count <= 32768 / sizeof(T); }

  template <class U>
  bool operator==(const CacheLineAllocator<U>&) const {
    return true;
  }
};

/// Contiguous doubles starting on a cache line.
using AlignedVector = std::vector<double, CacheLineAllocator<double>>;

/// The same of elements that are not set to zero: to do so takes as long as to write them once
/// more.
template <class T>
struct UnsetAllocator : CacheLineAllocator<T> {
  UnsetAllocator() = default;
  template <class U>
  UnsetAllocator(const UnsetAllocator<U>&) {}
  template <class U>
  struct rebind {
    using other = UnsetAllocator<U>;
  };

  template <class U>
  void construct(U* at) {
    ::new (static_cast<void*>(at)) U;
  }
  template <class U, class... Arguments>
  void construct(U* at, Arguments&&... arguments) {
    ::new (static_cast<void*>(at)) U(std::forward<Arguments>(arguments)...);
  }
};

/// As AlignedVector, of numbers that are written before they are read.
using UnsetVector = std::vector<double, UnsetAllocator<double>>;

/// Doubles in the longest vector register in use; padded rows are a multiple of it.
inline constexpr int vector_width = 8;

/// `columns` rounded up to whole vectors.
inline constexpr int padded(int columns) {
  return (columns + vector_width - 1) / vector_width * vector_width;
}

}  // namespace daewave
