#include "ivp/srm/worst_change.hpp"

#include <cmath>
#include <numbers>

#include "core/adapt/problem_of.hpp"
#include "ivp/solve.hpp"
#include "tests/catch.hpp"
#include "tests/ivp/attracted.hpp"

namespace daewave::ivp {
namespace {

/// Three iterates of two entries at t, which differ by `second` and then by `last` in entry 2.
void see(WorstChange& worst, double t, double second, double last) {
  const VecX x3 = Vec<2>(4, 1), x2 = Vec<2>(4, 1 + last), x1 = Vec<2>(4, 1 + last + second);
  worst.see(t, {&x1, &x2, &x3});
}

/// With a multiplier that moves fast for a short while in the middle.
struct Kicked : Slaved {
  double at = 4, width = 0.05;
  State f(const State& x, double t) const {
    return Slaved::f(x, t) + B(x, t) * (20 * std::exp(-std::pow((t - at) / width, 2)));
  }
};

}  // namespace

TEST_CASE("iterates that were apart on the way are told, where they were so most",
          "[srm][iterates]") {
  const Options options{.rtol = 1e-5, .atol = 1e-5};
  WorstChange worst(options);
  see(worst, 1, 1e-2, 1e-4);
  // A hundredth of 1e-4 remains, of which 100 (1e-5 + 1e-5 4) are allowed.
  CHECK(worst.text().empty());
  see(worst, 2, 1, 0.5);
  see(worst, 3, 1e-2, 1e-4);
  // Half of 0.5 / (1 - 0.5).
  CHECK(worst.text().find("iterates 2 and 3") != std::string::npos);
  CHECK(worst.text().find("at t = 2 the error of the last was about 5.0e-01 in entry 2") !=
        std::string::npos);
  CHECK(worst.text().find("where 5.0e-03, 100 times the tolerance, is allowed") !=
        std::string::npos);
}

TEST_CASE("of two iterates nothing is told on the way, nor of many that are the same",
          "[srm][iterates]") {
  const Options options{.rtol = 1e-5, .atol = 1e-5};
  WorstChange worst(options);
  const VecX x = Vec<2>(4, 1), y = Vec<2>(4, 2);
  worst.see(0, {&x, &y});
  CHECK(worst.text().empty());
  worst.see(1, {&x, &x, &x});
  CHECK(worst.text().empty());
}

TEST_CASE("where one iterate is foreseen to suffice two tell what was left on the way",
          "[srm][iterates]") {
  const Options options{.rtol = 1e-5, .atol = 1e-5};
  WorstChange worst(options, true);
  const VecX x = Vec<2>(4, 1), near = Vec<2>(4, 1.0049), far = Vec<2>(4, 1.0051);
  worst.see(0, {&near, &x});
  CHECK(worst.text().empty());
  worst.see(1, {&far, &x});
  CHECK_THAT(worst.text(), contains_text("at t = 1 the error of the last was about 5.1e-03"));
}

TEST_CASE("a multiplier that moves fast for a while, and is at rest at the end, is warned of",
          "[srm][iterates]") {
  Kicked problem;
  problem.k = 5;
  const Options options{.method = Srm{.iterates = 4}, .rtol = 1e-6, .atol = 1e-6, .dense = true};
  const Solution solution = solve(problem, Slaved::exact(0), {0, 8}, options);
  REQUIRE(solution.report.usable());
  // Of states of size 1.
  REQUIRE(error_of_dense(solution, 8) > 200 * 1e-6);
  REQUIRE(solution.report.warnings.size() >= 1);
  bool told = false;
  for (const std::string& one : solution.report.warnings) {
    told = told || one.find("were apart on the way: at t = 4.") != std::string::npos ||
           one.find("were apart on the way: at t = 3.9") != std::string::npos;
  }
  CHECK(told);
  problem.width = 2;
  CHECK(solve(problem, Slaved::exact(0), {0, 8}, options).report.warnings.empty());
}

}  // namespace daewave::ivp
