// How much of the rows of constraints is left beside each other, from their derivatives and from
// velocities alone.

#include "ivp/reduced/dependence.hpp"

#include <cmath>

#include "tests/catch.hpp"

namespace daewave::ivp::of_dependence {
namespace {

/// Two coordinates on q1 = t and on q2 = q1^2 / 2 - 3 t, and the same of their velocities; where
/// `twice`, one of them is stated twice instead.
struct Moving final : DaeSystem {
  bool twice = false;
  double scale = 1;

  int nz() const override { return 4; }
  int nw() const override { return 0; }
  int nh() const override { return 4; }
  int position_invariants() const override { return 2; }
  int positions() const override { return 2; }
  bool evaluate(double, const VecX&, const VecX&, VecX&, VecX&) override { return true; }
  bool algebraic(double, const VecX&, VecX&) override { return true; }
  bool invariants(double t, const VecX& z, VecX& h) override {
    const double second = twice ? 0 : scale * z[0];
    h[0] = z[0] - t;
    h[1] = twice ? z[0] - t : scale * (z[0] * z[0] / 2 - z[1] - 3 * t);
    h[2] = z[2] - 1;
    h[3] = twice ? z[2] - 1 : second * z[2] - scale * z[3] - 3 * scale;
    return true;
  }
  bool invariants(double t, const VecX& z, VecX& h, MatX& H) override {
    H.setZero(4, 4);
    H(0, 0) = H(2, 2) = 1;
    H(1, 0) = H(3, 2) = twice ? 1 : scale * z[0];
    H(1, 1) = H(3, 3) = twice ? 0 : -scale;
    H(3, 0) = twice ? 0 : scale * z[2];
    return invariants(t, z, h);
  }
  bool multiplier(double, const VecX&, const VecX&, VecX&) override { return true; }
  Drift drift(double, const VecX&) override { return {}; }
  std::string failure() const override { return {}; }
};

/// On q3 = (q1 - 1)^2 and on q3 = (q2 - 1)^2, in another unit: two curves, that meet where q1 = 1.
struct Meeting final : DaeSystem {
  double unit = 1;

  static VecX state(double q1) { return VecX{{q1, q1, (q1 - 1) * (q1 - 1), 0, 0, 0}}; }

  int nz() const override { return 6; }
  int nw() const override { return 0; }
  int nh() const override { return 4; }
  int position_invariants() const override { return 2; }
  int positions() const override { return 3; }
  bool evaluate(double, const VecX&, const VecX&, VecX&, VecX&) override { return true; }
  bool algebraic(double, const VecX&, VecX&) override { return true; }
  bool invariants(double t, const VecX& z, VecX& h) override {
    MatX H(4, 6);
    return invariants(t, z, h, H);
  }
  bool invariants(double, const VecX& z, VecX& h, MatX& H) override {
    h[0] = z[2] - (z[0] - 1) * (z[0] - 1);
    h[1] = unit * (z[2] - (z[1] - 1) * (z[1] - 1));
    H.setZero(4, 6);
    H(0, 0) = H(2, 3) = -2 * (z[0] - 1);
    H(1, 1) = H(3, 4) = -2 * unit * (z[1] - 1);
    H(0, 2) = H(2, 5) = 1;
    H(1, 2) = H(3, 5) = unit;
    h.tail(2) = H.block(2, 3, 2, 3) * z.tail(3);
    return true;
  }
  bool multiplier(double, const VecX&, const VecX&, VecX&) override { return true; }
  Drift drift(double, const VecX&) override { return {}; }
  std::string failure() const override { return {}; }
};

}  // namespace

TEST_CASE("what is left of a row is the same by velocities alone, on constraints that move",
          "[passing]") {
  const VecX z{{0.5, -0.5, 1.0, -2.5}};
  for (const bool by_velocities : {false, true}) {
    CAPTURE(by_velocities);
    Moving system;
    Dependence dependence(system, 0.5, z, by_velocities);
    CHECK(dependence.rows() == 2);
    CHECK(dependence.rank() == 2);
    // Rows (1, 0) and (1/2, -1): the second is the longer one, of the first det / length is left.
    const double length = std::sqrt(1.25);
    CHECK(dependence.reached(0.5, z) == Approx(1).epsilon(1e-12));
    CHECK(dependence.part() == Approx(1 / length / length).epsilon(1e-12));
    // Of the largest that was reached, a third of the
    // second row is (1/6, -1/3), behind (1, 0).
    system.scale = 1.0 / 3;
    CHECK(dependence.at(0.5, z) == Approx(length / 3).epsilon(1e-12));
    CHECK(dependence.part() == Approx(1.0 / 3).epsilon(1e-12));
  }
}

TEST_CASE("what is left of a row is less than around in a singular state alone, in any unit",
          "[passing]") {
  const auto part_at = [](double unit, double q1) {
    Meeting system;
    system.unit = unit;
    const VecX z = Meeting::state(q1);
    Dependence dependence(system, 0, z);
    CAPTURE(unit, q1);
    CHECK(dependence.rank() == 2);
    return dependence.part_of_around(0, z);
  };
  for (const double unit : {1e-8, 1e-5, 1.0, 1e5, 1e8}) CHECK(part_at(unit, 1.7) > 0.1);
  for (const double unit : {1e-3, 1.0, 1e3}) CHECK(part_at(unit, 1 + 1e-6) < 1e-4);
}

TEST_CASE("a constraint that is stated twice is no dependence", "[passing]") {
  Moving system;
  system.twice = true;
  const VecX z{{0.5, 0.5, 1.0, 1.0}};
  for (const bool by_velocities : {false, true}) {
    Dependence dependence(system, 0.5, z, by_velocities);
    CHECK(dependence.rank() == 1);
    CHECK(dependence.reached(0.5, z) == Approx(1).epsilon(1e-12));
    CHECK(dependence.part() == Approx(1).epsilon(1e-12));
  }
}

}  // namespace daewave::ivp::of_dependence
