#include <algorithm>

#include "core/error.hpp"
#include "parallel/chunk_loop.hpp"
#include "parallel/executors.hpp"
#include "parallel/thread_count.hpp"

namespace daewave::parallel {

#ifdef _OPENMP
bool OpenMp::available() { return true; }
#else
bool OpenMp::available() { return false; }
#endif

OpenMp::OpenMp(int threads) : threads_(thread_count(threads)) {
  if (!available()) {
    throw InvalidOption(
        "executor = \"openmp\": this build has none, as its compiler found no OpenMP; use tbb or "
        "threads");
  }
}

void OpenMp::for_chunks(int count, int chunk, const Body& body) const {
  ChunkLoop loop(count, chunk, body);
  const int chunks = loop.chunks();
#ifdef _OPENMP
#pragma omp parallel for schedule(dynamic) num_threads(std::clamp(chunks, 1, threads_))
#endif
  for (int index = 0; index < chunks; ++index) loop.run(index);
  loop.finish();
}

}  // namespace daewave::parallel
