#include <tbb/global_control.h>
#include <tbb/parallel_pipeline.h>
#include <tbb/task_arena.h>

#include <algorithm>

#include "parallel/pipelines.hpp"
#include "parallel/thread_count.hpp"

namespace daewave::parallel {

TbbPipeline::TbbPipeline(int threads) : threads_(thread_count(threads)) {}

void TbbPipeline::run(int slots, const Source& source, const std::vector<Stage>& stages) const {
  int next = 0;
  auto chain = tbb::make_filter<void, int>(tbb::filter_mode::serial_in_order,
                                           [&](tbb::flow_control& control) {
                                             const int slot = next;
                                             if (!source(slot)) control.stop();
                                             next = (next + 1) % slots;
                                             return slot;
                                           });
  for (const Stage& stage : stages) {
    chain =
        chain & tbb::make_filter<int, int>(tbb::filter_mode::serial_in_order, [&stage](int slot) {
          stage(slot);
          return slot;
        });
  }
  const auto whole =
      chain & tbb::make_filter<int, void>(tbb::filter_mode::serial_in_order, [](int) {});
  // TBB warns on the error stream when more are asked for than it may start.
  const auto allowed =
      tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism);
  tbb::task_arena arena(std::min(threads_, static_cast<int>(allowed)));
  arena.execute([&] { tbb::parallel_pipeline(static_cast<std::size_t>(slots), whole); });
}

}  // namespace daewave::parallel
