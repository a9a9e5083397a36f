// What is next to nothing at an end is what its neighbour leads to.

#include "bvp/nonlinear/slivers_at_ends.hpp"

#include <vector>

#include "tests/catch.hpp"

namespace daewave::bvp {
namespace {

/// x = t^2 and its slope, carried t; in intervals of 1e-11 and less something else.
CollocationCurve square(const std::vector<double>& nodes) {
  const Mesh mesh(nodes);
  const Collocation scheme = collocation(Scheme::radau, 2);
  CollocationValues values;
  values.x.resize(1, mesh.intervals() + 1);
  for (int i = 0; i <= mesh.intervals(); ++i) values.x(0, i) = mesh.node(i) * mesh.node(i);
  values.slopes.resize(1, 2 * mesh.intervals());
  values.carried.resize(1, 2 * mesh.intervals());
  for (int i = 0; i < mesh.intervals(); ++i) {
    const bool off = mesh.step(i) < 1e-11;
    for (int j = 0; j < 2; ++j) {
      const double t = mesh.node(i) + scheme.c[j] * mesh.step(i);
      values.slopes(0, 2 * i + j) = off ? 7 : 2 * t;
      values.carried(0, 2 * i + j) = off ? 9 : t;
    }
  }
  return {mesh, scheme, values};
}

}  // namespace

TEST_CASE("slivers at ends are what their neighbours lead to, others stay", "[nonlinear]") {
  const CollocationCurve curve =
      without_slivers_at_ends(square({0, 5e-13, 0.4, 0.4 + 5e-13, 1 - 5e-13, 1}), {}, 1);
  CHECK(curve.carried(0)[0] == Approx(0).margin(1e-11));
  CHECK(curve.slope(0)[0] == Approx(0).margin(1e-11));
  CHECK(curve.carried(1)[0] == Approx(1).epsilon(1e-11));
  CHECK(curve.slope(1)[0] == Approx(2).epsilon(1e-11));
  CHECK(curve.x(1)[0] == 1);
  // A jump inside is one.
  CHECK(curve.carried(0.4 + 2e-13)[0] == Approx(9));
  CHECK(curve.slope(0.4 + 2e-13)[0] == Approx(7));
}

TEST_CASE("what is known close to nodes is that of the neighbour in slivers too", "[nonlinear]") {
  const CollocationCurve given = square({0, 5e-13, 0.4, 1 - 5e-13, 1});
  CollocationValues values = given.values();
  values.end_slopes = MatX{{7, 7, 0, 0.8, 0.8, 2, 7, 7}};
  values.end_carried = MatX{{9, 9, 0, 0.4, 0.4, 1, 9, 9}};
  const CollocationCurve curve =
      without_slivers_at_ends({given.mesh(), given.scheme(), values}, {}, 1);
  const MatX &slopes = curve.values().end_slopes, &carried = curve.values().end_carried;
  const MatX slopes_there{{0, 0, 0, 0.8, 0.8, 2, 2, 2}};
  const MatX carried_there{{0, 0, 0, 0.4, 0.4, 1, 1, 1}};
  REQUIRE(slopes.cols() == 8);
  REQUIRE(carried.cols() == 8);
  CHECK((slopes - slopes_there).cwiseAbs().maxCoeff() < 1e-7);
  CHECK((carried - carried_there).cwiseAbs().maxCoeff() < 1e-7);
}

TEST_CASE("intervals at ends that are no slivers stay as they are", "[nonlinear]") {
  const CollocationCurve longer = without_slivers_at_ends(square({0, 8e-12, 0.5, 1}), {}, 1);
  CHECK(longer.carried(0)[0] == Approx(9));
  const CollocationCurve one = without_slivers_at_ends(square({0, 5e-13}), {}, 1);
  CHECK(one.carried(0)[0] == Approx(9));
  // Neither of two knows more than the other.
  const CollocationCurve two =
      without_slivers_at_ends(square({0, 0.5, 1 - 1e-12, 1 - 5e-13, 1}), {}, 1);
  CHECK(two.carried(1)[0] == Approx(9));
}

}  // namespace daewave::bvp
