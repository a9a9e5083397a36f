#pragma once
// Lanes side by side in memory, as many as are known when the program runs: for files that are
// compiled for one instruction set, where std::vector would leave functions behind that others
// share.

#include <cstddef>
#include <new>

#include "core/lanes/lanes.hpp"

namespace daewave {

/// Made once, before what is fast. @tparam T  Lanes.
template <class T>
class LaneArray {
 public:
  /// All zero.
  explicit LaneArray(int size)
      : memory_(static_cast<T*>(
            ::operator new((size > 0 ? static_cast<std::size_t>(size) : 1) * sizeof(T), line))) {
    for (int i = 0; i < size; ++i) memory_[i] = T(0);
  }
  ~LaneArray() { ::operator delete(memory_, line); }
  LaneArray(const LaneArray&) = delete;
  LaneArray& operator=(const LaneArray&) = delete;

  T* data() { return memory_; }
  const T* data() const { return memory_; }
  [[gnu::always_inline]] T& operator[](int i) { return memory_[i]; }
  [[gnu::always_inline]] const T& operator[](int i) const { return memory_[i]; }

 private:
  static constexpr std::align_val_t line{64};
  T* memory_;
};

}  // namespace daewave
