#include <atomic>
#include <stdexcept>
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
  for (int i = 0; i < 100; ++i) CHECK(numbers[static_cast<std::size_t>(i)] == i);
}

TEST_CASE("a run that throws is told and does not stop the others", "[parallel]") {
  const std::string name = GENERATE(from_range(executors_to_test()));
  CAPTURE(name);
  int good = 0;
  std::vector<std::string> errors;
  parallel::ensemble<int>(
      20, *parallel::make_executor(name, 3),
      [](int i) {
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
  CHECK(errors == std::vector<std::string>{"run 3", "run 8", "run 13", "run 18"});
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
    std::vector<int> sizes(static_cast<std::size_t>(size), size);
    return sizes;
  };
  parallel::ensemble_in_groups<int>(15, 4, *parallel::make_executor(name, threads), run,
                                    [&](Member<int>&& member) {
                                      numbers.push_back(member.number);
                                      if (member.result) {
                                        together.push_back(*member.result);
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
