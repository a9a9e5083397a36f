// What iterates tell of themselves.

#include <algorithm>
#include <cmath>

#include "bvp/solve.hpp"
#include "core/report/stopwatch.hpp"
#include "problems/al1.hpp"
#include "problems/lin.hpp"
#include "tests/catch.hpp"

namespace daewave::bvp {
namespace {

template <class P>
Solution sweeps(const P& problem, int iterates, double epsilon) {
  return solve(problem, {.scheme = Scheme::gauss,
                         .stages = 3,
                         .intervals = 100,
                         .epsilon = epsilon,
                         .alpha1 = 0.0,
                         .iterates = iterates,
                         .shooting_back = false,
                         .conditioning = false});
}

template <class P>
void check_drift(const P& problem) {
  for (const int iterates : {1, 2, 3}) {
    const Solution solution = sweeps(problem, iterates, 1e-2);
    REQUIRE(solution.has_values());
    double largest = 0;
    for (const double t : solution.mesh().nodes()) {
      largest = std::max(largest, solution.constraint_residual(t).cwiseAbs().maxCoeff());
    }
    CAPTURE(iterates, largest);
    REQUIRE(static_cast<int>(solution.report.history.size()) == iterates);
    CHECK(solution.report.history.back().drift == Approx(largest).epsilon(1e-6));
  }
}

}  // namespace

TEST_CASE("the drift that is told of an iterate is the largest of all nodes", "[srm]") {
  check_drift(problems::Al1Example1{});
  check_drift(problems::Lin{5});
}

TEST_CASE("a layer that iterates leave at the begin is told with its place and its width",
          "[srm]") {
  for (const double epsilon : {1e-2, 1e-3}) {
    const Solution solution = sweeps(problems::Al1Example1{}, 3, epsilon);
    INFO(solution.report.full());
    REQUIRE(solution.has_values());
    // B y of the begin is as far off as it was.
    CHECK((solution.By(1e-3 * epsilon) - problems::Al1Example1{}.By_exact(0)).norm() > 0.1);
    // No tolerance was asked: what is wrong there is a warning.
    REQUIRE(solution.report.warnings.size() == 1);
    CHECK_THAT(solution.report.warnings[0],
               contains_text("initial layer") &&
                   contains_text(epsilon > 5e-3 ? "within about 0.1 of t = 0"
                                                : "within about 0.01 of t = 0"));
    CHECK_THAT(solution.report.advice, contains_text("shooting_back = true"));
  }
}

TEST_CASE("progress is told, and can stop, while a solution is looked at", "[srm]") {
  /// x' = -x, with a coefficient at a price of 30 microseconds.
  struct Dear {
    Interval interval() const { return {0, 1}; }
    Boundary boundary() const { return {MatX{{0, 1}}, MatX{{0, 0}}, VecX{{1.0}}}; }
    MatX A(double) const {
      const Stopwatch watch;
      while (watch.seconds() < 3e-5) continue;
      return MatX{{0, 0}, {0, -1}};
    }
    MatX B(double) const { return MatX{{1.0}, {0.0}}; }
    VecX q(double t) const { return VecX{{std::cos(t) + 1, 0}}; }
    MatX C(double) const { return MatX{{1, 0}}; }
    VecX r(double t) const { return VecX{{-std::sin(t)}}; }
  };
  const auto looks = [](const Progress& progress) { return progress.phase.starts_with("looking"); };
  Options options{.tolerance = 1e-6, .samples = 8000};
  int told = 0;
  options.progress = [&](const Progress& progress) {
    told += looks(progress) ? 1 : 0;
    return true;
  };
  CHECK(solve(Dear{}, options).report.usable());
  CHECK(told > 0);
  options.progress = [&](const Progress& progress) { return !looks(progress); };
  const Solution stopped = solve(Dear{}, options);
  CHECK(stopped.report.termination == Termination::stopped);
  CHECK_THAT(stopped.report.message, contains_text("stopped by the caller while looking"));
  CHECK(stopped.has_values());
}

}  // namespace daewave::bvp
