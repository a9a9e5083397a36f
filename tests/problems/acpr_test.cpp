// The two-link arm of [ACPR].

#include "problems/acpr.hpp"

#include <cmath>
#include <numbers>

#include "core/kkt/kkt.hpp"
#include "problems/extrapolation_step.hpp"
#include "tests/catch.hpp"

namespace daewave::problems {
namespace {

/// (v, v') with v' from [M G^T; G 0] (v'; lambda) = (f; -curvature).
template <class P>
Vec<4> reduced(const P& problem, double t, const Vec<4>& z) {
  MultibodyTerms<P> at;
  const Vec<2> q = z.head<2>(), v = z.tail<2>();
  problem.terms(q, v, t, at);
  NullSpaceKkt<Vec<2>, Vec<1>> kkt;
  kkt.eliminate(at.G, 0);
  kkt.weigh(at.M);
  Vec<2> a;
  Vec<1> lambda;
  kkt.solve(at.M, at.f, Vec<1>(-at.curvature), a, lambda);
  Vec<4> slope;
  slope << v, a;
  return slope;
}

/// Newton back to g = 0 and G v + g_t = 0.
template <class P>
void project(const P& problem, double t, Vec<4>& z) {
  NullSpaceKkt<Vec<2>, Vec<1>> kkt;
  for (int i = 0; i < 3; ++i) {
    const Vec<2> q = z.head<2>(), v = z.tail<2>();
    const Mat<1, 2> G = problem.G(q, t);
    kkt.eliminate(G, 0);
    Vec<2> step;
    kkt.correct_orthogonal(Vec<1>(G * v + problem.g_t(q, t)), step);
    z.tail<2>() -= step;
    kkt.correct_orthogonal(problem.g(q, t), step);
    z.head<2>() -= step;
  }
}

template <class P>
Vec<4> integrate(const P& problem, double t_end, int steps) {
  Vec<4> z = problem.start();
  const double h = t_end / steps;
  for (int i = 0; i < steps; ++i) {
    const auto rhs = [&](double t, const Vec<4>& at) { return reduced(problem, t, at); };
    z += extrapolation_step(rhs, i * h, h, z);
    project(problem, (i + 1) * h, z);
  }
  return z;
}

}  // namespace

TEST_CASE("the arm starts at 70 and -140 degrees, its end on both paths", "[problems]") {
  const double degree = std::numbers::pi / 180;
  CHECK(AcprCase1{}.start()[0] == Approx(70 * degree));
  CHECK(AcprCase1{}.start()[1] == Approx(-140 * degree));
  const Vec<2> q = AcprCase1{}.start().head<2>();
  // On the parabola with beta = 4 cos^2 70 deg the end at (2 cos 70 deg, 0) has g = 0; at the
  // stretched arm (2, 0) it is -4 + beta.
  CHECK(AcprCase1{}.g(q, 0)[0] == Approx(0).margin(1e-15));
  CHECK(AcprCase1{}.g(Vec<2>{0, 0}, 0)[0] == Approx(-4 + 4 * std::pow(std::cos(70 * degree), 2)));
  CHECK(AcprCase1{}.interval().end == 40);
  CHECK(AcprCase2{}.interval().end == 10);
}

TEST_CASE("the arm on the parabola ends where it is known to after 40 s", "[problems]") {
  const AcprCase1 problem;
  const Vec<4> z = integrate(problem, 40, 1600);
  CHECK(z[0] == Approx(0.7805930).margin(5.1e-8));
  CHECK(z[1] == Approx(-2.6117104).margin(5.1e-8));
  const Vec<4> start = problem.start();
  CHECK(problem.energy(z.head<2>(), z.tail<2>()) ==
        Approx(problem.energy(start.head<2>(), start.tail<2>())).epsilon(1e-9));
}

TEST_CASE("the arm's end follows the moving path", "[problems]") {
  const AcprCase2 problem{.omega = 1};
  const double t = 1.5;
  const Vec<4> z = integrate(problem, t, 60);
  const double height = std::sin(z[0]) + std::sin(z[0] + z[1]);
  CHECK(height == Approx(std::pow(std::sin(t), 2)).margin(1e-13));
}

}  // namespace daewave::problems
