// Which way round a branch is at a solution.

#include "bvp/nonlinear/orientation.hpp"

#include <cmath>
#include <numbers>

#include "bvp/solve.hpp"
#include "tests/catch.hpp"

namespace daewave::bvp {
namespace {

/// u'' + p u = 1, u = 0 at both ends: the determinant has the sign of sin(sqrt p), which changes
/// wherever p = (k pi)^2.
ProblemFamily string_under(double p) {
  struct String {
    using State = Vec<2>;
    double p;
    Interval interval() const { return {0, 1}; }
    State f(const State& x, double) const { return {x[1], 1 - p * x[0]}; }
    State conditions(const State& left, const State& right) const { return {left[0], right[0]}; }
  };
  return {.member = [](const VecX& of) { return boundary_problem_of(String{of[0]}); },
          .p = VecX{{p}},
          .names = {"p"}};
}

}  // namespace

TEST_CASE(
    "the orientation at a solution is that of its own parameters, whatever those of the family",
    "[continuation]") {
  const Options options{.tolerance = 1e-6};
  const int below = orientation(string_under(1), options, solve(string_under(1), options));
  REQUIRE(below != 0);
  for (const double part : {0.5, 1.5, 2.5}) {
    const double p = std::pow(part * std::numbers::pi, 2);
    const Solution solution = solve(string_under(p), options);
    CAPTURE(p, solution.report.full());
    REQUIRE(solution.report.usable());
    const int expected = std::sin(std::sqrt(p)) > 0 ? below : -below;
    for (const double of_family : {1.0, 20.0, 60.0}) {
      CAPTURE(of_family);
      CHECK(orientation(string_under(of_family), options, solution) == expected);
    }
  }
}

}  // namespace daewave::bvp
