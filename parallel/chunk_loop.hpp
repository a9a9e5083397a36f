#pragma once
// What every executor does with one chunk: call the body, and keep what it throws.

#include <atomic>
#include <exception>
#include <mutex>

#include "core/threads/executor.hpp"

namespace daewave::parallel {

/// The chunks of one loop, numbered from 0. `run` may be called from several threads at once.
///
/// A chunk is left out once one before it has thrown; so the exception that is thrown in the end is
/// that of the first chunk that has one, as in a loop on a single thread.
class ChunkLoop {
 public:
  /// `body` is kept by reference. @throws InvalidOption unless chunk >= 1.
  ChunkLoop(int count, int chunk, const Executor::Body& body);

  int chunks() const { return chunks_; }

  void run(int index) noexcept;

  /// Call when all chunks have been run: throws what a body threw.
  void finish() const;

 private:
  int count_, chunk_, chunks_;
  const Executor::Body& body_;
  std::atomic<int> thrown_by_;  // Number of the first chunk that has thrown; chunks_ for none.
  std::mutex mutex_;
  std::exception_ptr exception_;
};

}  // namespace daewave::parallel
