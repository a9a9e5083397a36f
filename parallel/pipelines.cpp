#include "parallel/pipelines.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/error.hpp"
#include "parallel/thread_count.hpp"

namespace daewave::parallel {

const std::vector<std::string>& pipeline_names() {
  static const std::vector<std::string> names{"serial", "threads", "tbb"};
  return names;
}

std::unique_ptr<Pipeline> make_pipeline(const std::string& name, int threads) {
  if (name == "serial") {
    thread_count(threads);
    return std::make_unique<SerialPipeline>();
  }
  if (name == "threads") return std::make_unique<ThreadsPipeline>(threads);
  if (name == "tbb") return std::make_unique<TbbPipeline>(threads);
  throw InvalidOption(
      fmt::format("pipeline = \"{}\"; known: {}", name, fmt::join(pipeline_names(), ", ")));
}

}  // namespace daewave::parallel
