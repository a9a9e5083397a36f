#pragma once
// Who runs the stages of a pipeline: the solvers do not know whether there are threads.

#include <functional>
#include <vector>

namespace daewave {

/// Items pass through stages, stage by stage and in their order, so that every stage may have a
/// state of its own. An item is a number of a slot: memory that the caller owns, used again once
/// the item before in it has left the last stage.
class Pipeline {
 public:
  /// Fills the slot given; false when there are no more items.
  using Source = std::function<bool(int slot)>;
  using Stage = std::function<void(int slot)>;

  virtual ~Pipeline() = default;

  /// Calls every stage for every item: of one stage never two at the same time, nor out of order.
  /// Returns when all are done. @param slots  items at the same time, >= 1; items use slots 0, 1,
  /// ..., slots - 1, 0, 1, ... in turn. An exception of a stage is thrown again here, once those
  /// that run have come back.
  virtual void run(int slots, const Source& source, const std::vector<Stage>& stages) const = 0;

  /// Stages that run at the same time at most.
  virtual int threads() const = 0;
};

/// One item after the other on the calling thread.
class SerialPipeline final : public Pipeline {
 public:
  void run(int slots, const Source& source, const std::vector<Stage>& stages) const override {
    for (int slot = 0; source(slot); slot = (slot + 1) % slots) {
      for (const Stage& stage : stages) stage(slot);
    }
  }
  int threads() const override { return 1; }
};

}  // namespace daewave
