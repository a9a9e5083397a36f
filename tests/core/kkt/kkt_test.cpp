// The contract of NullSpaceKkt, for sizes fixed, bounded and of run time. References are dense
// factorizations of the whole matrix; all tolerances are a hundred roundings of what is summed.

#include "core/kkt/kkt.hpp"

#include <Eigen/LU>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "tests/catch.hpp"
#include "tests/core/kkt_of_size.hpp"

using namespace daewave;
using namespace daewave::testing;

namespace {

const Sizes andrews{"of Andrews' squeezer", 7, 6, make_kkt<Vec<7>, Vec<6>>};
const Sizes pendulum{"of a pendulum", 2, 1, make_kkt<Vec<2>, Vec<1>>};
const Sizes loose{"with three degrees of freedom", 5, 2, make_kkt<VecX, VecX>};
const Sizes rigid{"with none", 3, 3, make_kkt<VecX, VecX>};
const Sizes bounded{"bounded", 7, 4, make_kkt<SmallVec, SmallVec>};
const Sizes run_time{"of run time", 9, 5, make_kkt<VecX, VecX>};

const std::vector<Sizes> all{andrews, pendulum, loose, rigid, bounded, run_time};
const std::vector<Sizes> with_freedom{andrews, pendulum, loose, bounded, run_time};
const std::vector<Sizes> with_rows{andrews, loose, rigid, bounded, run_time};

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

/// The system and its unknowns.
struct System {
  int nq, nl;
  MatX M, G;
  VecX f, a, c, lambda;

  System(const Sizes& sizes, Random& random)
      : nq(sizes.nq),
        nl(sizes.nl),
        M(random.mass(nq)),
        G(random.matrix(nl, nq)),
        f(random.vector(nq)),
        a(f),
        c(random.vector(nl)),
        lambda(c) {}

  void solve(AnyKkt& kkt, double rank_tolerance = 1e-12) {
    kkt.eliminate(G, rank_tolerance);
    REQUIRE(kkt.weigh(M));
    kkt.solve(M, f, c, a, lambda);
  }

  /// [M G^T; G 0].
  MatX whole() const {
    MatX K = MatX::Zero(nq + nl, nq + nl);
    K.topLeftCorner(nq, nq) = M;
    K.topRightCorner(nq, nl) = G.transpose();
    K.bottomLeftCorner(nl, nq) = G;
    return K;
  }
  VecX right() const {
    VecX b(nq + nl);
    b << f, c;
    return b;
  }
  VecX solution() const {
    VecX x(nq + nl);
    x << a, lambda;
    return x;
  }
  double condition() const {
    const MatX K = whole();
    const MatX inverse = K.inverse();
    return K.norm() * inverse.norm();
  }
  double force_residual() const { return (M * a + G.transpose() * lambda - f).norm(); }
  double constraint_residual() const { return (G * a - c).norm(); }
};

double largest(const VecX& x) { return x.size() == 0 ? 0 : x.cwiseAbs().maxCoeff(); }

}  // namespace

TEST_CASE("A random KKT system is solved as by LU of the whole matrix", "[kkt][ACPR-1.5]") {
  for (const Sizes& sizes : all) {
    CAPTURE(sizes.name);
    Random random(1);
    const auto kkt = sizes.make();
    for (int sample = 0; sample < 100; ++sample) {
      System system(sizes, random);
      system.solve(*kkt);
      CHECK(kkt->rank() == sizes.nl);
      CHECK(kkt->free() == sizes.nq - sizes.nl);
      CHECK(kkt->smallest_pivot() > 0);
      const VecX expected = system.whole().fullPivLu().solve(system.right());
      CHECK(largest(system.solution() - expected) <=
            tiny * system.condition() * (1 + largest(expected)));
    }
  }
}

