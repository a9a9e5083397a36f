// The pendulum and the elliptic functions of its exact solution.

#include "problems/pendulum.hpp"

#include <cmath>
#include <numbers>

#include "problems/jacobi_elliptic.hpp"
#include "tests/catch.hpp"

namespace daewave::problems {

TEST_CASE("elliptic functions are sine and cosine at m = 0", "[problems]") {
  for (double u = -9; u < 9; u += 0.37) {
    const JacobiElliptic at = jacobi_elliptic(u, 0);
    CHECK(at.sn == Approx(std::sin(u)).margin(2e-15));
    CHECK(at.cn == Approx(std::cos(u)).margin(2e-15));
    CHECK(at.dn == 1);
  }
  CHECK(elliptic_quarter_period(0) == Approx(std::numbers::pi / 2).epsilon(1e-15));
}

TEST_CASE("elliptic functions are hyperbolic in the limit m = 1", "[problems]") {
  const double m = 1 - 1e-12;  // They differ from the limit by (1 - m) e^(2u) / 8.
  for (double u = -3; u < 3; u += 0.37) {
    const JacobiElliptic at = jacobi_elliptic(u, m);
    CHECK(at.sn == Approx(std::tanh(u)).margin(1e-10));
    CHECK(at.cn == Approx(1 / std::cosh(u)).margin(1e-10));
    CHECK(at.dn == Approx(1 / std::cosh(u)).margin(1e-10));
  }
}

TEST_CASE("elliptic functions keep their identities and their derivatives", "[problems]") {
  for (const double m : {0.0, 0.1, 0.5, 0.9, 0.999}) {
    for (double u = -7; u < 7; u += 0.61) {
      CAPTURE(m, u);
      const auto [s, c, d] = jacobi_elliptic(u, m);
      CHECK(s * s + c * c == Approx(1).epsilon(1e-14));
      CHECK(d * d + m * s * s == Approx(1).epsilon(1e-14));
      const double h = 1e-3;
      const auto sn = [m](double at) { return jacobi_elliptic(at, m).sn; };
      const double slope =
          (8 * (sn(u + h) - sn(u - h)) - (sn(u + 2 * h) - sn(u - 2 * h))) / (12 * h);
      CHECK(slope == Approx(c * d).margin(1e-11));
    }
  }
}

TEST_CASE("elliptic functions have their quarter periods", "[problems]") {
  CHECK(elliptic_quarter_period(0.5) == Approx(1.85407467730137192).epsilon(1e-15));
  for (const double m : {0.0, 0.5, 0.9, 0.9999}) {
    const double K = elliptic_quarter_period(m);
    const JacobiElliptic quarter = jacobi_elliptic(K, m), half = jacobi_elliptic(2 * K, m);
    CHECK(quarter.sn == Approx(1).epsilon(1e-15));
    CHECK(quarter.cn == Approx(0).margin(1e-14));
    CHECK(quarter.dn == Approx(std::sqrt(1 - m)).epsilon(1e-12));
    CHECK(half.sn == Approx(0).margin(1e-14));
    CHECK(half.cn == Approx(-1).epsilon(1e-15));
  }
}

TEST_CASE("the pendulum is where it is known to be", "[problems]") {
  const double digits = 1e-14;  // The known values have 15.
  const Pendulum eich = Pendulum::of_period(2);
  CHECK(eich.g0 == Approx(13.750371636040746).epsilon(1e-15));
  CHECK(eich.interval().end == 100);
  const Vec<4> a = eich.z_exact(0.3);
  CHECK(a[0] == Approx(0.819064681701747).epsilon(digits));
  CHECK(a[1] == Approx(-0.573701182837212).epsilon(digits));
  CHECK(a[2] == Approx(-2.27877178670986).epsilon(digits));
  CHECK(a[3] == Approx(-3.25336872920836).epsilon(digits));
  CHECK(eich.y_exact(0.3)[0] == Approx(23.6658134161435).epsilon(digits));
  const Pendulum earth;
  CHECK(earth.period() == Approx(2.36784194757624).epsilon(digits));
  const Vec<4> b = earth.z_exact(1);
  CHECK(b[0] == Approx(-0.986291751131875).epsilon(digits));
  CHECK(b[1] == Approx(-0.165010853125541).epsilon(digits));
  CHECK(b[2] == Approx(-0.296905515916316).epsilon(digits));
  CHECK(b[3] == Approx(1.77464364111266).epsilon(digits));
  CHECK(earth.y_exact(1)[0] == Approx(4.85626940748468).epsilon(digits));
}

TEST_CASE("the pendulum passes its lowest and returns to its highest points", "[problems]") {
  const Pendulum eich = Pendulum::of_period(2);
  const double V = std::sqrt(2 * eich.g0);
  const auto near = [&](double t, const Vec<4>& z) {
    // 50 periods in, t is rounded to 1e-14 of itself and moves z by that times its rate.
    return (eich.z_exact(t) - z).cwiseAbs().maxCoeff() < 1e-11;
  };
  CHECK(near(0.5, {0, -1, -V, 0}));
  CHECK(near(1, {-1, 0, 0, 0}));
  CHECK(near(1.5, {0, -1, V, 0}));
  CHECK(near(100, {1, 0, 0, 0}));
  CHECK(eich.y_exact(100)[0] == Approx(0).margin(1e-11));
}

}  // namespace daewave::problems
