// The contract of NullSpaceKkt, for sizes fixed, bounded and of run time. References are dense
// factorizations of the whole matrix; all tolerances are a hundred roundings of what is summed.

#include "core/kkt.hpp"

#include <Eigen/LU>
#include <cmath>
#include <limits>
#include <random>

#include "tests/catch.hpp"

using namespace daewave;

namespace {

template <class Position_, class Multiplier_, int nq_, int nl_>
struct Sizes {
  using Position = Position_;
  using Multiplier = Multiplier_;
  using Kkt = NullSpaceKkt<Position, Multiplier>;
  static constexpr int nq = nq_, nl = nl_;
};

using Andrews = Sizes<Vec<7>, Vec<6>, 7, 6>;
using Pendulum = Sizes<Vec<2>, Vec<1>, 2, 1>;
using Loose = Sizes<Vec<5>, Vec<2>, 5, 2>;
using Rigid = Sizes<Vec<3>, Vec<3>, 3, 3>;
using Bounded = Sizes<SmallVec, SmallVec, 7, 4>;
using RunTime = Sizes<VecX, VecX, 9, 5>;

constexpr double tiny = 1e-13;

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  MatX matrix(int rows, int columns) {
    MatX random(rows, columns);
    for (int j = 0; j < columns; ++j) {
      for (int i = 0; i < rows; ++i) random(i, j) = uniform_(engine_);
    }
    return random;
  }
  VecX vector(int rows) { return matrix(rows, 1).col(0); }
  /// Symmetric, eigenvalues at least 1.
  MatX mass(int n) {
    const MatX root = matrix(n, n);
    return MatX::Identity(n, n) + root * root.transpose();
  }

 private:
  std::mt19937 engine_;
  std::uniform_real_distribution<double> uniform_{-1, 1};
};

/// The system and its unknowns, in types of run time but for what the KKT sees.
template <class S>
struct System {
  MatX M, G;
  typename S::Position f, a;
  typename S::Multiplier c, lambda;

  explicit System(Random& random)
      : M(random.mass(S::nq)),
        G(random.matrix(S::nl, S::nq)),
        f(random.vector(S::nq)),
        a(f),
        c(random.vector(S::nl)),
        lambda(c) {}

  void solve(typename S::Kkt& kkt, double rank_tolerance = 1e-12) {
    kkt.eliminate(G, rank_tolerance);
    REQUIRE(kkt.weigh(M));
    kkt.solve(M, f, c, a, lambda);
  }

  /// [M G^T; G 0].
  MatX whole() const {
    MatX K = MatX::Zero(S::nq + S::nl, S::nq + S::nl);
    K.topLeftCorner(S::nq, S::nq) = M;
    K.topRightCorner(S::nq, S::nl) = G.transpose();
    K.bottomLeftCorner(S::nl, S::nq) = G;
    return K;
  }
  VecX right() const {
    VecX b(S::nq + S::nl);
    b << VecX(f), VecX(c);
    return b;
  }
  VecX solution() const {
    VecX x(S::nq + S::nl);
    x << VecX(a), VecX(lambda);
    return x;
  }
  double condition() const {
    const MatX K = whole();
    return K.norm() * K.inverse().norm();
  }
  double force_residual() const { return (M * a + G.transpose() * lambda - f).norm(); }
  double constraint_residual() const { return (G * a - c).norm(); }
};

double largest(const VecX& x) { return x.size() == 0 ? 0 : x.cwiseAbs().maxCoeff(); }

}  // namespace

TEMPLATE_TEST_CASE("A random KKT system is solved as by LU of the whole matrix", "[kkt][ACPR-1.5]",
                   Andrews, Pendulum, Loose, Rigid, Bounded, RunTime) {
  Random random(1);
  typename TestType::Kkt kkt;
  for (int sample = 0; sample < 100; ++sample) {
    System<TestType> system(random);
    system.solve(kkt);
    CHECK(kkt.rank() == TestType::nl);
    CHECK(kkt.free() == TestType::nq - TestType::nl);
    CHECK(kkt.smallest_pivot() > 0);
    const VecX expected = system.whole().fullPivLu().solve(system.right());
    CHECK(largest(system.solution() - expected) <=
          tiny * system.condition() * (1 + largest(expected)));
  }
}

