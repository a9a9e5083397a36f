#include <algorithm>
#include <atomic>
#include <system_error>
#include <thread>

#include "parallel/chunk_loop.hpp"
#include "parallel/executors.hpp"
#include "parallel/thread_count.hpp"

namespace daewave::parallel {

Threads::Threads(int threads) : threads_(thread_count(threads)) {}

void Threads::for_chunks(int count, int chunk, const Body& body) const {
  ChunkLoop loop(count, chunk, body);
  std::atomic<int> next{0};
  const auto work = [&loop, &next] {
    while (true) {
      const int index = next.fetch_add(1, std::memory_order_relaxed);
      if (index >= loop.chunks()) return;
      loop.run(index);
    }
  };
  std::vector<std::thread> others;
  others.reserve(static_cast<std::size_t>(threads_));
  try {
    while (static_cast<int>(others.size()) + 1 < std::min(threads_, loop.chunks())) {
      others.emplace_back(work);
    }
  } catch (const std::system_error&) {
    // The system gives no more threads: those there are do the work.
  }
  work();
  for (std::thread& thread : others) thread.join();
  loop.finish();
}

}  // namespace daewave::parallel
