#pragma once
// Pipelines with several threads. Every stage sees the items in their order, so results equal those
// of SerialPipeline in every bit.

#include <memory>
#include <string>
#include <vector>

#include "core/threads/pipeline.hpp"

namespace daewave::parallel {

/// tbb::parallel_pipeline in a task arena of its own, with no more threads than TBB is allowed in
/// this process: by default the number of cores.
class TbbPipeline final : public Pipeline {
 public:
  /// @param threads  >= 1; 0 for all cores. @throws InvalidOption
  explicit TbbPipeline(int threads = 0);
  void run(int slots, const Source& source, const std::vector<Stage>& stages) const override;
  int threads() const override { return threads_; }

 private:
  int threads_;
};

/// Threads of the standard library, made for each run; the calling thread takes part. Each takes
/// the stage farthest down that is ready.
class ThreadsPipeline final : public Pipeline {
 public:
  /// As TbbPipeline.
  explicit ThreadsPipeline(int threads = 0);
  void run(int slots, const Source& source, const std::vector<Stage>& stages) const override;
  int threads() const override { return threads_; }

 private:
  int threads_;
};

/// serial, threads, tbb.
const std::vector<std::string>& pipeline_names();

/// @param threads  as above; serial ignores it after the same check.
/// @throws InvalidOption naming the known pipelines, or for an impossible number of threads.
std::unique_ptr<Pipeline> make_pipeline(const std::string& name, int threads = 0);

}  // namespace daewave::parallel
