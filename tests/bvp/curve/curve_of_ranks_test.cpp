// A curve that ranks share, where one rank has all of it: what is asked for is that of the curve.

#include "bvp/curve/curve_of_ranks.hpp"

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "tests/bvp/lone_rank.hpp"
#include "tests/catch.hpp"

namespace daewave::bvp {
namespace {

/// (sin t, cos t), and (7 t, -t, t^2) carried, on [1, 4].
CollocationCurve circle(int intervals) {
  const Mesh mesh = uniform_mesh(1, 4, intervals);
  const Collocation scheme = collocation(Scheme::gauss, 3);
  CollocationValues values;
  values.x.resize(2, intervals + 1);
  values.slopes.resize(2, 3 * intervals);
  values.carried.resize(3, 3 * intervals);
  for (int i = 0; i <= intervals; ++i) {
    values.x.col(i) << std::sin(mesh.node(i)), std::cos(mesh.node(i));
  }
  for (int stage = 0; stage < 3 * intervals; ++stage) {
    const double t = mesh.node(stage / 3) + scheme.c[stage % 3] * mesh.step(stage / 3);
    values.slopes.col(stage) << std::cos(t), -std::sin(t);
    values.carried.col(stage) << 7 * t, -t, t * t;
  }
  return {mesh, scheme, values};
}

}  // namespace

TEST_CASE("around a part of a shared curve it has the values of the whole, and at both ends of all",
          "[curve][ranks]") {
  const testing::LoneRank ranks;
  const auto curve = std::make_shared<const CollocationCurve>(circle(40));
  Mesh mesh = curve->mesh();
  const MeshShare share = share_evenly(&ranks, mesh);
  REQUIRE(share.is_shared());
  CurveAround around(curve, share);
  const auto is_that_of_the_curve = [&](double t) {
    CAPTURE(t);
    CHECK((around.x(t) - curve->x(t)).norm() < 1e-14);
    CHECK((around.carried(t) - curve->carried(t)).norm() < 1e-13);
    CHECK((around.x(t) - Vec<2>(std::sin(t), std::cos(t))).norm() < 1e-7);
    CHECK((around.carried(t) - Vec<3>(7 * t, -t, t * t)).norm() < 1e-12);
  };
  // What is at the ends all know, before they attend to anything.
  is_that_of_the_curve(1);
  is_that_of_the_curve(4);
  CHECK_THROWS_AS(around.x(2), Error);
  around.attend(2, 2.5);
  for (const double t : {1.0, 2.0, 2.2, 2.5, 4.0}) is_that_of_the_curve(t);
  CHECK_THROWS_AS(around.x(3.9), Error);
  around.attend(3, 4);
  for (const double t : {1.0, 3.0, 3.7, 4.0}) is_that_of_the_curve(t);
  CHECK_THROWS_AS(around.carried(2.2), Error);
}

TEST_CASE("some intervals of a curve have its values, shared or not", "[curve][ranks]") {
  const testing::LoneRank ranks;
  const CollocationCurve curve = circle(10);
  Mesh mesh = curve.mesh();
  for (const MeshShare& share : {MeshShare{}, share_evenly(&ranks, mesh)}) {
    const CollocationCurve part = intervals_of(curve, share, {3, 7});
    REQUIRE(part.mesh().intervals() == 4);
    CHECK(part.mesh().begin() == curve.mesh().node(3));
    CHECK(part.mesh().end() == curve.mesh().node(7));
    for (const double t : {2.0, 2.34, 2.5, 3.0}) {
      CAPTURE(t, share.is_shared());
      CHECK((part.x(t) - curve.x(t)).norm() < 1e-14);
      CHECK((part.slope(t) - curve.slope(t)).norm() < 1e-13);
      CHECK((part.carried(t) - curve.carried(t)).norm() < 1e-13);
    }
  }
}

}  // namespace daewave::bvp
