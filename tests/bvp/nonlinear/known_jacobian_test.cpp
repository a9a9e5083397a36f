// Boundary values of ordinary equations and of index 1 take the derivatives of f and r where they
// are known: the same solution as with differences, and f asked for less often.

#include <cmath>

#include "bvp/solve.hpp"
#include "core/adapt/problem_of.hpp"
#include "core/derivatives/with_f_jacobian.hpp"
#include "problems/boundary_layers.hpp"
#include "problems/index_one.hpp"
#include "tests/catch.hpp"
#include "tests/core/counted_problem.hpp"

namespace daewave::bvp {
namespace {

struct LayerByHand : problems::LayerAtBegin {
  Mat<2, 2> f_x(const State&, double) const {
    Mat<2, 2> J;
    J << 0, 1, 1 / e, 0;
    return J;
  }
};

struct IndexOneByHand : problems::IndexOneLayer {
  Mat<2, 2> f_x(const State&, const Algebraic&, double) const {
    Mat<2, 2> J;
    J << 0, 1, 0, 1;
    return J;
  }
  Mat<2, 1> f_w(const State&, const Algebraic&, double) const { return {0, 1}; }
  Mat<1, 2> r_x(const State& x, const Algebraic&, double) const { return {x[1], x[0]}; }
};

template <class P>
void check_saved(const P& problem) {
  const auto knows =
      std::make_shared<testing::CountedProblem>(problem_of(problem, VecX::Zero(2)), true);
  const auto differences =
      std::make_shared<testing::CountedProblem>(problem_of(problem, VecX::Zero(2)), false);
  BoundaryProblem with = boundary_problem_of(problem), without = with;
  with.equations = knows;
  without.equations = differences;
  const Solution found = solve(with, {.tolerance = 1e-8});
  const Solution expected = solve(without, {.tolerance = 1e-8});
  REQUIRE(found.report.usable());
  REQUIRE(expected.report.usable());
  CHECK(knows->calls_of_f() < differences->calls_of_f());
  const Interval interval = problem.interval();
  for (int i = 0; i <= 20; ++i) {
    const double t = interval.begin + interval.length() * i / 20;
    CHECK((found.x(t) - expected.x(t)).norm() < 1e-7 * (1 + expected.x(t).norm()));
  }
}

}  // namespace

TEST_CASE("derivatives of f save evaluations for boundary values", "[nonlinear]") {
  SECTION("an ordinary equation") {
    LayerByHand layer;
    layer.e = 1e-3;
    check_saved(layer);
  }
  SECTION("index 1") { check_saved(IndexOneByHand{}); }
}

}  // namespace daewave::bvp
