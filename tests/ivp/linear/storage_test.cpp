// Storage does not grow with the horizon.                                      [AL1] section 4.2

#include <algorithm>
#include <cmath>
#include <vector>

#include "ivp/linear/step_local_linear.hpp"
#include "tests/catch.hpp"
#include "tests/ivp/initial_value_problems.hpp"

#if defined(__GLIBC__)
#if __GLIBC_PREREQ(2, 33)
#include <malloc.h>
#define DAEWAVE_TEST_KNOWS_ITS_MEMORY
#endif
#endif

using namespace daewave;

namespace {

/// Bytes the program has allocated now; 0 where that cannot be known.
double bytes_in_use() {
#ifdef DAEWAVE_TEST_KNOWS_ITS_MEMORY
  const struct mallinfo2 info = mallinfo2();
  return static_cast<double>(info.uordblks) + static_cast<double>(info.hblkhd);
#else
  return 0;
#endif
}

struct Run {
  ivp::LinearResult result;
  double peak = 0;  // Above the begin, at any step.
};

Run run(int steps) {
  ivp::LinearOptions options;
  options.steps = steps;
  options.iterates = 4;
  options.epsilon = 1e-2;
  const double before = bytes_in_use();
  Run run;
  run.result = ivp::solve(Turning{0.01 * steps}, options, [&](const ivp::LinearStep&) {
    run.peak = std::max(run.peak, bytes_in_use() - before);
    return true;
  });
  return run;
}

}  // namespace

TEST_CASE("ten times the steps need the same memory", "[ivp][AL1-4.2]") {
  run(100);  // What is allocated once and for all is allocated here.
  const Run shorter = run(2000), longer = run(20000);
  REQUIRE(shorter.result.report.usable());
  REQUIRE(longer.result.report.usable());
  CHECK(longer.result.steps == 20000);
  CHECK(longer.result.bytes == shorter.result.bytes);
  CHECK(longer.result.bytes < 1e6);
  CHECK(longer.result.report.history.size() == shorter.result.report.history.size());
  // One number per step would be 144 kB more; where blocks on cache lines fall varies by some of
  // them.
  CHECK(std::abs(longer.peak - shorter.peak) < 8192);
}

TEST_CASE("the memory of a run is what its result says", "[ivp]") {
  const double before = bytes_in_use();
  std::vector<double> control(20000, 1.0);
  double* volatile kept = control.data();  // So that no optimizer does without it.
  *kept = 2;
  // A sanitizer with an allocator of its own leaves nothing to be seen.
  if (bytes_in_use() - before < 8.0 * static_cast<double>(control.size())) return;
  const Run one = run(1000);
  CHECK(one.peak > 0.5 * one.result.bytes);
  CHECK(one.peak < 1.5 * one.result.bytes + 2e4);
}
