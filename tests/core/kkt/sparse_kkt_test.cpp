// The elimination of sparse G against the one for any system: random patterns, nets and chains.

#include "core/kkt/sparse_kkt.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "core/error.hpp"
#include "core/kkt/kkt.hpp"
#include "tests/catch.hpp"
#include "tests/core/particle_net.hpp"

namespace daewave {
namespace {

constexpr double no_number = std::numeric_limits<double>::quiet_NaN();

/// Numbers anywhere in [-1, 1], the same ones in each run.
class UnitNumbers {
 public:
  explicit UnitNumbers(unsigned seed) : random_(seed) {}
  double operator()() { return unit_(random_); }
  VecX vector(int size) {
    return VecX::NullaryExpr(size, [this]() { return (*this)(); });
  }
  int below(int end) { return std::uniform_int_distribution<int>(0, end - 1)(random_); }

 private:
  std::mt19937 random_;
  std::uniform_real_distribution<double> unit_{-1, 1};
};

/// Row i has the column i and some others: rows are independent.
SparseJacobian random_jacobian(int rows, int columns, UnitNumbers& number) {
  std::vector<SparseEntry> entries;
  for (int i = 0; i < rows; ++i) {
    entries.push_back({i, i});
    const int other = number.below(columns);
    if (other != i) entries.push_back({i, other});
  }
  std::shuffle(entries.begin(), entries.end(), std::mt19937(3));
  SparseJacobian G(std::make_shared<const SparsePattern>(rows, columns, entries));
  for (int e = 0; e < G.entries(); ++e) {
    G[e] = number() + (G.place(e).row == G.place(e).column ? 3 : 0);
  }
  return G;
}

AnyMass mass_of(bool bodies, int nq, UnitNumbers& number) {
  AnyMass M;
  if (bodies) {
    auto& blocks = M.become<BodyMass<3>>().blocks;
    for (int i = 0; i < nq / 3; ++i) {
      const Mat<3, 3> A = Mat<3, 3>::NullaryExpr([&]() { return number(); });
      blocks.push_back(A * A.transpose() + Mat<3, 3>::Identity());
    }
  } else {
    M.become<DiagonalMass>() = DiagonalMass(VecX(number.vector(nq).array().exp()));
  }
  return M;
}

void check_against_null_space(SparseKkt& kkt, const SparseJacobian& G, const AnyMass& M,
                              UnitNumbers& number) {
  NullSpaceKkt<VecX, VecX> expected;
  const MatX dense = M.dense();
  const int nq = G.cols(), nl = G.rows();
  kkt.eliminate(G, 1e-12);
  expected.eliminate(G.dense(), 1e-12);
  REQUIRE(expected.rank() == nl);
  CHECK(kkt.rank() == nl);
  CHECK(kkt.free() == nq - nl);
  const VecX f = number.vector(nq), c = number.vector(nl), v = number.vector(nq);
  VecX a, b, lambda, mu;
  // Without the metric of M first.
  kkt.correct_orthogonal(c, a, lambda);
  expected.correct_orthogonal(c, b, mu);
  CHECK((a - b).norm() < 1e-11 * (1 + b.norm()));
  CHECK((lambda - mu).norm() < 1e-11 * (1 + mu.norm()));
  REQUIRE(kkt.weigh(M));
  REQUIRE(expected.weigh(dense));
  CHECK(kkt.smallest_pivot() > 0);
  kkt.solve(M, f, c, a, lambda);
  expected.solve(dense, f, c, b, mu);
  CHECK((a - b).norm() < 1e-11 * (1 + b.norm()));
  CHECK((lambda - mu).norm() < 1e-11 * (1 + mu.norm()));
  kkt.correct(M, c, a);
  expected.correct(dense, c, b);
  CHECK((a - b).norm() < 1e-11 * (1 + b.norm()));
  kkt.forbidden(v, a);
  expected.forbidden(v, b);
  CHECK((a - b).norm() < 1e-11 * (1 + b.norm()));
}

void check_nothing(SparseKkt& kkt, const AnyMass& M, int nl, int nq, bool orthogonal_too) {
  VecX a, lambda;
  const VecX f = VecX::Ones(nq), c = VecX::Ones(nl);
  kkt.solve(M, f, c, a, lambda);
  CHECK((a.size() == nq && a.array().isNaN().all()));
  CHECK((lambda.size() == nl && lambda.array().isNaN().all()));
  kkt.correct(M, c, a);
  CHECK((a.size() == nq && a.array().isNaN().all()));
  kkt.forbidden(f, a);
  CHECK((a.size() == nq && a.array().isNaN().all()));
  CHECK(kkt.smallest_pivot() == 0);
  if (!orthogonal_too) return;
  kkt.correct_orthogonal(c, a, lambda);
  CHECK((a.size() == nq && a.array().isNaN().all()));
  CHECK((lambda.size() == nl && lambda.array().isNaN().all()));
}

/// Entries of L for a net.
int factor_entries(int side, int rows) {
  const testing::ParticleNet<> net(side, rows);
  SparseKkt kkt;
  AnyMass M;
  M.become<DiagonalMass>() = net.M({});
  kkt.eliminate(net.G(net.start().head(net.coordinates()), 0), 0);
  REQUIRE(kkt.weigh(M));
  return kkt.analysis()->factor_entries();
}

}  // namespace

TEST_CASE("the elimination of a sparse G gives what the null space gives", "[kkt]") {
  SparseKkt kkt;  // Of one after another: a pattern leaves nothing behind.
  for (unsigned seed = 1; seed < 8; ++seed) {
    for (const bool bodies : {false, true}) {
      for (const int rows : {1, 5, 20}) {
        CAPTURE(seed, bodies, rows);
        UnitNumbers number(seed);
        SparseJacobian G = random_jacobian(rows, 3 * rows, number);
        check_against_null_space(kkt, G, mass_of(bodies, 3 * rows, number), number);
        // The next matrix of a pattern is eliminated as well as its first.
        for (int e = 0; e < G.entries(); ++e) G[e] *= 1 + 0.1 * number();
        check_against_null_space(kkt, G, mass_of(bodies, 3 * rows, number), number);
      }
    }
  }
}

TEST_CASE("a net with loops is solved as the null space solves it", "[kkt]") {
  UnitNumbers number(5);
  SparseKkt kkt;
  for (const int side : {2, 3, 5}) {
    const testing::ParticleNet<> net(side);
    const SparseJacobian G = net.G(net.start().head(net.coordinates()), 0);
    check_against_null_space(kkt, G, mass_of(false, G.cols(), number), number);
    check_against_null_space(kkt, G, mass_of(true, G.cols(), number), number);
  }
}

TEST_CASE("the smallest pivot of a sparse G is the shortest of its rows beside those before",
          "[kkt]") {
  SparseJacobian G(std::make_shared<const SparsePattern>(
      2, 3, std::vector<SparseEntry>{{0, 0}, {1, 1}, {1, 2}}));
  G[0] = 3;
  G[1] = 4;
  G[2] = 3;
  AnyMass M;
  SparseKkt kkt;
  kkt.eliminate(G, 0);
  CHECK(kkt.smallest_pivot() == 0);
  // In the metric of M^-1: 3 / 2, and sqrt(16 / 4 + 9).
  M.become<DiagonalMass>() = DiagonalMass(VecX((VecX(3) << 4, 4, 1).finished()));
  REQUIRE(kkt.weigh(M));
  CHECK(kkt.smallest_pivot() == Approx(1.5).epsilon(1e-14));
  M.as<DiagonalMass>()->diagonal()[0] = 0.25;
  REQUIRE(kkt.weigh(M));
  CHECK(kkt.smallest_pivot() == Approx(std::sqrt(13.0)).epsilon(1e-14));
  // Rows that are not at right angles: the second has that much which the first has not.
  SparseJacobian both(std::make_shared<const SparsePattern>(
      2, 2, std::vector<SparseEntry>{{0, 0}, {1, 0}, {1, 1}}));
  both[0] = 2;
  both[1] = 5;
  both[2] = 0.5;
  M.become<DiagonalMass>() = DiagonalMass(VecX(VecX::Ones(2)));
  kkt.eliminate(both, 0);
  REQUIRE(kkt.weigh(M));
  // S = (4, 10; 10, 25.25) has the determinant 1: its pivots are 4 and 1/4, or 25.25 and 4/101.
  CHECK((kkt.smallest_pivot() == Approx(0.5).epsilon(1e-12) ||
         kkt.smallest_pivot() == Approx(std::sqrt(4.0 / 101)).epsilon(1e-12)));
}

TEST_CASE("a sparse G without rows, or without anything, leaves all free", "[kkt]") {
  UnitNumbers number(2);
  SparseKkt kkt;
  const SparseJacobian G(std::make_shared<const SparsePattern>(0, 6, std::vector<SparseEntry>()));
  const AnyMass M = mass_of(false, 6, number);
  const VecX f = number.vector(6), none;
  VecX a, lambda;
  kkt.eliminate(G, 0);
  REQUIRE(kkt.weigh(M));
  CHECK(kkt.rank() == 0);
  CHECK(kkt.free() == 6);
  kkt.solve(M, f, none, a, lambda);
  CHECK((VecX(M * a) - f).norm() < 1e-14);
  CHECK(lambda.size() == 0);
  kkt.correct_orthogonal(none, a);
  CHECK(a == VecX(VecX::Zero(6)));
  kkt.eliminate(SparseJacobian(), 0);
  CHECK(kkt.weigh(mass_of(false, 0, number)));
  CHECK(kkt.free() == 0);
}

TEST_CASE("dependent rows of a sparse G are told, as far as squares let see them", "[kkt]") {
  UnitNumbers number(1);
  SparseJacobian G(std::make_shared<const SparsePattern>(
      2, 3, std::vector<SparseEntry>{{0, 0}, {0, 1}, {0, 2}, {1, 0}, {1, 1}, {1, 2}}));
  AnyMass M;
  M.become<DiagonalMass>() = DiagonalMass(VecX(VecX::Ones(3)));
  SparseKkt kkt;
  // The sine of the angle of both rows is about h / 10.
  for (const double h : {0.0, 1e-9, 1e-5, 1.0}) {
    CAPTURE(h);
    for (int i = 0; i < 3; ++i) G[i] = G[3 + i] = i + 4;
    G[5] += h;
    kkt.eliminate(G, 0);
    CHECK(kkt.weigh(M) == (h > 1e-6));
    if (h < 1e-6) check_nothing(kkt, M, 2, 3, true);
  }
  // And what comes after them is solved.
  check_against_null_space(kkt, random_jacobian(4, 9, number), mass_of(false, 9, number), number);
  // A row of zeros is one that is dependent.
  SparseJacobian zeros = random_jacobian(3, 6, number);
  for (int e = 0; e < zeros.entries(); ++e) zeros[e] *= zeros.place(e).row == 1 ? 0 : 1;
  kkt.eliminate(zeros, 0);
  CHECK_FALSE(kkt.weigh(mass_of(false, 6, number)));
}

TEST_CASE("what a sparse G cannot be solved with is answered with what is no number", "[kkt]") {
  UnitNumbers number(4);
  SparseKkt kkt;
  SparseJacobian G = random_jacobian(4, 9, number);
  AnyMass M = mass_of(false, 9, number);
  kkt.eliminate(G, 0);
  check_nothing(kkt, M, 4, 9, false);  // Before weigh().
  REQUIRE(kkt.weigh(M));               // Which is forgotten.
  SECTION("a mass of zero") { M.as<DiagonalMass>()->diagonal()[2] = 0; }
  SECTION("a mass that is no number") { M.as<DiagonalMass>()->diagonal()[2] = no_number; }
  SECTION("a dense mass") { M.become<MatX>() = MatX::Identity(9, 9); }
  SECTION("a mass of another size") { M = mass_of(false, 6, number); }
  SECTION("a body without mass") {
    M = mass_of(true, 9, number);
    M.as<BodyMass<3>>()->blocks[1].setZero();
  }
  CHECK_FALSE(kkt.weigh(M));
  check_nothing(kkt, M, 4, 9, false);
}

TEST_CASE("a sparse G that is not finite is answered with what is no number", "[kkt]") {
  UnitNumbers number(4);
  SparseKkt kkt;
  SparseJacobian G = random_jacobian(4, 9, number);
  const AnyMass M = mass_of(false, 9, number);
  for (const double bad : {no_number, std::numeric_limits<double>::infinity()}) {
    G[3] = bad;
    kkt.eliminate(G, 0);
    CHECK(kkt.rank() == 0);
    CHECK_FALSE(kkt.weigh(M));
    check_nothing(kkt, M, 4, 9, true);
  }
}

TEST_CASE("a pattern is analysed once, and anew only where entries are elsewhere", "[kkt]") {
  UnitNumbers number(6);
  SparseKkt kkt;
  const SparseJacobian G = random_jacobian(6, 12, number);
  const AnyMass M = mass_of(false, 12, number), bodies = mass_of(true, 12, number);
  kkt.eliminate(G, 0);
  REQUIRE(kkt.weigh(M));
  const SparseAnalysis* const first = kkt.analysis();
  kkt.eliminate(G, 0);
  REQUIRE(kkt.weigh(M));
  CHECK(kkt.analysis() == first);
  // The same entries in a pattern of its own.
  SparseJacobian same(std::make_shared<const SparsePattern>(*G.pattern()));
  for (int e = 0; e < same.entries(); ++e) same[e] = G[e];
  kkt.eliminate(same, 0);
  REQUIRE(kkt.weigh(M));
  CHECK(kkt.analysis() == first);
  // Bodies couple more rows; both are kept.
  REQUIRE(kkt.weigh(bodies));
  CHECK(kkt.analysis() != first);
  REQUIRE(kkt.weigh(M));
  CHECK(kkt.analysis() == first);
  check_against_null_space(kkt, random_jacobian(5, 12, number), M, number);
}

TEST_CASE("the factor of a long chain is linear in it, that of a net nearly so", "[kkt]") {
  // A chain hung up at one end; the other rod above it holds the same particle.
  for (const int length : {50, 100, 1000}) {
    CAPTURE(length);
    CHECK(factor_entries(1, length) <= 2 * length);
  }
  // Of n rods n log2 n, with a factor of 2 for an order that is approximate.
  for (const int side : {8, 16, 32}) {
    CAPTURE(side);
    const int rods = 2 * side * (side - 1) + 2;
    CHECK(factor_entries(side, side) <= 2 * rods * std::log2(rods));
  }
}

TEST_CASE("products with a sparse G are those of its dense matrix", "[kkt]") {
  UnitNumbers number(8);
  const SparseJacobian G = random_jacobian(7, 10, number);
  const VecX v = number.vector(10), c = number.vector(7);
  VecX out;
  apply(G, v, out);
  CHECK((out - G.dense() * v).norm() < 1e-14);
  apply_transposed(G, c, out);
  CHECK((out - G.dense().transpose() * c).norm() < 1e-14);
}

TEST_CASE("a sparse pattern that cannot be is refused", "[kkt]") {
  using Entries = std::vector<SparseEntry>;
  CHECK_THROWS_WITH(SparsePattern(-1, 2, Entries{}), contains_text("rows = -1: must be >= 0"));
  CHECK_THROWS_WITH(SparsePattern(1, -2, Entries{}), contains_text("columns = -2: must be >= 0"));
  CHECK_THROWS_WITH(SparsePattern(2, 3, Entries{{0, 0}, {2, 1}}),
                    contains_text("entry 1 = (2, 1): must be in the rows 0 to 1"));
  CHECK_THROWS_WITH(SparsePattern(2, 3, Entries{{0, 3}}), contains_text("columns 0 to 2"));
  CHECK_THROWS_WITH(SparsePattern(2, 3, Entries{{0, 1}, {1, 1}, {0, 1}}),
                    contains_text("entry 2 = (0, 1) is entry 0 again"));
}

}  // namespace daewave
