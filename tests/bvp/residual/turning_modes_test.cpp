#include "bvp/residual/turning_modes.hpp"

#include <cmath>

#include "tests/catch.hpp"

namespace daewave::bvp {

TEST_CASE("angles of modes are those of Jacobians, without what is damped away", "[bvp]") {
  const Mesh mesh({0, 0.5, 2, 3, 4});
  const VecX alike = VecX::Ones(3);
  MatX turning = MatX::Zero(3, 3);
  turning(0, 1) = 40;
  turning(1, 0) = -10;
  turning(2, 2) = -1e6;
  TurningModes modes(mesh, collocation(Scheme::gauss, 2), 3);
  modes.see(0, turning, alike);
  // In other units.
  const VecX sizes{{1e8, 1e-8, 1}};
  modes.see(1, sizes.asDiagonal() * turning * sizes.cwiseInverse().asDiagonal(), sizes);
  MatX damped = turning;
  damped(0, 0) = damped(1, 1) = -30;
  modes.see(2, damped, alike);
  modes.see(3, MatX{{0, 5, 0}, {5, 0, 0}, {0, 0, 1}}, alike);
  const VecX angles = modes.angles();
  REQUIRE(angles.size() == 4);
  CHECK(angles[0] == Approx(10));
  CHECK(angles[1] == Approx(30));
  CHECK(angles[2] == 0);
  CHECK(angles[3] == 0);
}

TEST_CASE("angles of two states are those of many", "[bvp]") {
  const Mesh mesh({0, 1});
  for (const double off : {0.0, 0.3, 1.5}) {
    const MatX two{{1 + off, -3}, {2, 1 - off}};
    MatX four = MatX::Zero(4, 4);
    four.topLeftCorner(2, 2) = two;
    TurningModes few(mesh, collocation(Scheme::gauss, 2), 2),
        many(mesh, collocation(Scheme::gauss, 2), 4);
    few.see(0, two, VecX::Ones(2));
    many.see(0, four, VecX::Ones(4));
    CHECK(few.angles()[0] == Approx(std::sqrt(6 - off * off)));
    CHECK(many.angles()[0] == Approx(few.angles()[0]));
  }
}

TEST_CASE("of many states some intervals tell those beside them", "[bvp]") {
  const int nx = 30, intervals = 40;
  std::vector<double> nodes;
  for (int i = 0; i <= intervals; ++i) nodes.push_back(i);
  const Mesh mesh(nodes);
  MatX turning = MatX::Zero(nx, nx);
  turning(3, 7) = 2;
  turning(7, 3) = -2;
  TurningModes modes(mesh, collocation(Scheme::gauss, 2), nx);
  int seen = 0;
  for (int i = 0; i < intervals; ++i) {
    if (!modes.wants(i)) continue;
    modes.see(i, turning, VecX::Ones(nx));
    ++seen;
  }
  CHECK(seen >= 8);
  CHECK(seen < intervals);
  CHECK(modes.angles().minCoeff() == Approx(2));
}

TEST_CASE("a mesh that follows modes is off them by as little as was asked", "[bvp]") {
  const Mesh mesh({0, 0.2, 1});
  const VecX angles{{20, 600}};
  for (const Scheme scheme : {Scheme::gauss, Scheme::radau, Scheme::lobatto}) {
    for (const int stages : {3, 5}) {
      const Collocation family = collocation(scheme, stages);
      CAPTURE(name_of(scheme), stages);
      CHECK(missed_by(family, angles) > 0.05);
      const Mesh finer = following(mesh, family, angles, 0.01, 1 << 20);
      VecX smaller(finer.intervals());
      for (int i = 0; i < finer.intervals(); ++i) {
        smaller[i] = finer.step(i) * (finer.node(i) < 0.2 ? 100 : 750);
      }
      CHECK(missed_by(family, smaller) <= 0.0101);
      // No finer than that takes.
      CHECK(missed_by(family, 1.6 * smaller) > 0.01);
      CHECK(following(mesh, family, angles, 0.01, 100).nodes() == mesh.nodes());
    }
  }
}

TEST_CASE("a step is off a mode by its phase and its size", "[bvp]") {
  // Midpoint: (1 + i a/2) / (1 - i a/2), which turns by 2 atan(a/2).
  const double a = 1.3, turned = 2 * std::atan(a / 2);
  CHECK(missed_by(collocation(Scheme::gauss, 1), VecX::Constant(1, a)) ==
        Approx(2 * std::sin((a - turned) / 2)));
  // Backward Euler: 1 / (1 - i a).
  const double re = 1 / (1 + a * a), im = a / (1 + a * a);
  CHECK(missed_by(collocation(Scheme::radau, 1), VecX::Constant(1, a)) ==
        Approx(std::hypot(re - std::cos(a), im - std::sin(a))));
}

}  // namespace daewave::bvp
