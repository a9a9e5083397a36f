#pragma once
// Many runs that know nothing of each other, such as one problem with many parameters: shared out
// among threads, results handed on in the order of the runs as soon as they are there.

#include <chrono>
#include <exception>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "core/executor.hpp"

namespace daewave::parallel {

/// One run of an ensemble and what came of it.
template <class Result>
struct Member {
  int number = 0;                  ///< From 0.
  std::optional<Result> result{};  ///< None where the run threw.
  std::string error{};             ///< What it threw then.
  double seconds = 0;              ///< Wall clock.
};

/// Calls run(i) for i = 0, ..., count - 1, several at the same time, and sink(member) for each in
/// this order, one at a time: the calls of the sink do not depend on the number of threads. A run
/// that throws does not stop the others. Where the sink returns false no further run begins.
/// @throws what the sink throws.
template <class Result>
void ensemble(int count, const Executor& executor, const std::function<Result(int)>& run,
              const std::function<bool(Member<Result>&&)>& sink) {
  std::mutex mutex;
  std::map<int, Member<Result>> early;  // Those whose turn has not come.
  int next = 0;
  bool stopped = false;

  const auto hand_on = [&](Member<Result>&& member) {
    const std::lock_guard guard(mutex);
    early.emplace(member.number, std::move(member));
    while (!stopped && !early.empty() && early.begin()->first == next) {
      stopped = true;  // Also where the sink throws.
      Member<Result> ready = std::move(early.begin()->second);
      early.erase(early.begin());
      ++next;
      stopped = !sink(std::move(ready));
    }
  };

  const auto body = [&](int begin, int end) {
    for (int i = begin; i < end; ++i) {
      {
        const std::lock_guard guard(mutex);
        if (stopped) return;
      }
      Member<Result> member{.number = i};
      const auto before = std::chrono::steady_clock::now();
      try {
        member.result = run(i);
      } catch (const std::exception& error) {
        member.error = error.what();
      }
      member.seconds =
          std::chrono::duration<double>(std::chrono::steady_clock::now() - before).count();
      hand_on(std::move(member));
    }
  };
  executor.for_chunks(count, 1, body);
}

}  // namespace daewave::parallel
