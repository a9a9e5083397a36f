// Two stages of a pipeline that share what they must not: the thread sanitizer ends it with an
// error.

#include <atomic>
#include <chrono>
#include <thread>

#include "parallel/pipelines.hpp"

int main() {
  long shared = 0;
  // Until both stages have been at work at the same time, however long the second thread takes to
  // come; in an order that keeps none of them from racing.
  std::atomic<int> at_work = 0;
  std::atomic<bool> met = false;
  const auto add = [&](int) {
    if (at_work.fetch_add(1, std::memory_order_relaxed) > 0) {
      met.store(true, std::memory_order_relaxed);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    ++shared;
    at_work.fetch_sub(1, std::memory_order_relaxed);
  };
  const auto source = [&](int) { return !met.load(std::memory_order_relaxed); };
  daewave::parallel::ThreadsPipeline(2).run(8, source, {add, add});
  return shared == 0 ? 1 : 0;
}
