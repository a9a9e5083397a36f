#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/partitioner.h>
#include <tbb/task_arena.h>

#include <algorithm>

#include "parallel/chunk_loop.hpp"
#include "parallel/executors.hpp"
#include "parallel/thread_count.hpp"

namespace daewave::parallel {

/// Kept, as threads have to find their way into each new one.
struct Tbb::Arena {
  explicit Arena(int threads) : arena(threads) {}
  tbb::task_arena arena;
};

Tbb::Tbb(int threads) : threads_(thread_count(threads)) {
  // TBB warns on the error stream when more are asked for than it may start.
  const auto allowed =
      tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism);
  arena_ = std::make_unique<Arena>(std::min(threads_, static_cast<int>(allowed)));
}

Tbb::~Tbb() = default;

void Tbb::for_chunks(int count, int chunk, const Body& body) const {
  ChunkLoop loop(count, chunk, body);
  arena_->arena.execute([&loop] {
    tbb::parallel_for(
        0, loop.chunks(), [&loop](int index) { loop.run(index); }, tbb::simple_partitioner());
  });
  loop.finish();
}

}  // namespace daewave::parallel
