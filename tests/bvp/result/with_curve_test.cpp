// A solution whose curve is replaced by another one.

#include "bvp/result/with_curve.hpp"

#include <cmath>

#include "bvp/solve.hpp"
#include "core/adapt/problem_of.hpp"
#include "core/derivatives/autodiff.hpp"
#include "tests/bvp/made_up_solution.hpp"
#include "tests/catch.hpp"

namespace daewave::bvp {
namespace {

/// x1' = x2, x2' = -x1 - y, x3' = -y, 0 = x3 - x1 t: y = -(x2 t + x1).
struct Product {
  using State = Vec<3>;
  using Multiplier = Vec<1>;
  Interval interval() const { return {1, 2}; }
  State f(const State& x, double) const { return {x[1], -x[0], 0}; }
  Vec<3> B(const State&, double) const { return {0, 1, 1}; }
  template <class T>
  VecOf<T, 1> g(const VecOf<T, 3>& x, T t) const {
    return VecOf<T, 1>(x[2] - x[0] * t);
  }
  Vec<2> conditions(const State& left, const State& right) const {
    return {left[0] - 1, right[1] - 0.5};
  }
};

}  // namespace

TEST_CASE("a solution with another curve has the values of that curve, and is solved as before",
          "[solution]") {
  const Solution first = solve(with_autodiff(Product{}), {.tolerance = 1e-6});
  REQUIRE(first.report.usable());
  const CollocationCurve& curve = first.values().curve();
  CollocationValues values = curve.values();
  values.x *= 2;
  values.slopes *= 2;
  values.carried *= -3;
  Solution of = first;
  of.parameters = Vec<2>(4, 5);
  of.fixed_nodes = {1.5};
  const Solution other = with_curve(of, {curve.mesh(), curve.scheme(), values});
  VecX times = VecX::LinSpaced(7, 1, 2);
  for (const double t : times) {
    CAPTURE(t);
    CHECK((other.x(t) - 2 * first.x(t)).norm() < 1e-13);
    CHECK((other.slope(t) - 2 * first.slope(t)).norm() < 1e-12);
    CHECK((other.multiplier(t) + 3 * first.multiplier(t)).norm() < 1e-12);
  }
  CHECK((other.x(times) - 2 * first.x(times)).norm() < 1e-12);
  CHECK((other.slope(times) - 2 * first.slope(times)).norm() < 1e-11);
  CHECK(other.parameters == of.parameters);
  CHECK(other.fixed_nodes == of.fixed_nodes);
  CHECK(other.report.message == first.report.message);
  CHECK(other.iterates() == first.iterates());
  CHECK(other.carries_By() == first.carries_By());
  CHECK(other.regularization().epsilon == first.regularization().epsilon);
  CHECK_FALSE(other.share().is_shared());
  // What the equations tell of it is that of the solution they were solved for.
  CHECK(other.By(1.3) == first.By(1.3));
  CHECK(other.y(1.3) == first.y(1.3));
  CHECK(other.constraint_residual(1.3) == first.constraint_residual(1.3));
  CHECK(other.table(5).rows() == first.table(5).rows());
}

}  // namespace daewave::bvp