TEST_CASE("Corrections are the smallest moves in their metric", "[kkt][ACPR-5.5]") {
  for (const Sizes& sizes : all) {
    CAPTURE(sizes.name);
    Random random(2);
    const auto kkt = sizes.make();
    for (int sample = 0; sample < 100; ++sample) {
      System system(sizes, random);
      const MatX &M = system.M, &G = system.G;
      const double allowed = tiny * system.condition() * system.condition();
      const MatX inverse = M.inverse(), Gt = G.transpose();
      const MatX B = inverse * Gt, S_by_mass = G * B, S = G * Gt;
      const MatX inverse_by_mass = S_by_mass.inverse(), inverse_S = S.inverse();
      const VecX by_mass = B * (inverse_by_mass * system.c);
      const VecX mu = inverse_S * system.c;
      kkt->eliminate(G, 1e-12);
      VecX told;
      const VecX d = kkt->correct_orthogonal(system.c);  // Before weigh(), which it does not need.
      CHECK(largest(d - Gt * mu) <= allowed);
      CHECK(kkt->correct_orthogonal(system.c, told) == d);
      CHECK(largest(told - mu) <= allowed);
      REQUIRE(kkt->weigh(M));
      const VecX massive = kkt->correct(M, system.c);
      CHECK(largest(massive - by_mass) <= allowed);
      CHECK(largest(G * massive - system.c) <= allowed);
    }
  }
}

TEST_CASE("What the constraints forbid is a projection, orthogonal in the metric of M",
          "[kkt][AL2-5.5]") {
  for (const Sizes& sizes : all) {
    CAPTURE(sizes.name);
    Random random(3);
    const auto kkt = sizes.make();
    for (int sample = 0; sample < 100; ++sample) {
      System system(sizes, random);
      const double allowed = tiny * system.condition() * system.condition();
      kkt->eliminate(system.G, 1e-12);
      REQUIRE(kkt->weigh(system.M));
      const VecX v = random.vector(sizes.nq);
      const VecX Pv = kkt->forbidden(v), PPv = kkt->forbidden(Pv);
      CHECK(largest(PPv - Pv) <= allowed);
      CHECK(largest(system.G * (v - Pv)) <= allowed);
      CHECK(std::abs(Pv.dot(system.M * (v - Pv))) <= allowed);
    }
  }
}

TEST_CASE("M may be singular where G fixes what has no mass", "[kkt]") {
  for (const Sizes& sizes : with_freedom) {
    CAPTURE(sizes.name);
    Random random(4);
    const auto kkt = sizes.make();
    for (int sample = 0; sample < 100; ++sample) {
      System system(sizes, random);
      system.M.row(0).setZero();  // The first coordinate has no mass,
      system.M.col(0).setZero();
      system.G(0, 0) = 2;  // and the first constraint moves it.
      system.solve(*kkt);
      const double allowed = tiny * system.condition() * (1 + largest(system.solution()));
      CHECK(system.force_residual() <= allowed);
      CHECK(system.constraint_residual() <= allowed);
    }
  }
}

TEST_CASE("A free motion without mass makes the system singular, and that is told", "[kkt]") {
  for (const Sizes& sizes : std::vector<Sizes>{pendulum, loose, bounded, run_time}) {
    CAPTURE(sizes.name);
    Random random(5);
    System system(sizes, random);
    const auto kkt = sizes.make();
    system.M.row(1).setZero();
    system.M.col(1).setZero();
    system.G.col(1).setZero();
    kkt->eliminate(system.G, 1e-12);
    CHECK_FALSE(kkt->weigh(system.M));
  }
}

TEST_CASE("A redundant constraint takes no part, whichever row it is", "[kkt][guard]") {
  for (const Sizes& sizes : with_rows) {
    CAPTURE(sizes.name);
    Random random(6);
    const auto kkt = sizes.make();
    for (const double multiple : {2.0, 0.0}) {  // Of another row, or nothing at all.
      for (int redundant = 0; redundant < sizes.nl; ++redundant) {
        System system(sizes, random);
        system.G.row(redundant) = multiple * system.G.row((redundant + 1) % sizes.nl);
        system.c = system.G * random.vector(sizes.nq);  // Consistent.
        system.solve(*kkt);
        REQUIRE(kkt->rank() == sizes.nl - 1);
        CHECK(kkt->free() == sizes.nq - sizes.nl + 1);
        CHECK(system.lambda[kkt->dropped_row(sizes.nl - 1)] == 0);
        CHECK(kkt->smallest_pivot() < 1e-12);
        // The rows that are left are as regular as a random matrix of this seed: cond < 1e4.
        CHECK(system.force_residual() <= 1e4 * tiny);
        CHECK(system.constraint_residual() <= 1e4 * tiny);
      }
    }
  }
}

