// Andrews' mechanism: the values at the start, and what is special about its motion. Everything
// every problem must satisfy is in nonlinear_problems_test.cpp.

#include "problems/andrews.hpp"

#include <Eigen/LU>

#include "tests/catch.hpp"

namespace daewave::problems {
namespace {

struct Motion {
  Vec<7> acceleration;
  Vec<6> lambda;
};

Motion motion_at(const Andrews& problem, const Vec<7>& q, const Vec<7>& v) {
  MultibodyTerms<Andrews> at;
  evaluate(problem, q, v, 0, at);
  Mat<13, 13> matrix = Mat<13, 13>::Zero();
  matrix.topLeftCorner<7, 7>() = at.M;
  matrix.topRightCorner<7, 6>() = at.G.transpose();
  matrix.bottomLeftCorner<6, 7>() = at.G;
  Vec<13> right;
  right << at.f, -at.curvature;
  const Vec<13> solution = matrix.fullPivLu().solve(right);
  return {solution.head<7>(), solution.tail<6>()};
}

}  // namespace

TEST_CASE("Andrews' mechanism starts where Newton's method assembles it", "[problems]") {
  const Vec<14> z = Andrews{}.start();
  const Vec<7> known{-0.0617138900142764496, 0,
                     0.455279819163070380,   0.222668390165885885,
                     0.487364979543842550,   -0.222668390165885885,
                     1.23054744454982119};
  // Newton ends where g is rounding, 1e-17 m; angles are that divided by lengths of 0.01 m.
  CHECK((z.head<7>() - known).cwiseAbs().maxCoeff() < 5e-15);
  CHECK(z.tail<7>().isZero(0));
}

TEST_CASE("Andrews' mechanism has the known masses, force and energy at the start", "[problems]") {
  const Andrews problem;
  const Vec<7> q = problem.start().head<7>(), v = Vec<7>::Zero();
  const Mat<7, 7> M = problem.M(q);
  const double digits = 1e-8;  // The known values have 9.
  CHECK(M(0, 0) == Approx(2.74551930e-6).epsilon(digits));
  CHECK(M(0, 1) == Approx(6.29887500e-7).epsilon(digits));
  CHECK(M(2, 2) == Approx(1.61701474e-5).epsilon(digits));
  CHECK(M(3, 4) == Approx(1.16446317e-6).epsilon(digits));
  CHECK(M(4, 4) == Approx(6.79812822e-5).epsilon(digits));
  CHECK(M(6, 6) == Approx(4.13408445e-5).epsilon(digits));
  CHECK(problem.spring_length(q) == Approx(0.0526725161107367).epsilon(1e-14));
  CHECK(problem.energy(q, v) == Approx(1.43783295753214).epsilon(1e-14));
  const Vec<7> f = problem.f(q, v, 0);
  CHECK(f[0] == 0.033);
  CHECK(f[2] == Approx(-3.00420486).epsilon(digits));
  for (const int i : {1, 3, 4, 5, 6}) CHECK(f[i] == 0);
}

TEST_CASE("Andrews' mechanism leaves a dead point: only beta and theta accelerate", "[problems]") {
  const Andrews problem;
  const auto [a, lambda] = motion_at(problem, problem.start().head<7>(), Vec<7>::Zero());
  CHECK(a[0] == Approx(14222.4439199541138706).epsilon(1e-11));
  CHECK(a[1] == Approx(-10666.8329399655854).epsilon(1e-11));
  CHECK(a.tail<5>().cwiseAbs().maxCoeff() < 1e-7);  // Against 1e4: rounding times condition.
  CHECK(lambda[0] == Approx(98.5668703962410896).epsilon(1e-11));
  CHECK(lambda[1] == Approx(-6.12268834425566265).epsilon(1e-11));
  CHECK(lambda.tail<4>().cwiseAbs().maxCoeff() < 1e-9);
  CHECK(a[0] * (Andrews::d - Andrews::rr) + Andrews::d * a[1] == Approx(0).margin(1e-9));
}

TEST_CASE("bodies 4 and 6 of Andrews' mechanism stay mirror images", "[problems]") {
  // e = zf and zt = u: Phi + Omega = 0 where it is so at the start, and forces keep it.
  const Andrews problem;
  Vec<7> q = problem.start().head<7>(), v = Vec<7>::Zero();
  for (int i = 0; i < 200; ++i) {  // 1e-3 s by midpoint steps.
    const double h = 5e-6;
    const Vec<7> half = v + h / 2 * motion_at(problem, q, v).acceleration;
    const Vec<7> middle = q + h / 2 * v;
    v += h * motion_at(problem, middle, half).acceleration;
    q += h * half;
  }
  CHECK(std::abs(v[3]) > 1e-3);  // They move.
  CHECK(q[3] + q[5] == Approx(0).margin(1e-10));
  CHECK(v[3] + v[5] == Approx(0).margin(1e-7 * std::abs(v[3])));
}

}  // namespace daewave::problems
