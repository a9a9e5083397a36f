// Storage does not grow with the horizon.                                      [AL1] section 4.2

#include <algorithm>
#include <cmath>

#include "ivp/solve.hpp"
#include "tests/catch.hpp"
#include "tests/ivp/linear_runs.hpp"

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
  ivp::Solution solution;
  double peak = 0;  // Above the begin, at any step.
};

Run run(int steps) {
  const LinearRun problem(Turning{0.01 * steps});
  const double before = bytes_in_use();
  Run run;
  ivp::Options options{
      .method = ivp::Srm{.epsilon = 1e-2, .iterates = 4, .formula = {ivp::Stepper::radau}},
      .h = 0.01};
  options.keep = false;
  options.sink = [&](const ivp::Output&) {
    run.peak = std::max(run.peak, bytes_in_use() - before);
    return true;
  };
  run.solution = ivp::solve(*problem.problem, problem.start, problem.span, options);
  return run;
}

}  // namespace

TEST_CASE("ten times the steps need the same memory", "[srm][AL1-4.2]") {
  run(100);  // What is allocated once and for all is allocated here.
  const Run shorter = run(1000), longer = run(10000);
  REQUIRE(shorter.solution.report.usable());
  REQUIRE(longer.solution.report.usable());
  CHECK(longer.solution.report.integration.steps == 10000);
  CHECK(longer.peak < 1e6);
  CHECK(longer.solution.report.history.size() == shorter.solution.report.history.size());
  // One number per step would be 72 kB more; where blocks on cache lines fall varies by some of
  // them.
  CHECK(std::abs(longer.peak - shorter.peak) < 8192);
}
