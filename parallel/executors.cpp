#include "parallel/executors.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/error.hpp"
#include "parallel/thread_count.hpp"

namespace daewave::parallel {

const std::vector<std::string>& executor_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all{"serial", "threads", "tbb"};
    if (OpenMp::available()) all.insert(all.begin() + 2, "openmp");
    return all;
  }();
  return names;
}

std::unique_ptr<Executor> make_executor(const std::string& name, int threads) {
  if (name == "serial") {
    thread_count(threads);
    return std::make_unique<Serial>();
  }
  if (name == "threads") return std::make_unique<Threads>(threads);
  if (name == "openmp") return std::make_unique<OpenMp>(threads);
  if (name == "tbb") return std::make_unique<Tbb>(threads);
  throw InvalidOption(
      fmt::format("executor = \"{}\"; known: {}", name, fmt::join(executor_names(), ", ")));
}

}  // namespace daewave::parallel
