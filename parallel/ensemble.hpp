#pragma once
// Many runs that know nothing of each other, such as one problem with many parameters: shared out
// among threads, results handed on in the order of the runs as soon as they are there.

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/threads/executor.hpp"
#include "core/thrown_text.hpp"

namespace daewave::parallel {

/// One run of an ensemble and what came of it.
template <class Result>
struct Member {
  int number = 0;                  ///< From 0.
  std::optional<Result> result{};  ///< None where the run threw.
  std::string error{};             ///< What it threw then.
  double seconds = 0;              ///< Wall clock.
};

namespace detail {

/// Hands members on in their order, one at a time, whoever brings them.
template <class Result>
class InOrder {
 public:
  explicit InOrder(const std::function<bool(Member<Result>&&)>& sink) : sink_(sink) {}

  bool stopped() {
    const std::lock_guard guard(mutex_);
    return stopped_;
  }
  void hand_on(Member<Result>&& member) {
    const std::lock_guard guard(mutex_);
    early_.emplace(member.number, std::move(member));
    while (!stopped_ && !early_.empty() && early_.begin()->first == next_) {
      stopped_ = true;  // Also where the sink throws.
      Member<Result> ready = std::move(early_.begin()->second);
      early_.erase(early_.begin());
      ++next_;
      stopped_ = !sink_(std::move(ready));
    }
  }

 private:
  const std::function<bool(Member<Result>&&)>& sink_;
  std::mutex mutex_;
  std::map<int, Member<Result>> early_;  // Those whose turn has not come.
  int next_ = 0;
  bool stopped_ = false;
};

/// Calls each(i) for i = 0, ..., count - 1. They begin in this order, in whatever order the
/// executor takes its chunks: what waits for its turn is no more than what threads have ended
/// beside one.
inline void in_turn(int count, const Executor& executor, const std::function<void(int i)>& each) {
  std::atomic<int> next{0};
  executor.for_chunks(count, 1, [&](int begin, int end) {
    for (int i = begin; i < end; ++i) each(next.fetch_add(1, std::memory_order_relaxed));
  });
}

}  // namespace detail

/// Calls run(i) for i = 0, ..., count - 1, begun in this order, several at the same time, and
/// sink(member) for each in this order, one at a time: the calls of the sink do not depend on the
/// number of threads. A run that throws does not stop the others. Where the sink returns false no
/// further run begins.
/// @throws what the sink throws.
template <class Result>
void ensemble(int count, const Executor& executor, const std::function<Result(int)>& run,
              const std::function<bool(Member<Result>&&)>& sink) {
  detail::InOrder<Result> in_order(sink);
  detail::in_turn(count, executor, [&](int i) {
    if (in_order.stopped()) return;
    Member<Result> member{.number = i};
    const auto before = std::chrono::steady_clock::now();
    try {
      member.result = run(i);
    } catch (...) {
      member.error = thrown_text();
    }
    member.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - before).count();
    in_order.hand_on(std::move(member));
  });
}

/// The same for runs that go side by side, such as one in each SIMD lane: run(first, size) does
/// those from `first` on and returns one result for each, where it can, or throws or returns
/// none: then each of them is run alone, by run(i, 1), and may fail alone. The seconds of a
/// group are shared out evenly.
/// @param width  of a group, >= 1; the last one may be smaller.
template <class Result>
void ensemble_in_groups(int count, int width, const Executor& executor,
                        const std::function<std::vector<Result>(int first, int size)>& run,
                        const std::function<bool(Member<Result>&&)>& sink) {
  detail::InOrder<Result> in_order(sink);
  const auto run_group = [&](int first, int size, std::string& error) {
    const auto before = std::chrono::steady_clock::now();
    std::vector<Result> results;
    try {
      results = run(first, size);
    } catch (...) {
      error = thrown_text();
    }
    if (static_cast<int>(results.size()) != size) return false;
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - before;
    for (int i = 0; i < size; ++i) {
      in_order.hand_on(
          {first + i, std::move(results[static_cast<std::size_t>(i)]), "", took.count() / size});
    }
    return true;
  };
  detail::in_turn((count + width - 1) / width, executor, [&](int group) {
    const int first = group * width, size = std::min(width, count - first);
    std::string error;
    if (in_order.stopped() || (size > 1 && run_group(first, size, error))) return;
    for (int i = first; i < first + size && !in_order.stopped(); ++i) {
      error.clear();
      if (!run_group(i, 1, error)) in_order.hand_on({i, std::nullopt, error, 0});
    }
  });
}

}  // namespace daewave::parallel
