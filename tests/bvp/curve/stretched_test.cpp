// Curves on another interval, as guesses there.

#include "bvp/curve/stretched.hpp"

#include <cmath>

#include "tests/catch.hpp"

namespace daewave::bvp {
namespace {

/// sin t and its slope on three intervals of [1, 3], cos t carried.
CollocationCurve sine() {
  const Mesh mesh({1, 1.4, 2.2, 3});
  const Collocation scheme = collocation(Scheme::gauss, 4);
  CollocationValues values;
  values.x.resize(1, 4);
  values.slopes.resize(1, 12);
  for (int i = 0; i < 4; ++i) values.x(0, i) = std::sin(mesh.node(i));
  for (int i = 0; i < 12; ++i) {
    values.slopes(0, i) = std::cos(mesh.node(i / 4) + scheme.c[i % 4] * mesh.step(i / 4));
  }
  values.carried = values.slopes;
  return {mesh, scheme, values};
}

}  // namespace

TEST_CASE("a stretched curve has the same values at the same parts, and slopes to go with them",
          "[curve]") {
  const CollocationCurve curve = sine();
  for (const Interval& to : {Interval{-2, 8}, Interval{0, 0.5}, Interval{1, 3.5}}) {
    const CollocationCurve other = stretched(curve, to);
    CHECK(other.mesh().begin() == to.begin);
    CHECK(other.mesh().end() == to.end);
    const double factor = to.length() / 2;
    for (const double part : {0.0, 0.13, 0.4, 0.77, 1.0}) {
      const double from = 1 + 2 * part, at = to.begin + part * to.length();
      CAPTURE(to.begin, to.end, part);
      CHECK(other.x(at)[0] == Approx(curve.x(from)[0]));
      CHECK(other.slope(at)[0] == Approx(curve.slope(from)[0] / factor));
      CHECK(other.carried(at)[0] == Approx(curve.carried(from)[0]));
    }
  }
  CHECK(stretched(curve, {1, 3}).mesh().nodes() == curve.mesh().nodes());
}

TEST_CASE("slopes that were not kept are those between the nodes", "[curve]") {
  const CollocationCurve straight = with_slopes_of_nodes(sine());
  CHECK(straight.slope(1.7)[0] == Approx((std::sin(2.2) - std::sin(1.4)) / 0.8));
  CHECK(straight.x(1.8)[0] == Approx((std::sin(2.2) + std::sin(1.4)) / 2));
  CHECK(straight.x(2.2)[0] == Approx(std::sin(2.2)));
}

TEST_CASE("a curve of another equation keeps x, and carries as much of nothing", "[curve]") {
  const CollocationCurve without = without_carried(sine(), 3);
  CHECK(without.carried(1.7) == VecX(VecX::Zero(3)));
  CHECK(without.x(1.7)[0] == sine().x(1.7)[0]);
}

}  // namespace daewave::bvp