TEMPLATE_TEST_CASE("Corrections are the smallest moves in their metric", "[kkt][ACPR-5.5]", Andrews,
                   Pendulum, Loose, Rigid, Bounded, RunTime) {
  Random random(2);
  typename TestType::Kkt kkt;
  for (int sample = 0; sample < 100; ++sample) {
    System<TestType> system(random);
    const MatX &M = system.M, &G = system.G;
    const double allowed = tiny * system.condition() * system.condition();
    const MatX inverse = M.inverse();
    const VecX by_mass =
        inverse * G.transpose() * (G * inverse * G.transpose()).inverse() * system.c;
    const VecX mu = (G * G.transpose()).inverse() * system.c;
    kkt.eliminate(G, 1e-12);
    typename TestType::Position d, same;
    typename TestType::Multiplier told;
    kkt.correct_orthogonal(system.c, d);  // Before weigh(), which it does not need.
    CHECK(largest(d - G.transpose() * mu) <= allowed);
    kkt.correct_orthogonal(system.c, same, told);
    CHECK(same == d);
    CHECK(largest(told - mu) <= allowed);
    REQUIRE(kkt.weigh(M));
    kkt.correct(M, system.c, d);
    CHECK(largest(d - by_mass) <= allowed);
    CHECK(largest(G * d - system.c) <= allowed);
  }
}

TEMPLATE_TEST_CASE("What the constraints forbid is a projection, orthogonal in the metric of M",
                   "[kkt][AL2-5.5]", Andrews, Pendulum, Loose, Rigid, Bounded, RunTime) {
  Random random(3);
  typename TestType::Kkt kkt;
  for (int sample = 0; sample < 100; ++sample) {
    System<TestType> system(random);
    const double allowed = tiny * system.condition() * system.condition();
    kkt.eliminate(system.G, 1e-12);
    REQUIRE(kkt.weigh(system.M));
    typename TestType::Position v(random.vector(TestType::nq)), Pv, PPv;
    kkt.forbidden(v, Pv);
    kkt.forbidden(Pv, PPv);
    CHECK(largest(PPv - Pv) <= allowed);
    CHECK(largest(system.G * (v - Pv)) <= allowed);
    CHECK(std::abs(Pv.dot(system.M * (v - Pv))) <= allowed);
  }
}

TEMPLATE_TEST_CASE("M may be singular where G fixes what has no mass", "[kkt]", Andrews, Pendulum,
                   Loose, Bounded, RunTime) {
  Random random(4);
  typename TestType::Kkt kkt;
  for (int sample = 0; sample < 100; ++sample) {
    System<TestType> system(random);
    system.M.row(0).setZero();  // The first coordinate has no mass,
    system.M.col(0).setZero();
    system.G(0, 0) = 2;  // and the first constraint moves it.
    system.solve(kkt);
    const double allowed = tiny * system.condition() * (1 + largest(system.solution()));
    CHECK(system.force_residual() <= allowed);
    CHECK(system.constraint_residual() <= allowed);
  }
}

TEMPLATE_TEST_CASE("A free motion without mass makes the system singular, and that is told",
                   "[kkt]", Pendulum, Loose, Bounded, RunTime) {
  Random random(5);
  System<TestType> system(random);
  typename TestType::Kkt kkt;
  system.M.row(1).setZero();
  system.M.col(1).setZero();
  system.G.col(1).setZero();
  kkt.eliminate(system.G, 1e-12);
  CHECK_FALSE(kkt.weigh(system.M));
}

