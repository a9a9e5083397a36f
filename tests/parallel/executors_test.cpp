#include "parallel/executors.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <climits>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

#include "core/error.hpp"
#include "parallel/thread_count.hpp"
#include "tests/catch.hpp"
#include "tests/parallel/executors_to_test.hpp"

using namespace daewave;
using namespace daewave::parallel;

namespace {

struct Chunk {
  int begin, end;
  bool operator<(const Chunk& other) const {
    return begin != other.begin ? begin < other.begin : end < other.end;
  }
  bool operator==(const Chunk& other) const { return begin == other.begin && end == other.end; }
};

/// The chunks a loop was cut into, ordered.
std::multiset<Chunk> chunks_of(const Executor& executor, int count, int chunk) {
  std::multiset<Chunk> chunks;
  std::mutex mutex;
  executor.for_chunks(count, chunk, [&](int begin, int end) {
    const std::lock_guard lock(mutex);
    chunks.insert({begin, end});
  });
  return chunks;
}

/// "chunk <begin>" of the exception that came out, or "none".
std::string thrown_by(const Executor& executor, int count, int chunk, const Executor::Body& body) {
  try {
    executor.for_chunks(count, chunk, body);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "none";
}

}  // namespace

TEST_CASE("every executor runs each chunk of a serial loop once", "[parallel]") {
  const std::string name = GENERATE(from_range(executors_to_test()));
  const int threads = GENERATE(1, 2, 3, 4, 0);
  CAPTURE(name, threads);
  const auto executor = make_executor(name, threads);
  for (const int count : {0, 1, 7, 64, 65, 1000}) {
    for (const int chunk : {1, 2, 64, 1000, INT_MAX}) {
      CAPTURE(count, chunk);
      CHECK(chunks_of(*executor, count, chunk) == chunks_of(Serial(), count, chunk));
    }
  }
}

TEST_CASE("a loop over nothing calls nothing", "[parallel]") {
  const std::string name = GENERATE(from_range(executors_to_test()));
  CAPTURE(name);
  const auto executor = make_executor(name, 2);
  CHECK(chunks_of(*executor, 0, 8).empty());
  CHECK(chunks_of(*executor, -3, 8).empty());
}

TEST_CASE("what the first throwing chunk throws is thrown, whatever the timing", "[parallel]") {
  const std::string name = GENERATE(from_range(executors_to_test()));
  const int threads = GENERATE(1, 2, 4);
  CAPTURE(name, threads);
  const auto executor = make_executor(name, threads);
  for (int repeat = 0; repeat < 50; ++repeat) {
    const std::string message = thrown_by(*executor, 100, 10, [&](int begin, int) {
      if (begin == 30) std::this_thread::sleep_for(std::chrono::microseconds(200));
      if (begin >= 30) throw std::runtime_error("chunk " + std::to_string(begin));
    });
    CHECK(message == "chunk 30");
  }
  // The executor is as good as new.
  CHECK(chunks_of(*executor, 100, 10).size() == 10);
}

TEST_CASE("what a later chunk throws after the first is not what arrives", "[parallel]") {
  const std::string name = GENERATE(from_range(executors_to_test()));
  CAPTURE(name);
  if (name == "serial" || (name == "tbb" && thread_count(0) < 2)) return;
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  std::atomic<bool> second_runs{false}, first_ends{false};
  const auto wait_for = [&](const std::atomic<bool>& event) {
    while (!event && std::chrono::steady_clock::now() < end) std::this_thread::yield();
  };
  const std::string message = thrown_by(*make_executor(name, 2), 2, 1, [&](int begin, int) {
    if (begin == 1) {
      second_runs = true;
      wait_for(first_ends);
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    } else {
      wait_for(second_runs);
      first_ends = true;
    }
    throw std::runtime_error("chunk " + std::to_string(begin));
  });
  CHECK(message == "chunk 0");
}

TEST_CASE("chunks before the one that throws are all run", "[parallel]") {
  const std::string name = GENERATE(from_range(executors_to_test()));
  CAPTURE(name);
  const auto executor = make_executor(name, 4);
  std::vector<std::atomic<int>> ran(100);
  CHECK(thrown_by(*executor, 100, 1, [&](int begin, int) {
          ++ran[begin];
          if (begin == 60) throw std::runtime_error("chunk 60");
        }) == "chunk 60");
  for (int i = 0; i <= 60; ++i) CHECK(ran[i] == 1);
}

TEST_CASE("on one thread nothing is run after the chunk that throws", "[parallel]") {
  const std::string name = GENERATE(from_range(executors_to_test()));
  CAPTURE(name);
  std::vector<int> ran;
  thrown_by(*make_executor(name, 1), 100, 10, [&](int begin, int) {
    ran.push_back(begin);
    if (begin == 30) throw std::runtime_error("chunk 30");
  });
  CHECK(ran == std::vector<int>{0, 10, 20, 30});
}

TEST_CASE("an exception that is no std::exception gets through", "[parallel]") {
  const std::string name = GENERATE(from_range(executors_to_test()));
  CAPTURE(name);
  CHECK_THROWS_AS(make_executor(name, 3)->for_chunks(10, 1, [](int, int) { throw 7; }), int);
}

TEST_CASE("loops inside of loops finish", "[parallel]") {
  const std::string name = GENERATE(from_range(executors_to_test()));
  CAPTURE(name);
  const auto executor = make_executor(name, 3);
  std::atomic<int> calls{0};
  executor->for_chunks(8, 1, [&](int, int) {
    executor->for_chunks(16, 2, [&](int begin, int end) { calls += end - begin; });
  });
  CHECK(calls == 8 * 16);
}

TEST_CASE("no more threads than asked for are at work at once", "[parallel]") {
  const std::string name = GENERATE(from_range(executors_to_test()));
  const int threads = GENERATE(1, 2, 3);
  CAPTURE(name, threads);
  const auto executor = make_executor(name, threads);
  std::atomic<int> now{0}, most{0};
  executor->for_chunks(200, 1, [&](int, int) {
    const int running = ++now;
    int seen = most;
    while (seen < running && !most.compare_exchange_weak(seen, running)) {
    }
    std::this_thread::yield();
    --now;
  });
  CHECK(most >= 1);
  CHECK(most <= threads);
}

TEST_CASE("as many threads as asked for are at work at once", "[parallel]") {
  const std::string name = GENERATE(from_range(executors_to_test()));
  CAPTURE(name);
  // TBB has no more than there are cores, and the threads of a process may be fewer.
  const int threads = std::min(name == "tbb" ? thread_count(0) : 3, name == "serial" ? 1 : 3);
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  std::atomic<int> now{0};
  std::atomic<bool> met{false};
  make_executor(name, threads)->for_chunks(threads, 1, [&](int, int) {
    ++now;
    while (!met && std::chrono::steady_clock::now() < end) {
      if (now == threads) met = true;
      std::this_thread::yield();
    }
  });
  CHECK(met);
}

TEST_CASE("executors have the threads that they are asked for", "[parallel]") {
  CHECK(dynamic_cast<const Threads&>(*make_executor("threads", 3)).threads() == 3);
  CHECK(dynamic_cast<const Threads&>(*make_executor("threads")).threads() == thread_count(0));
  CHECK(dynamic_cast<const Tbb&>(*make_executor("tbb", 3)).threads() == 3);
  CHECK(dynamic_cast<const Tbb&>(*make_executor("tbb")).threads() == Tbb().threads());
  if (!OpenMp::available()) return;
  CHECK(dynamic_cast<const OpenMp&>(*make_executor("openmp", 3)).threads() == 3);
  CHECK(OpenMp().threads() == thread_count(0));
  CHECK(executor_names() == std::vector<std::string>{"serial", "threads", "openmp", "tbb"});
}

TEST_CASE("a number of threads is checked and 0 means all cores", "[parallel]") {
  CHECK(thread_count(0) ==
        std::clamp(static_cast<int>(std::thread::hardware_concurrency()), 1, most_threads));
  CHECK(thread_count(1) == 1);
  CHECK(thread_count(1024) == 1024);
  CHECK_THROWS_WITH(thread_count(1025),
                    contains_text("threads = 1025: must be between 1 and 1024"));
  CHECK(Threads(3).threads() == 3);
  CHECK(Tbb(2).threads() == 2);
  CHECK(Threads().threads() == thread_count(0));
  CHECK(thread_count(0) >= 1);
  for (const char* name : {"serial", "threads", "tbb"}) {
    CAPTURE(name);
    CHECK_THROWS_WITH(make_executor(name, -1), contains_text("threads = -1: must be between 1"));
    CHECK_THROWS_AS(make_executor(name, most_threads + 1), InvalidOption);
  }
}

TEST_CASE("a chunk of nothing is refused", "[parallel]") {
  for (const char* name : {"threads", "tbb"}) {
    CAPTURE(name);
    CHECK_THROWS_WITH(make_executor(name, 2)->for_chunks(4, 0, [](int, int) {}),
                      contains_text("chunk = 0: must be >= 1"));
  }
}

TEST_CASE("an unknown executor is answered with the known ones", "[parallel]") {
  CHECK_THROWS_WITH(make_executor("tbbb"),
                    contains_text("executor = \"tbbb\"; known: serial, threads"));
  CHECK_THROWS_AS(make_executor(""), InvalidOption);
}

TEST_CASE("a build without OpenMP says so", "[parallel]") {
  if (OpenMp::available()) {
    CHECK(OpenMp(2).threads() == 2);
    CHECK_THROWS_AS(OpenMp(-1), InvalidOption);
  } else {
    CHECK_THROWS_WITH(make_executor("openmp"), contains_text("this build has none"));
    CHECK_THROWS_WITH(make_executor("omp"), contains_text("known: serial, threads, tbb"));
  }
}
