#pragma once
// Ranks in the place of the threads of a pipeline.

#include "core/ranks/communicator.hpp"
#include "core/threads/pipeline.hpp"

namespace daewave {

/// Each rank has some of the stages, one or several. Who shares them out asks for the ranks; one
/// rank alone goes through all stages by itself.
class RankPipeline final : public Pipeline {
 public:
  /// Kept by reference.
  explicit RankPipeline(const Communicator& ranks) : ranks_(ranks) {}

  const Communicator& ranks() const { return ranks_; }

  void run(int slots, const Source& source, const std::vector<Stage>& stages) const override {
    SerialPipeline().run(slots, source, stages);
  }
  int threads() const override { return 1; }

 private:
  const Communicator& ranks_;
};

}  // namespace daewave
