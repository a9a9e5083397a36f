// Problems that are linear in x, which have one solution at the most.

#include "bvp/continuation/affine.hpp"

#include <cmath>

#include "bvp/solve.hpp"
#include "tests/bvp/made_up_solution.hpp"
#include "tests/catch.hpp"

namespace daewave::bvp {
namespace {

/// x' = A(t) x + b(t) and two conditions, each with a part that is curved.
struct Nearly {
  using State = Vec<2>;
  double of_first = 0, of_second = 0, at_left = 0, at_right = 0;
  double from = 0;  ///< From which time on the equations are curved.
  Interval interval() const { return {0, 2}; }
  State f(const State& x, double t) const {
    const double part = t >= from ? 1 : 0;
    return {x[1] + std::cos(t) + of_first * part * x[0] * x[1],
            -std::exp(t) * x[0] + of_second * part * std::sin(x[0])};
  }
  State conditions(const State& left, const State& right) const {
    return {left[0] - 1 + at_left * left[1] * left[1],
            right[1] - left[0] + at_right * std::exp(right[0])};
  }
};

/// (1 + t, 2 + t)
Solution beside() {
  const Mesh mesh = uniform_mesh(0, 2, 4);
  CollocationValues values;
  values.x.resize(2, 5);
  for (int i = 0; i <= 4; ++i) values.x.col(i) << 1 + mesh.node(i), 2 + mesh.node(i);
  values.slopes.setOnes(2, 4);
  values.carried.resize(0, 4);
  return testing::made_up({mesh, collocation(Scheme::gauss, 1), values});
}

bool is_linear(const Nearly& problem) { return is_affine(boundary_problem_of(problem), beside()); }

}  // namespace

TEST_CASE("a problem is linear where each of its equations and conditions is", "[continuation]") {
  CHECK(is_linear({}));
  for (const double curved : {1.0, 1e-3}) {
    CAPTURE(curved);
    CHECK_FALSE(is_linear({.of_first = curved}));
    CHECK_FALSE(is_linear({.of_second = curved}));
    CHECK_FALSE(is_linear({.at_left = curved}));
    CHECK_FALSE(is_linear({.at_right = curved}));
    // Up to the end of the interval, or at it alone.
    for (const double from : {0.7, 1.9, 2.0}) {
      CHECK_FALSE(is_linear({.of_first = curved, .from = from}));
      CHECK_FALSE(is_linear({.of_second = curved, .from = from}));
    }
  }
}

TEST_CASE("a problem is linear where it says so, and not on another interval than the solution",
          "[continuation]") {
  BoundaryProblem problem = boundary_problem_of(Nearly{.of_first = 1});
  CHECK_FALSE(is_affine(problem, beside()));
  problem.is_linear = true;
  CHECK(is_affine(problem, beside()));
  BoundaryProblem longer = boundary_problem_of(Nearly{});
  CHECK(is_affine(longer, beside()));
  longer.interval = {0, 3};
  CHECK_FALSE(is_affine(longer, beside()));
}

}  // namespace daewave::bvp
