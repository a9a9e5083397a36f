// The slider-crank and its reference in minimal coordinates.

#include "problems/slider_crank.hpp"

#include <cmath>
#include <numbers>

#include "problems/slider_crank_reference.hpp"
#include "tests/catch.hpp"

namespace daewave::problems {
namespace {

constexpr double pi = std::numbers::pi;
constexpr double period_at_rest = 3.0381382;  // To its last digit.

double energy_at(const SliderCrank& problem, const Vec<12>& z) {
  return problem.energy(z.head<6>(), z.tail<6>());
}

}  // namespace

TEST_CASE("the slider-crank starts where its two cases say", "[problems]") {
  const Vec<12> rest = SliderCrank{}.start();
  CHECK(rest[2] == Approx(7 * pi / 4));
  CHECK(rest[5] == Approx(pi / 4));
  CHECK(rest.tail<6>().isZero(0));
  const Vec<12> turning = SliderCrank{.from = SliderCrankStart::turning}.start();
  CHECK(turning[2] == Approx(pi / 4));
  CHECK(turning[8] == Approx(2 * std::sqrt(2.0)));
  // The end of bar 2, the slider: x2 + (L/2) cos phi2 runs at -4 m/s.
  CHECK(turning[9] - std::sin(turning[5]) / 2 * turning[11] == Approx(-4));
}

TEST_CASE("the last row of the slider-crank's G vanishes where its bars lie on each other",
          "[problems]") {
  const SliderCrank problem{.L = 2};
  for (const double phi1 : {pi / 2, 3 * pi / 2}) {
    const Mat<5, 6> G = problem.G(Vec<6>(problem.state(phi1, 1).head<6>()), 0.0);
    CHECK(G.row(4).cwiseAbs().maxCoeff() < 1e-15);
    CHECK(G.topRows<4>().rowwise().norm().minCoeff() >= 1);
  }
  CHECK(problem.G(Vec<6>(problem.state(1.2, 1).head<6>()), 0.0).row(4).norm() > 0.5);
}

TEST_CASE("any angle and rate of the slider-crank satisfy its constraints", "[problems]") {
  const SliderCrank problem{.L = 0.8};
  for (double phi1 = -4; phi1 < 4; phi1 += 0.3) {
    const Vec<12> z = problem.state(phi1, 2.5);
    const Vec<6> q = z.head<6>(), v = z.tail<6>();
    CHECK(problem.g(q, 0.0).cwiseAbs().maxCoeff() < 1e-15);
    CHECK((problem.G(q, 0.0) * v).cwiseAbs().maxCoeff() < 1e-14);
  }
}

TEST_CASE("the slider-crank hanging from rest has its period", "[problems]") {
  const SliderCrank problem;
  SliderCrankReference reference(problem);
  // At half a period it is at rest on the other side, phi1 = 3 pi - 7 pi / 4. The acceleration
  // there is below 5 / s^2: half of the last digit of the period is 2.5e-7 of the rate.
  const Vec<2> half = reference.at(period_at_rest / 2), whole = reference.at(period_at_rest);
  CHECK(half[0] == Approx(5 * pi / 4).margin(1e-12));
  CHECK(half[1] == Approx(0).margin(2.5e-7));
  CHECK(whole[0] == Approx(7 * pi / 4).margin(1e-12));
  CHECK(whole[1] == Approx(0).margin(2.5e-7));
  CHECK(std::abs(reference.at(period_at_rest / 4)[0] - 3 * pi / 2) < 1e-6);
}

TEST_CASE("the reference of the slider-crank conserves energy", "[problems]") {
  for (const SliderCrankStart from : {SliderCrankStart::at_rest, SliderCrankStart::turning}) {
    const SliderCrank problem{.from = from};
    SliderCrankReference reference(problem);
    const double start = energy_at(problem, problem.start());
    for (double t = 0; t <= problem.interval().end; t += 0.71) {
      CAPTURE(t);
      // A thousand steps each rounded to 1e-14 of their increment.
      CHECK(energy_at(problem, reference.state(t)) == Approx(start).margin(1e-12));
    }
  }
}

TEST_CASE("the reference of the slider-crank obeys the constrained equations", "[problems]") {
  for (const SliderCrankStart from : {SliderCrankStart::at_rest, SliderCrankStart::turning}) {
    const SliderCrank problem{.L = 1.3, .m = 2, .from = from};
    SliderCrankReference reference(problem);
    for (const double t : {0.2, 0.5, 0.9}) {
      CAPTURE(t);
      const double d = 1e-4;  // The rate goes from 1 to 6 / s and back within 0.2 s.
      const auto state = [&](double s) { return reference.state(s); };
      const Vec<12> rate =
          (8 * (state(t + d) - state(t - d)) - (state(t + 2 * d) - state(t - 2 * d))) / (12 * d);
      const Vec<12> z = state(t);
      const Vec<6> q = z.head<6>(), v = z.tail<6>(), a = rate.tail<6>();
      // What is left is the constraints' force: it lies in the range of G^T, so the null space of
      // G, spanned by the motion of the mechanism, does not feel it.
      const Vec<6> force = problem.M(q) * a - problem.f(q, v, t);
      const Vec<6> free = problem.state(q[2], 1).tail<6>();
      CHECK(force.norm() > 1);
      CHECK(force.dot(free) == Approx(0).margin(1e-8 * force.norm()));
    }
  }
}

TEST_CASE("the reference of the slider-crank may be asked in any order", "[problems]") {
  SliderCrankReference once((SliderCrank{})), often((SliderCrank{}));
  for (const double t : {0.0, 3.0, 3.001, 0.4, 7.0}) often.at(t);
  CHECK(often.at(5.0) == once.at(5.0));
}

}  // namespace daewave::problems
