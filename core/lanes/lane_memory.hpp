#pragma once
// Memory for what is found in lanes, kept from one batch of points to the next.

#include <cstddef>
#include <new>

namespace daewave {

/// Doubles on a cache line. Of the lanes T, for what is compiled with one set of instructions must
/// have a name that nothing compiled with less has: the linker keeps one of two with the same name.
template <class T>
class LaneMemory {
 public:
  LaneMemory() = default;
  LaneMemory(const LaneMemory&) = delete;
  LaneMemory& operator=(const LaneMemory&) = delete;
  ~LaneMemory() { release(); }

  /// Room for `size` of them. What was there is lost where there was less room.
  double* reserve(std::size_t size) {
    if (size > size_) {
      release();
      memory_ = static_cast<double*>(::operator new(size * sizeof(double), line));
      size_ = size;
    }
    return memory_;
  }

 private:
  void release() {
    if (memory_ != nullptr) ::operator delete(memory_, line);
    memory_ = nullptr;
    size_ = 0;
  }

  static constexpr std::align_val_t line{64};
  double* memory_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace daewave
