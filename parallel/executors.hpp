#pragma once
// Executors with several threads. Chunks come from the problem and each is run by one thread in the
// order of a serial loop, so results equal those of Serial in every bit.

#include <memory>
#include <string>
#include <vector>

#include "core/threads/executor.hpp"

namespace daewave::parallel {

/// Threads of the standard library, made for each loop; the calling thread takes part.
class Threads final : public Executor {
 public:
  /// @param threads  that run at the same time, >= 1; 0 for all cores. @throws InvalidOption
  explicit Threads(int threads = 0);
  /// @throws InvalidOption unless chunk >= 1, and what a body threw, the first chunk's first.
  void for_chunks(int count, int chunk, const Body& body) const override;
  int threads() const { return threads_; }

 private:
  int threads_;
};

/// A team of OpenMP threads with dynamic scheduling.
class OpenMp final : public Executor {
 public:
  /// Whether this build has OpenMP.
  static bool available();

  /// As Threads. @throws InvalidOption also where OpenMP is not available.
  explicit OpenMp(int threads = 0);
  void for_chunks(int count, int chunk, const Body& body) const override;
  int threads() const { return threads_; }

 private:
  int threads_;
};

/// A task arena of TBB, with no more threads than TBB is allowed in this process: by default the
/// number of cores.
class Tbb final : public Executor {
 public:
  /// As Threads.
  explicit Tbb(int threads = 0);
  ~Tbb() override;
  void for_chunks(int count, int chunk, const Body& body) const override;
  int threads() const { return threads_; }

 private:
  struct Arena;
  int threads_;
  std::unique_ptr<Arena> arena_;
};

/// serial, threads, tbb, and openmp where it is available.
const std::vector<std::string>& executor_names();

/// @param threads  as above; serial ignores it after the same check.
/// @throws InvalidOption naming the known executors, or for an impossible number of threads.
std::unique_ptr<Executor> make_executor(const std::string& name, int threads = 0);

}  // namespace daewave::parallel
