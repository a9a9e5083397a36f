#pragma once
// Memory that is taken in pieces, lies in large slabs, and is given back as a whole: under many
// pieces by themselves the system has small pages only, and what is fetched ahead ends with each.

#include <algorithm>
#include <cstddef>
#include <vector>

#include "core/machine/aligned.hpp"

namespace daewave::bvp {

class SlabMemory {
 public:
  /// Numbers on a cache line that are not set to anything: of what is never used no memory is
  /// fetched.
  /// @param expected  so many are taken from here on, with these, as far as is known.
  double* take(std::size_t count, std::size_t expected) {
    constexpr std::size_t line = CacheLineAllocator<double>::line / sizeof(double);
    count = (count + line - 1) / line * line;
    if (count > left_) {
      constexpr std::size_t most = (std::size_t{8} << 20U) / sizeof(double);
      left_ = std::max(count, std::min(expected, most));
      next_ = slabs_.emplace_back(left_).data();
    }
    double* const taken = next_;
    next_ += count;
    left_ -= count;
    return taken;
  }

 private:
  std::vector<UnsetVector> slabs_;
  double* next_ = nullptr;
  std::size_t left_ = 0;
};

}  // namespace daewave::bvp
