#include "parallel/chunk_loop.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"

namespace daewave::parallel {

ChunkLoop::ChunkLoop(int count, int chunk, const Executor::Body& body)
    : count_(std::max(count, 0)), chunk_(chunk), chunks_(0), body_(body), thrown_by_(0) {
  if (chunk < 1) throw InvalidOption(fmt::format("chunk = {}: must be >= 1", chunk));
  chunks_ = count_ / chunk_ + (count_ % chunk_ != 0 ? 1 : 0);
  thrown_by_ = chunks_;
}

void ChunkLoop::run(int index) noexcept {
  if (index > thrown_by_.load(std::memory_order_relaxed)) return;
  const int begin = index * chunk_;
  try {
    body_(begin, begin + std::min(chunk_, count_ - begin));
  } catch (...) {
    const std::lock_guard lock(mutex_);
    if (index >= thrown_by_) return;
    thrown_by_ = index;
    exception_ = std::current_exception();
  }
}

void ChunkLoop::finish() const {
  if (exception_) std::rethrow_exception(exception_);
}

}  // namespace daewave::parallel
