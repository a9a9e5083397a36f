#pragma once
// Memory that is taken in pieces, lies in large slabs, and is given back as a whole: under many
// pieces by themselves the system has small pages only, and what is fetched ahead ends with each.

#include <algorithm>
#include <cstddef>
#include <memory>
#include <vector>

#include "core/machine/large_pages.hpp"

namespace daewave::bvp {

class SlabMemory {
 public:
  /// Numbers that are not set to anything: of what is never used no memory is fetched.
  /// @param expected  so many are taken from here on, with these, as far as is known.
  double* take(std::size_t count, std::size_t expected) {
    if (count > left_) {
      constexpr std::size_t most = std::size_t{8} << 20U;
      left_ = std::max(count, std::min(expected, most / sizeof(double)));
      slabs_.push_back(std::make_unique_for_overwrite<double[]>(left_));
      next_ = slabs_.back().get();
      prefer_large_pages(next_, left_ * sizeof(double));
    }
    double* const taken = next_;
    next_ += count;
    left_ -= count;
    return taken;
  }

 private:
  std::vector<std::unique_ptr<double[]>> slabs_;
  double* next_ = nullptr;
  std::size_t left_ = 0;
};

}  // namespace daewave::bvp