TEMPLATE_TEST_CASE("A redundant constraint takes no part, whichever row it is", "[kkt][guard]",
                   Andrews, Loose, Rigid, Bounded, RunTime) {
  Random random(6);
  typename TestType::Kkt kkt;
  for (const double multiple : {2.0, 0.0}) {  // Of another row, or nothing at all.
    for (int redundant = 0; redundant < TestType::nl; ++redundant) {
      System<TestType> system(random);
      system.G.row(redundant) = multiple * system.G.row((redundant + 1) % TestType::nl);
      system.c = system.G * random.vector(TestType::nq);  // Consistent.
      system.solve(kkt);
      REQUIRE(kkt.rank() == TestType::nl - 1);
      CHECK(kkt.free() == TestType::nq - TestType::nl + 1);
      CHECK(system.lambda[kkt.dropped_row(TestType::nl - 1)] == 0);
      CHECK(kkt.smallest_pivot() < 1e-12);
      // The rows that are left are as regular as a random matrix of this seed: cond < 1e4.
      CHECK(system.force_residual() <= 1e4 * tiny);
      CHECK(system.constraint_residual() <= 1e4 * tiny);
    }
  }
}

TEMPLATE_TEST_CASE("Scaling a row of G by 1e-9 scales its multiplier and changes nothing else",
                   "[kkt][guard]", Andrews, Loose, Rigid, Bounded, RunTime) {
  Random random(7);
  typename TestType::Kkt kkt;
  const double small = 1e-9;
  for (int row = 0; row < TestType::nl; ++row) {
    System<TestType> system(random);
    const double allowed = tiny * system.condition() * system.condition();
    system.solve(kkt);
    const VecX a = system.a, lambda = system.lambda;
    system.G.row(row) *= small;
    system.c[row] *= small;
    system.solve(kkt);
    CHECK(kkt.rank() == TestType::nl);
    CHECK(largest(system.a - a) <= allowed);
    system.lambda[row] *= small;
    CHECK(largest(system.lambda - lambda) <= allowed);
    // Below the tolerance of the guard it is gone.
    system.G.row(row) *= 1e-4;
    system.c[row] = 0;
    system.solve(kkt);
    CHECK(kkt.rank() == TestType::nl - 1);
    CHECK(system.lambda[row] == 0);
  }
}

TEMPLATE_TEST_CASE("What is not a number never passes for a solution", "[kkt]", Andrews, Pendulum,
                   Loose, Bounded, RunTime) {
  Random random(8);
  typename TestType::Kkt kkt;
  for (const double bad :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    for (int i = 0; i < TestType::nl; ++i) {
      for (int j = 0; j < TestType::nq; ++j) {
        System<TestType> system(random);
        system.G(i, j) = bad;
        kkt.eliminate(system.G, 1e-12);
        CHECK_FALSE(kkt.weigh(system.M));
      }
    }
    System<TestType> system(random);
    system.M.diagonal().setConstant(bad);
    kkt.eliminate(system.G, 1e-12);
    CHECK_FALSE(kkt.weigh(system.M));
  }
}

TEMPLATE_TEST_CASE("The answer does not depend on what was solved before", "[kkt]", Andrews,
                   Pendulum, Loose, Bounded, RunTime) {
  Random random(9);
  System<TestType> system(random), other(random);
  typename TestType::Kkt fresh, used;
  system.solve(fresh);
  const VecX expected = system.solution();
  other.G.row(0).setZero();
  other.c[0] = 0;
  other.solve(used);
  system.solve(used);
  CHECK(system.solution() == expected);
}

TEST_CASE("A diagonal mass matrix gives what the same dense one gives", "[kkt]") {
  Random random(10);
  System<Andrews> system(random);
  const VecX masses = system.M.diagonal();
  system.M = masses.asDiagonal();
  Andrews::Kkt kkt;
  system.solve(kkt);
  const VecX dense = system.solution();
  const Eigen::DiagonalMatrix<double, 7> M{Vec<7>(masses)};
  kkt.eliminate(system.G, 1e-12);
  REQUIRE(kkt.weigh(M));
  kkt.solve(M, system.f, system.c, system.a, system.lambda);
  CHECK(largest(system.solution() - dense) <= tiny * system.condition() * (1 + largest(dense)));
}

TEST_CASE("Without constraints the acceleration is M^-1 f", "[kkt]") {
  using Free = Sizes<SmallVec, SmallVec, 3, 0>;
  Random random(11);
  System<Free> system(random);
  Free::Kkt kkt;
  system.solve(kkt);
  CHECK(kkt.rank() == 0);
  CHECK(kkt.free() == 3);
  CHECK(largest(system.M * system.a - system.f) <= tiny);
}
