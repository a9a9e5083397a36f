#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>
#include <vector>

#include "parallel/ensemble.hpp"
#include "tests/catch.hpp"
#include "tests/parallel/executors_to_test.hpp"

using namespace daewave;
using parallel::Member;

TEST_CASE("results of an ensemble come in the order of its runs, whatever the threads",
          "[parallel]") {
  const std::string name = GENERATE(from_range(executors_to_test()));
  const int threads = GENERATE(1, 2, 5);
  CAPTURE(name, threads);
  std::vector<int> numbers;
  std::vector<long> results;
  parallel::ensemble<long>(
      100, *parallel::make_executor(name, threads),
      [](int i) {
        long sum = 0;  // Runs of unequal length.
        for (long j = 0; j < (i % 7) * 10000L; ++j) sum += j % (i + 1);
        return sum;
      },
      [&](Member<long>&& member) {
        numbers.push_back(member.number);
        results.push_back(member.result.value());
        return true;
      });
  REQUIRE(numbers.size() == 100);
  for (int i = 0; i < 100; ++i) {
    CHECK(numbers[static_cast<std::size_t>(i)] == i);
    long sum = 0;
    for (long j = 0; j < (i % 7) * 10000L; ++j) sum += j % (i + 1);
    CHECK(results[static_cast<std::size_t>(i)] == sum);
  }
}

TEST_CASE("runs of an ensemble begin in their order, on any number of threads", "[parallel]") {
  const std::string name = GENERATE(from_range(executors_to_test()));
  const int threads = GENERATE(1, 2, 4), width = GENERATE(1, 3);
  CAPTURE(name, threads, width);
  std::atomic<int> begun{0}, farthest{0};
  const auto run = [&](int first, int size) {
    const int before = begun.fetch_add(size);
    for (int far = farthest;
         far < first - before && !farthest.compare_exchange_weak(far, first - before);) {
    }
    // Time for all threads to begin.
    std::this_thread::sleep_for(std::chrono::microseconds(200));
    return std::vector<int>(static_cast<std::size_t>(size), first);
  };
  const auto sink = [](auto&&) { return true; };
  const auto executor = parallel::make_executor(name, threads);
  if (width == 1) {
    parallel::ensemble<int>(
        100, *executor, [&](int i) { return run(i, 1).front(); }, sink);
  } else {
    parallel::ensemble_in_groups<int>(100, width, *executor, run, sink);
  }
  // One that another thread has taken may begin a moment later.
  CHECK(farthest < threads * width);
}

TEST_CASE("a member tells how long its run took, those of a group an even share", "[parallel]") {
  const auto begin = std::chrono::steady_clock::now();
  const auto wait = [](int milliseconds) {
    std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
  };
  std::vector<double> alone, together;
  parallel::ensemble<int>(
      3, Serial(), [&](int i) { return wait(20 * i), i; },
      [&](Member<int>&& member) { return alone.push_back(member.seconds), true; });
  parallel::ensemble_in_groups<int>(
      5, 4, Serial(),
      [&](int, int size) { return wait(40), std::vector<int>(static_cast<std::size_t>(size)); },
      [&](Member<int>&& member) { return together.push_back(member.seconds), true; });
  const std::chrono::duration<double> all = std::chrono::steady_clock::now() - begin;
  REQUIRE(alone.size() == 3);
  REQUIRE(together.size() == 5);
  double sum = 0;
  for (int i = 0; i < 3; ++i) {
    CHECK(alone[static_cast<std::size_t>(i)] >= 0.02 * i);
    sum += alone[static_cast<std::size_t>(i)];
  }
  for (int i = 0; i < 5; ++i) {
    CHECK(together[static_cast<std::size_t>(i)] >= (i < 4 ? 0.01 : 0.04));
    CHECK(together[static_cast<std::size_t>(i)] == together[i < 4 ? 0 : 4]);
    sum += together[static_cast<std::size_t>(i)];
  }
  CHECK(sum <= all.count());
}

TEST_CASE("groups of every size go together", "[parallel]") {
  for (int width = 1; width <= 4; ++width) {
    std::vector<int> sizes;
    const auto run = [&](int, int size) {
      sizes.push_back(size);
      return std::vector<int>(static_cast<std::size_t>(size));
    };
    parallel::ensemble_in_groups<int>(2 * width, width, Serial(), run,
                                      [](Member<int>&&) { return true; });
    CHECK(sizes == std::vector<int>{width, width});
  }
}