TEST_CASE("Scaling a row of G by 1e-9 scales its multiplier and changes nothing else",
          "[kkt][guard]") {
  for (const Sizes& sizes : with_rows) {
    CAPTURE(sizes.name);
    Random random(7);
    const auto kkt = sizes.make();
    const double small = 1e-9;
    for (int row = 0; row < sizes.nl; ++row) {
      System system(sizes, random);
      const double allowed = tiny * system.condition() * system.condition();
      system.solve(*kkt);
      const VecX a = system.a, lambda = system.lambda;
      system.G.row(row) *= small;
      system.c[row] *= small;
      system.solve(*kkt);
      CHECK(kkt->rank() == sizes.nl);
      CHECK(largest(system.a - a) <= allowed);
      system.lambda[row] *= small;
      CHECK(largest(system.lambda - lambda) <= allowed);
      // Below the tolerance of the guard it is gone.
      system.G.row(row) *= 1e-4;
      system.c[row] = 0;
      system.solve(*kkt);
      CHECK(kkt->rank() == sizes.nl - 1);
      CHECK(system.lambda[row] == 0);
    }
  }
}

TEST_CASE("What is not a number never passes for a solution", "[kkt]") {
  for (const Sizes& sizes : with_freedom) {
    CAPTURE(sizes.name);
    Random random(8);
    const auto kkt = sizes.make();
    for (const double bad :
         {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
      for (int i = 0; i < sizes.nl; ++i) {
        for (int j = 0; j < sizes.nq; ++j) {
          System system(sizes, random);
          system.G(i, j) = bad;
          kkt->eliminate(system.G, 1e-12);
          CHECK_FALSE(kkt->weigh(system.M));
        }
      }
      System system(sizes, random);
      system.M.diagonal().setConstant(bad);
      kkt->eliminate(system.G, 1e-12);
      CHECK_FALSE(kkt->weigh(system.M));
    }
  }
}

TEST_CASE("What cannot be solved is answered with what is not a number, by every function",
          "[kkt]") {
  const auto nothing = [](const VecX& x, int size) {
    return x.size() == size && x.array().isNaN().all();
  };
  for (const Sizes& sizes : all) {
    for (const bool used : {false, true}) {
      for (const bool weighed : {false, true}) {
        CAPTURE(sizes.name, used, weighed);
        Random random(12);
        const auto kkt = sizes.make();
        if (used) System(sizes, random).solve(*kkt);
        System system(sizes, random);
        const auto check_no_answer = [&] {
          VecX lambda;
          kkt->solve(system.M, system.f, system.c, system.a, lambda);
          CHECK(nothing(system.a, sizes.nq));
          CHECK(nothing(lambda, sizes.nl));
          CHECK(nothing(kkt->correct(system.M, system.c), sizes.nq));
          CHECK(nothing(kkt->forbidden(system.f), sizes.nq));
        };
        system.G(0, 0) = std::numeric_limits<double>::quiet_NaN();
        kkt->eliminate(system.G, 1e-12);
        if (weighed) CHECK_FALSE(kkt->weigh(system.M));
        check_no_answer();
        VecX mu;
        CHECK(nothing(kkt->correct_orthogonal(system.c), sizes.nq));
        CHECK(nothing(kkt->correct_orthogonal(system.c, mu), sizes.nq));
        CHECK(nothing(mu, sizes.nl));
        if (sizes.nq == sizes.nl) continue;  // G alone decides the motion: no mass is asked for.
        // G is good, M is not: what needs no M is answered.
        system = System(sizes, random);
        system.M.setZero();
        kkt->eliminate(system.G, 1e-12);
        if (weighed) CHECK_FALSE(kkt->weigh(system.M));
        check_no_answer();
        CHECK(largest(system.G * kkt->correct_orthogonal(system.c) - system.c) < 1e-9);
      }
    }
  }
}

TEST_CASE("The answer does not depend on what was solved before", "[kkt]") {
  for (const Sizes& sizes : with_freedom) {
    CAPTURE(sizes.name);
    Random random(9);
    System system(sizes, random), other(sizes, random);
    const auto fresh = sizes.make(), used = sizes.make();
    system.solve(*fresh);
    const VecX expected = system.solution();
    other.G.row(0).setZero();
    other.c[0] = 0;
    other.solve(*used);
    system.solve(*used);
    CHECK(system.solution() == expected);
  }
}

TEST_CASE("A diagonal mass matrix gives what the same dense one gives", "[kkt]") {
  Random random(10);
  System system(andrews, random);
  const VecX masses = system.M.diagonal();
  system.M = masses.asDiagonal();
  system.solve(*andrews.make());
  const VecX dense = system.solution();
  NullSpaceKkt<Vec<7>, Vec<6>> kkt;
  const Eigen::DiagonalMatrix<double, 7> M{Vec<7>(masses)};
  kkt.eliminate(system.G, 1e-12);
  REQUIRE(kkt.weigh(M));
  Vec<7> a;
  Vec<6> lambda;
  kkt.solve(M, system.f, system.c, a, lambda);
  system.a = a;
  system.lambda = lambda;
  CHECK(largest(system.solution() - dense) <= tiny * system.condition() * (1 + largest(dense)));
}

TEST_CASE("Without constraints the acceleration is M^-1 f", "[kkt]") {
  const Sizes free{"without constraints", 3, 0, make_kkt<SmallVec, SmallVec>};
  Random random(11);
  System system(free, random);
  const auto kkt = free.make();
  system.solve(*kkt);
  CHECK(kkt->rank() == 0);
  CHECK(kkt->free() == 3);
  CHECK(largest(system.M * system.a - system.f) <= tiny);
}

TEST_CASE("Joint forces on light bodies are exact beside heavy ones", "[kkt][ACPR-1.5]") {
  for (const Sizes& sizes : with_freedom) {
    for (const double light : {1e-4, 1e-9, 1e-14}) {
      CAPTURE(sizes.name, light);
      Random random(12);
      const auto kkt = sizes.make();
      for (int sample = 0; sample < 20; ++sample) {
        System system(sizes, random);
        // The last unknowns are light, as many as there are rows, and every row has all of them.
        VecX masses = VecX::Ones(system.nq);
        masses.tail(system.nl).setConstant(light);
        system.M = masses.asDiagonal();
        system.G.rightCols(system.nl) *= 0.3 / system.nl;
        system.G.rightCols(system.nl).diagonal().array() += 0.7;
        const VecX a = system.a, lambda = light * random.vector(system.nl);
        system.f = system.M * a + system.G.transpose() * lambda;
        system.c = system.G * a;
        kkt->eliminate(system.G, system.M, 1e-12);
        REQUIRE(kkt->weigh(system.M));
        kkt->solve(system.M, system.f, system.c, system.a, system.lambda);
        CHECK(kkt->rank() == system.nl);
        CHECK(largest(system.lambda - lambda) / light < tiny);
        CHECK(largest(system.a - a) < tiny);
      }
    }
  }
}

TEST_CASE("Rows of heavy bodies alone count beside those of light ones", "[kkt]") {
  const VecX masses{{1, 1, 1, 1e-15, 1e-15}};
  const MatX M = masses.asDiagonal();
  for (const double left : {1e-11, 1e-13}) {
    MatX G(3, 5);
    G << 1, 2, 0, 0, 0, 1, 2 + left, 0, 0, 0, 0, 0, 1, 1, 1;
    const auto kkt = make_kkt<VecX, VecX>();
    kkt->eliminate(G, M, 1e-12);
    CHECK(kkt->rank() == (left > 1e-12 ? 3 : 2));
    // What 2 + left is off by is a hundredth of 1e-13.
    CHECK(std::abs(kkt->smallest_pivot() / (left / 2) - 1) < 0.02);
  }
}
