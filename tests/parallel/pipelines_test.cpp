#include <array>
#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>
#include <vector>

#include "core/error.hpp"
#include "parallel/thread_count.hpp"
#include "tests/catch.hpp"
#include "tests/parallel/pipelines_to_test.hpp"

using namespace daewave;

namespace {

constexpr int items = 200, slots = 5;

/// What passes through: the number of the item, and what the stages made of it.
struct Slot {
  long item = 0;
  long value = 0;
};

/// Stages that each keep a running sum, so that order and overlap would show.
struct Sums {
  std::vector<Slot> slot = std::vector<Slot>(slots);
  std::array<long, 3> sum{};
  std::array<std::atomic<int>, 3> inside{};
  std::atomic<int> most_inside{0};
  std::vector<long> seen;
  long next = 0;

  bool source(int at) {
    if (next == items) return false;
    slot[static_cast<std::size_t>(at)] = {next, next};
    ++next;
    return true;
  }
  void stage(std::size_t s, int at) {
    const int now = ++inside[s];
    if (now > most_inside) most_inside = now;
    Slot& mine = slot[static_cast<std::size_t>(at)];
    sum[s] = 3 * sum[s] + mine.value;
    sum[s] %= 1'000'003;
    mine.value = sum[s];
    if (s == 2) seen.push_back(mine.item);
    --inside[s];
  }
  void run(const Pipeline& pipeline) {
    std::vector<Pipeline::Stage> stages;
    for (std::size_t s = 0; s < 3; ++s) stages.push_back([this, s](int at) { stage(s, at); });
    pipeline.run(
        slots, [this](int at) { return source(at); }, stages);
  }
};

}  // namespace

TEST_CASE("every stage sees all items in their order, one at a time", "[parallel]") {
  const std::string name = GENERATE(from_range(pipelines_to_test()));
  const int threads = GENERATE(1, 2, 3, 8);
  CAPTURE(name, threads);
  Sums serial, sums;
  serial.run(SerialPipeline());
  sums.run(*parallel::make_pipeline(name, threads));
  CHECK(sums.sum == serial.sum);
  CHECK(sums.most_inside == 1);
  REQUIRE(sums.seen.size() == items);
  for (long i = 0; i < items; ++i) CHECK(sums.seen[static_cast<std::size_t>(i)] == i);
}

TEST_CASE("the source is asked by one at a time, and by none once it has no more", "[parallel]") {
  const std::string name = GENERATE(from_range(pipelines_to_test()));
  CAPTURE(name);
  std::atomic<int> inside{0}, most{0}, asked{0};
  const auto source = [&](int) {
    const int now = ++inside;
    if (now > most) most = now;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    --inside;
    return ++asked <= 10;
  };
  parallel::make_pipeline(name, 4)->run(slots, source, {[](int) {}, [](int) {}, [](int) {}});
  CHECK(most == 1);
  CHECK(asked == 11);
}

TEST_CASE("as many stages as there are threads are at work at once, and no more", "[parallel]") {
  const std::string name = GENERATE(from_range(pipelines_to_test()));
  CAPTURE(name);
  const auto pipeline = parallel::make_pipeline(name, 2);
  CHECK(pipeline->threads() == (name == "serial" ? 1 : 2));
  CHECK(parallel::make_pipeline(name)->threads() ==
        (name == "serial" ? 1 : parallel::thread_count(0)));
  const bool alone = name == "serial" || (name == "tbb" && parallel::thread_count(0) < 2);
  const int expected = alone ? 1 : 2;
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  std::atomic<int> inside{0}, most{0}, calls{0};
  const auto stage = [&](int) {
    // No other stage has an item before the first one is through with its first.
    if (calls++ == 0) return;
    const int now = ++inside;
    if (now > most) most = now;
    while (most < expected && std::chrono::steady_clock::now() < end) std::this_thread::yield();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    --inside;
  };
  int left = 20;
  pipeline->run(slots, [&](int) { return left-- > 0; }, {stage, stage, stage});
  CHECK(most == expected);
}

TEST_CASE("no slot is filled again before its item is through", "[parallel]") {
  const std::string name = GENERATE(from_range(pipelines_to_test()));
  const int few = GENERATE(1, 2, 3);
  CAPTURE(name, few);
  std::atomic<int> under_way{0}, most{0};
  int left = 50;
  const auto source = [&](int) {
    if (left-- == 0) return false;
    const int now = ++under_way;
    if (now > most) most = now;
    return true;
  };
  const auto slow = [](int) { std::this_thread::sleep_for(std::chrono::microseconds(100)); };
  parallel::make_pipeline(name, 4)->run(few, source, {slow, [&](int) { --under_way; }});
  CHECK(most <= few);
  CHECK(under_way == 0);
}

TEST_CASE("slots are used in turn", "[parallel]") {
  const std::string name = GENERATE(from_range(pipelines_to_test()));
  CAPTURE(name);
  std::vector<int> used;
  int left = 2 * slots + 1;
  parallel::make_pipeline(name, 3)->run(slots,
                                        [&](int slot) {
                                          if (left-- == 0) return false;
                                          used.push_back(slot);
                                          return true;
                                        },
                                        {[](int) {}});
  REQUIRE(used.size() == 2 * slots + 1);
  for (std::size_t i = 0; i < used.size(); ++i) CHECK(used[i] == static_cast<int>(i) % slots);
}

TEST_CASE("what a stage throws arrives at the caller", "[parallel]") {
  const std::string name = GENERATE(from_range(pipelines_to_test()));
  CAPTURE(name);
  int passed = 0;
  const auto pipeline = parallel::make_pipeline(name, 3);
  const std::vector<Pipeline::Stage> stages{[](int) {},
                                            [&](int) {
                                              if (++passed == 7) throw std::runtime_error("seven");
                                            }};
  CHECK_THROWS_WITH(pipeline->run(
                        slots, [](int) { return true; }, stages),
                    "seven");
  CHECK(passed == 7);
}

TEST_CASE("a pipeline without items calls no stage", "[parallel]") {
  const std::string name = GENERATE(from_range(pipelines_to_test()));
  CAPTURE(name);
  bool called = false;
  parallel::make_pipeline(name, 2)->run(slots, [](int) { return false; },
                                        {[&](int) { called = true; }});
  CHECK_FALSE(called);
}

TEST_CASE("an unknown pipeline, or an impossible number of threads, is refused", "[parallel]") {
  CHECK_THROWS_WITH(parallel::make_pipeline("mpi"),
                    contains_text("\"mpi\"; known: serial, threads, tbb"));
  for (const std::string& name : parallel::pipeline_names()) {
    CHECK_THROWS_AS(parallel::make_pipeline(name, -1), InvalidOption);
  }
}

TEST_CASE("of two exceptions the one that came first arrives", "[parallel]") {
  std::atomic<bool> second_waits{false}, first_comes{false};
  int source = 0;
  const auto two = [&](int) { return source++ < 2; };
  const std::vector<Pipeline::Stage> stages{
      [&, seen = 0](int) mutable {
        if (seen++ == 0) return;
        while (!second_waits) std::this_thread::yield();
        first_comes = true;
        throw std::runtime_error("first");
      },
      [&](int) {
        second_waits = true;
        while (!first_comes) std::this_thread::yield();
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        throw std::runtime_error("second");
      }};
  CHECK_THROWS_WITH(parallel::make_pipeline("threads", 2)->run(4, two, stages), "first");
}
