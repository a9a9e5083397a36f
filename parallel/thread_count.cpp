#include "parallel/thread_count.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <thread>

#include "core/error.hpp"

namespace daewave::parallel {

int thread_count(int asked) {
  if (asked < 0 || asked > most_threads) {
    throw InvalidOption(fmt::format("threads = {}: must be between 1 and {}, or 0 for all cores",
                                    asked, most_threads));
  }
  if (asked > 0) return asked;
  return std::clamp(static_cast<int>(std::thread::hardware_concurrency()), 1, most_threads);
}

}  // namespace daewave::parallel
