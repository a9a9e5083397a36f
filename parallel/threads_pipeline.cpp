#include <condition_variable>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>

#include "parallel/pipelines.hpp"
#include "parallel/thread_count.hpp"

namespace daewave::parallel {
namespace {

/// The items of one run and how far each stage has come; threads ask it for work.
class Belt {
 public:
  Belt(int slots, const Pipeline::Source& source, const std::vector<Pipeline::Stage>& stages)
      : slots_(slots), source_(source), stages_(stages), done_(stages.size() + 1, 0) {
    busy_.assign(done_.size(), false);
  }

  /// Until nothing is left; an exception ends it for all.
  void work() {
    std::unique_lock lock(mutex_);
    while (!finished()) {
      const int stage = ready();
      if (stage < 0) {
        changed_.wait(lock);
        continue;
      }
      const auto s = static_cast<std::size_t>(stage);
      busy_[s] = true;
      const int slot = static_cast<int>(done_[s] % slots_);
      lock.unlock();
      const bool more = call(stage, slot);
      lock.lock();
      busy_[s] = false;
      if (more) {
        ++done_[s];
      } else {
        ended_ = true;
      }
      changed_.notify_all();
    }
  }

  void finish() const {
    if (exception_) std::rethrow_exception(exception_);
  }

 private:
  /// Stage 0 is the source. False where it has no more items, or something was thrown.
  bool call(int stage, int slot) {
    try {
      if (stage == 0) return source_(slot);
      stages_[static_cast<std::size_t>(stage - 1)](slot);
      return true;
    } catch (...) {
      const std::lock_guard guard(mutex_);
      if (!exception_) exception_ = std::current_exception();
      return false;
    }
  }

  bool finished() const {
    if (exception_) return true;
    return ended_ && done_.back() == done_.front();
  }

  /// The stage farthest down that has an item and nobody at it; -1 for none.
  int ready() const {
    for (std::size_t s = done_.size() - 1; s > 0; --s) {
      if (!busy_[s] && done_[s] < done_[s - 1]) return static_cast<int>(s);
    }
    const bool room = done_.front() - done_.back() < slots_;
    return !ended_ && !busy_[0] && room ? 0 : -1;
  }

  int slots_;
  const Pipeline::Source& source_;
  const std::vector<Pipeline::Stage>& stages_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<long> done_;  ///< Items that the source, and each stage, are through with.
  std::vector<bool> busy_;
  bool ended_ = false;
  std::exception_ptr exception_;
};

}  // namespace

ThreadsPipeline::ThreadsPipeline(int threads) : threads_(thread_count(threads)) {}

void ThreadsPipeline::run(int slots, const Source& source, const std::vector<Stage>& stages) const {
  Belt belt(slots, source, stages);
  std::vector<std::thread> others;
  others.reserve(static_cast<std::size_t>(threads_));
  try {
    while (static_cast<int>(others.size()) + 1 < threads_ && others.size() < stages.size()) {
      others.emplace_back([&belt] { belt.work(); });
    }
  } catch (const std::system_error&) {
    // The system gives no more threads: those there are do the work.
  }
  belt.work();
  for (std::thread& thread : others) thread.join();
  belt.finish();
}

}  // namespace daewave::parallel
