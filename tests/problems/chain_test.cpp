// The chain of rods: start, reference solutions, and the linear algebra it brings.

#include "problems/chain.hpp"

#include <Eigen/Cholesky>
#include <cmath>

#include "problems/extrapolation_step.hpp"
#include "tests/catch.hpp"

namespace daewave::problems {
namespace {

struct ChainMotion {
  VecX acceleration, lambda;
};

ChainMotion motion_at(const Chain& problem, const VecX& z, MultibodyTerms<Chain>& at,
                      ChainKkt& kkt) {
  const int nq = 3 * problem.rods;
  problem.terms(z.head(nq), z.tail(nq), 0, at);
  kkt.eliminate(at.G, 0);
  REQUIRE(kkt.weigh(at.M));
  ChainMotion motion;
  kkt.solve(at.M, at.f, VecX(-at.curvature), motion.acceleration, motion.lambda);
  return motion;
}

/// z(t_end) in steps of order 16, each brought back to the constraints.
VecX integrate(const Chain& problem, double t_end, int steps) {
  const int nq = 3 * problem.rods;
  MultibodyTerms<Chain> at;
  ChainKkt kkt;
  const auto rhs = [&](double, const VecX& z) {
    VecX slope(2 * nq);
    slope << z.tail(nq), motion_at(problem, z, at, kkt).acceleration;
    return slope;
  };
  VecX z = problem.start(), residual, step;
  for (int i = 0; i < steps; ++i) {
    z += extrapolation_step(rhs, 0, t_end / steps, z);
    for (int k = 0; k < 2; ++k) {
      problem.terms(z.head(nq), z.tail(nq), 0, at);
      kkt.eliminate(at.G, 0);
      REQUIRE(kkt.weigh(at.M));
      apply(at.G, VecX(z.tail(nq)), residual);
      kkt.correct(at.M, residual, step);
      z.tail(nq) -= step;
      kkt.correct(at.M, at.position, step);
      z.head(nq) -= step;
    }
  }
  return z;
}

double energy_at(const Chain& problem, const VecX& z) {
  return problem.energy(z.head(3 * problem.rods), z.tail(3 * problem.rods));
}

/// Angular accelerations of the chain at rest from its equations in angles only.
VecX from_angles(const Chain& problem, const VecX& z) {
  const int n = problem.rods;
  MatX A(n, n);
  VecX right(n);
  const auto phi = [&](int i) { return z[3 * i + 2]; };
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      const double a = i == j ? n - i - 2.0 / 3 : n - std::max(i, j) - 0.5;
      A(i, j) = a * std::cos(phi(i) - phi(j));
    }
    right[i] = -problem.g0 * (n - i - 0.5) * std::cos(phi(i));
  }
  return A.ldlt().solve(right);
}

}  // namespace

TEST_CASE("the chain starts with the known angles, energies and forces", "[problems]") {
  MultibodyTerms<Chain> at;
  ChainKkt kkt;
  const Chain four{.rods = 4}, sixteen{.rods = 16};
  CHECK(four.start()[0] == Approx(0.18059877).margin(5.1e-9));
  CHECK(four.start()[1] == Approx(-0.46624466).margin(5.1e-9));
  CHECK(four.start()[2] == Approx(-1.20124451).margin(5.1e-9));
  CHECK(sixteen.start()[2] == Approx(-1.17272244).margin(5.1e-9));
  CHECK(energy_at(four, four.start()) == Approx(-75.372052818321).epsilon(1e-14));
  CHECK(energy_at(sixteen, sixteen.start()) == Approx(-1205.95284525188).epsilon(1e-14));
  const VecX lambda_4 = motion_at(four, four.start(), at, kkt).lambda;
  CHECK(lambda_4[0] == Approx(10.508424).margin(5.1e-7));
  CHECK(lambda_4[1] == Approx(-27.666301).margin(5.1e-7));
  const VecX lambda_16 = motion_at(sixteen, sixteen.start(), at, kkt).lambda;
  CHECK(lambda_16[0] == Approx(45.804145).margin(5.1e-7));
  CHECK(lambda_16[1] == Approx(-111.010539).margin(5.1e-7));
}

TEST_CASE("the chain accelerates as its equations in angles say", "[problems]") {
  for (const int rods : {1, 2, 7, 40}) {
    CAPTURE(rods);
    const Chain problem{.rods = rods};
    MultibodyTerms<Chain> at;
    ChainKkt kkt;
    const VecX z = problem.start();
    const VecX a = motion_at(problem, z, at, kkt).acceleration;
    const VecX angular = from_angles(problem, z);
    for (int i = 0; i < rods; ++i) {
      // Rounding times the condition of both systems, which grows like n^2.
      CHECK(a[3 * i + 2] == Approx(angular[i]).margin(1e-14 * rods * rods * angular.norm()));
    }
  }
}

TEMPLATE_TEST_CASE_SIG("a chain of rods counted beforehand is the chain", "[problems]",
                       ((int N), N), 1, 2, 3, 4, 17) {
  const ChainOf<N> known;
  const Chain any{.rods = N};
  REQUIRE(known.rods == N);
  CHECK(known.start() == any.start());
  VecX z = any.start();
  for (int i = 0; i < z.size(); ++i) z[i] += 0.1 * std::sin(3 * i + 1);
  const Vec<3 *N> q = z.head(3 * N), v = z.tail(3 * N);
  MultibodyTerms<ChainOf<N>> at;
  ChainKktOf<N> kkt;
  known.terms(q, v, 0, at);
  kkt.eliminate(at.G, 0);
  REQUIRE(kkt.weigh(at.M));
  Vec<3 * N> a;
  Vec<2 * N> lambda;
  kkt.solve(at.M, at.f, Vec<2 * N>(-at.curvature), a, lambda);

  MultibodyTerms<Chain> any_at;
  ChainKkt any_kkt;
  const ChainMotion motion = motion_at(any, z, any_at, any_kkt);
  // The same operations; rounding of fused ones, times the condition of the elimination.
  CHECK((a - motion.acceleration).norm() <= 1e-14 * N * N * motion.acceleration.norm());
  CHECK((lambda - motion.lambda).norm() <= 1e-14 * N * N * motion.lambda.norm());
  CHECK(known.energy(q, v) == Approx(any.energy(q, v)).epsilon(1e-15 * N));
}

TEST_CASE("the chain moves to where it is known to be at t = 2", "[problems]") {
  const auto check = [](const VecX& z, int rods, const Vec<3>& q, const Vec<3>& v, double digits) {
    CAPTURE(rods);
    CHECK((z.head<3>() - q).cwiseAbs().maxCoeff() < 1e-12);
    CHECK((z.segment<3>(3 * rods) - v).cwiseAbs().maxCoeff() < digits);
  };
  const VecX z4 = integrate({.rods = 4}, 2, 100);
  check(z4, 4, {-0.0607021780700598, -0.496301567172169, -1.69250090865230},
        {-0.437151865279604, 0.0534676336427039, -0.880819030595475}, 1e-11);
  const VecX z16 = integrate({.rods = 16}, 2, 200);
  check(z16, 16, {-0.0337219932927014, -0.498861531056832, -1.63829154863656},
        {0.080625367367, -0.005450105747, 0.161618730545}, 1e-11);
  CHECK(energy_at({.rods = 16}, z16) == Approx(-1205.95284525188).epsilon(1e-13));
}

}  // namespace daewave::problems