TEST_CASE("a sink that has enough ends an ensemble in groups", "[parallel]") {
  const std::string name = GENERATE(from_range(executors_to_test()));
  const int fails_together = GENERATE(0, 1);
  CAPTURE(name, fails_together);
  std::atomic<int> begun{0};
  int seen = 0;
  parallel::ensemble_in_groups<int>(
      100000, 4, *parallel::make_executor(name, 2),
      [&](int, int size) {
        begun += size;
        return std::vector<int>(fails_together && size > 1 ? 0U : static_cast<std::size_t>(size));
      },
      [&](Member<int>&&) { return ++seen < 10; });
  CHECK(seen == 10);
  CHECK(begun < 100000);
}

TEST_CASE("on one thread no run begins after the sink has enough", "[parallel]") {
  int begun = 0, seen = 0;
  const auto sink = [&](Member<int>&&) { return ++seen < 3; };
  parallel::ensemble<int>(
      10, Serial(), [&](int i) { return ++begun, i; }, sink);
  CHECK(begun == 3);
  // Of a group that goes alone, none after it.
  begun = seen = 0;
  const auto run = [&](int, int size) {
    begun += size == 1 ? 1 : 0;
    return std::vector<int>(size == 1 ? 1 : 0);
  };
  parallel::ensemble_in_groups<int>(10, 5, Serial(), run, sink);
  CHECK(begun == 3);
  parallel::ensemble_in_groups<int>(0, 5, Serial(), run, sink);
  CHECK(begun == 3);
}

TEST_CASE("a run that throws is told and does not stop the others", "[parallel]") {
  const std::string name = GENERATE(from_range(executors_to_test()));
  CAPTURE(name);
  int good = 0;
  std::vector<std::string> errors;
  parallel::ensemble<int>(
      20, *parallel::make_executor(name, 3),
      [](int i) {
        if (i == 13) throw i;
        if (i % 5 == 3) throw std::runtime_error("run " + std::to_string(i));
        return i;
      },
      [&](Member<int>&& member) {
        if (member.result) {
          ++good;
        } else {
          errors.push_back(member.error);
        }
        return true;
      });
  CHECK(good == 16);
  CHECK(errors ==
        std::vector<std::string>{"run 3", "run 8", "what is no std::exception", "run 18"});
}

TEST_CASE("a sink that has enough ends an ensemble", "[parallel]") {
  const std::string name = GENERATE(from_range(executors_to_test()));
  CAPTURE(name);
  std::atomic<int> begun{0};
  int seen = 0;
  parallel::ensemble<int>(
      100000, *parallel::make_executor(name, 2), [&](int i) { return ++begun, i; },
      [&](Member<int>&&) { return ++seen < 10; });
  CHECK(seen == 10);
  CHECK(begun < 100000);
}

TEST_CASE("what the sink of an ensemble throws arrives at the caller", "[parallel]") {
  const std::string name = GENERATE(from_range(executors_to_test()));
  CAPTURE(name);
  int seen = 0;
  const auto sink = [&](Member<int>&&) -> bool {
    if (++seen == 4) throw std::runtime_error("disk full");
    return true;
  };
  CHECK_THROWS_WITH(parallel::ensemble<int>(
                        50, *parallel::make_executor(name, 3), [](int i) { return i; }, sink),
                    "disk full");
  CHECK(seen == 4);
}

TEST_CASE("runs in groups come in order, and those of a group that cannot go together go alone",
          "[parallel]") {
  const std::string name = GENERATE(from_range(executors_to_test()));
  const int threads = GENERATE(1, 3);
  CAPTURE(name, threads);
  std::vector<int> numbers, together, failed;
  const auto run = [](int first, int size) -> std::vector<int> {
    // The group of 4 to 7 differs in kind; in that of 8 to 11 one run is wrong.
    if (first == 4 && size > 1) return {};
    if (first <= 9 && 9 < first + size) throw std::runtime_error("run 9");
    std::vector<int> results(static_cast<std::size_t>(size));
    for (int i = 0; i < size; ++i) results[static_cast<std::size_t>(i)] = 10 * (first + i) + size;
    return results;
  };
  parallel::ensemble_in_groups<int>(15, 4, *parallel::make_executor(name, threads), run,
                                    [&](Member<int>&& member) {
                                      numbers.push_back(member.number);
                                      if (member.result) {
                                        CHECK(*member.result / 10 == member.number);
                                        CHECK(member.error.empty());
                                        together.push_back(*member.result % 10);
                                      } else {
                                        failed.push_back(member.number);
                                        CHECK(member.error == "run 9");
                                      }
                                      return true;
                                    });
  std::vector<int> expected;
  for (int i = 0; i < 15; ++i) expected.push_back(i);
  CHECK(numbers == expected);
  CHECK(together == std::vector<int>{4, 4, 4, 4, 1, 1, 1, 1, 1, 1, 1, 3, 3, 3});
  CHECK(failed == std::vector<int>{9});
}
