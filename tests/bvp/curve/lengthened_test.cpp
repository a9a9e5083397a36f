// Curves on a longer interval: lines beyond both ends, in steps that double.

#include "bvp/curve/lengthened.hpp"

#include <cmath>
#include <vector>

#include "tests/catch.hpp"

namespace daewave::bvp {
namespace {

/// (t^2, 1 - t) on [1, 2], where the first step is 0.25 and the last one 0.5; 10 t and 3 carried.
CollocationCurve parabola() {
  const Mesh mesh({1, 1.25, 1.5, 2});
  const Collocation scheme = collocation(Scheme::gauss, 2);
  CollocationValues values;
  values.x.resize(2, 4);
  values.slopes.resize(2, 6);
  values.carried.resize(2, 6);
  for (int i = 0; i < 4; ++i) {
    const double t = mesh.node(i);
    values.x.col(i) << t * t, 1 - t;
  }
  for (int stage = 0; stage < 6; ++stage) {
    const double t = mesh.node(stage / 2) + scheme.c[stage % 2] * mesh.step(stage / 2);
    values.slopes.col(stage) << 2 * t, -1;
    values.carried.col(stage) << 10 * t, 3;
  }
  return {mesh, scheme, values};
}

}  // namespace

TEST_CASE("a curve that is made longer goes on along a line at either end", "[curve]") {
  const CollocationCurve curve = parabola();
  const VecX before = Vec<2>(0.5, 2), after = Vec<2>(-3, 0.25);
  const CollocationCurve longer = lengthened(curve, {-2, 9}, before, after);
  CHECK(longer.mesh().begin() == -2);
  CHECK(longer.mesh().end() == 9);
  CHECK((longer.x(1.0) - curve.x(1.0)).norm() < 1e-14);
  for (const double t : {1.1, 1.4, 1.5, 1.9}) {
    CAPTURE(t);
    CHECK((longer.x(t) - curve.x(t)).norm() < 1e-14);
    CHECK((longer.slope(t) - curve.slope(t)).norm() < 1e-13);
    CHECK((longer.carried(t) - curve.carried(t)).norm() < 1e-13);
  }
  for (const double t : {-2.0, -1.3, 0.2, 0.9}) {
    CAPTURE(t);
    CHECK((longer.x(t) - curve.x(1) - (t - 1) * before).norm() < 1e-13);
    CHECK((longer.slope(t) - before).norm() < 1e-13);
    CHECK((longer.carried(t) - curve.values().carried.col(0)).norm() < 1e-13);
  }
  for (const double t : {2.1, 3.3, 6.0, 9.0}) {
    CAPTURE(t);
    CHECK((longer.x(t) - curve.x(2) - (t - 2) * after).norm() < 1e-13);
    CHECK((longer.slope(t) - after).norm() < 1e-13);
    CHECK((longer.carried(t) - curve.values().carried.col(5)).norm() < 1e-13);
  }
}

TEST_CASE(
    "steps beyond the ends of a curve double from those at its ends on, and the last one ends "
    "where the interval does",
    "[curve]") {
  const VecX still = VecX::Zero(2);
  const CollocationCurve longer = lengthened(parabola(), {-2, 9}, still, still);
  CHECK(longer.mesh().nodes() ==
        std::vector<double>{-2, -0.75, 0.25, 0.75, 1, 1.25, 1.5, 2, 2.5, 3.5, 5.5, 9});
  // One end alone, and no node where there is nothing beyond.
  CHECK(lengthened(parabola(), {1, 2.75}, still, still).mesh().nodes() ==
        std::vector<double>{1, 1.25, 1.5, 2, 2.75});
  CHECK(lengthened(parabola(), {0.5, 2}, still, still).mesh().nodes() ==
        std::vector<double>{0.5, 1, 1.25, 1.5, 2});
  CHECK(lengthened(parabola(), {1, 2}, still, still).mesh().nodes() == parabola().mesh().nodes());
}

TEST_CASE("a curve that carries nothing is made longer too", "[curve]") {
  const CollocationCurve curve = parabola();
  CollocationValues values = curve.values();
  values.carried.resize(0, 6);
  const CollocationCurve longer =
      lengthened({curve.mesh(), curve.scheme(), values}, {0, 4}, Vec<2>(1, 1), Vec<2>(2, 2));
  CHECK(longer.values().carried.rows() == 0);
  CHECK(longer.x(4.0)[0] == Approx(8));
  CHECK(longer.x(0.0)[0] == Approx(0).margin(1e-14));
}

}  // namespace daewave::bvp
