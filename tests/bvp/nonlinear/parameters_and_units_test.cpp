// Unknown parameters and components in any units: what is found does not depend on how large a
// number is that says it.

#include <cmath>

#include "bvp/solve.hpp"
#include "tests/catch.hpp"

namespace daewave::bvp {
namespace {

template <class Make>
ProblemFamily unknown(const VecX& guess, Make make) {
  ProblemFamily family;
  family.member = [make](const VecX& p) { return boundary_problem_of(make(p)); };
  family.p = guess;
  for (int i = 0; i < guess.size(); ++i) family.unknown.push_back(i);
  return family;
}

/// y = cos t where p is its true value.
struct SmallParameter {
  using State = Vec<1>;
  double p = 0, truth = 1e-6;
  Interval interval() const { return {0, 1}; }
  State f(const State& x, double t) const {
    return State{-std::sin(t) - (x[0] - std::cos(t)) + (p / truth - 1) * std::cos(t)};
  }
  VecX conditions(const State& left, const State& right) const {
    return Vec<2>(left[0] - 1, right[0] - std::cos(1));
  }
  State guess(double) const { return State{0}; }
};

}  // namespace

TEST_CASE("a small parameter is found from guesses of any size", "[nonlinear][families]") {
  for (const double guess : {0.0, 1e-8, 9e-7, 1.1e-6, 2e-6, 5e-6, 2e-5, 1.1e-3}) {
    const ProblemFamily family =
        unknown(VecX{{guess}}, [](const VecX& p) { return SmallParameter{.p = p[0]}; });
    const Solution solution = solve(family, {.tolerance = 1e-6});
    CAPTURE(guess, solution.report.full());
    REQUIRE(solution.report.usable());
    CHECK(solution.parameters[0] == Approx(1e-6).epsilon(1e-4));
  }
}

}  // namespace daewave::bvp
