#include "cli/options/threads.hpp"

#include <fmt/format.h>

#include "core/error.hpp"
#ifdef DAEWAVE_HAS_THREADS
#include "parallel/executors.hpp"
#include "parallel/pipelines.hpp"
#endif

namespace daewave::cli {

#ifdef DAEWAVE_HAS_THREADS

std::shared_ptr<const Pipeline> pipeline_of(int threads) {
  return parallel::make_pipeline("tbb", threads);
}
std::shared_ptr<const Executor> executor_of(int threads) {
  return parallel::make_executor("tbb", threads);
}

#else

namespace {

void refuse_threads(int threads) {
  if (threads == 0 || threads == 1) return;
  throw InvalidOption(
      fmt::format("--threads {}: this build has no threads; leave it out, or build with "
                  "DAEWAVE_WITH_PARALLEL=ON",
                  threads));
}

}  // namespace

std::shared_ptr<const Pipeline> pipeline_of(int threads) {
  refuse_threads(threads);
  return std::make_shared<SerialPipeline>();
}
std::shared_ptr<const Executor> executor_of(int threads) {
  refuse_threads(threads);
  return std::make_shared<Serial>();
}

#endif

}  // namespace daewave::cli
