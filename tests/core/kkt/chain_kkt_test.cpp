// The elimination for chains against the one for any system, on random chains.

#include "core/kkt/chain_kkt.hpp"

#include <cmath>
#include <random>

#include "core/kkt/kkt.hpp"
#include "core/problem/terms.hpp"
#include "tests/catch.hpp"

namespace daewave {
namespace {

/// A chain whose joints lie anywhere on both bodies, and masses over two decades.
struct RandomChain {
  ChainJacobian G;
  MatX dense;
  Eigen::DiagonalMatrix<double, Dynamic> M;
  VecX f, c, v;

  RandomChain(int bodies, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> unit(-1, 1);
    const auto vector = [&](int size) {
      return VecX(VecX::NullaryExpr(size, [&]() { return unit(random); }));
    };
    G.resize(bodies);
    dense = MatX::Zero(2 * bodies, 3 * bodies);
    for (int i = 0; i < bodies; ++i) {
      G.own[i] << unit(random), unit(random);
      dense.block<2, 3>(2 * i, 3 * i) << Mat<2, 2>::Identity(), G.own[i];
      if (i == 0) continue;
      G.before[i] << unit(random), unit(random);
      dense.block<2, 3>(2 * i, 3 * i - 3) << -Mat<2, 2>::Identity(), G.before[i];
    }
    M.diagonal() = vector(3 * bodies).unaryExpr([](double x) { return std::pow(10, x); });
    f = vector(3 * bodies);
    c = vector(2 * bodies);
    v = vector(3 * bodies);
  }
};

/// Both solutions agree up to rounding times the condition of the elimination.
bool same(const VecX& a, const VecX& b) {
  return a.size() == b.size() && (a - b).norm() < 1e-11 * (1 + b.norm());
}

constexpr int sizes[] = {1, 2, 3, 16};

/// Of what is asked without factors to answer with.
bool nothing(const VecX& x, int size) { return x.size() == size && x.array().isNaN().all(); }

/// After an eliminate() whose weigh() failed, or was not called.
template <class Kkt, class Mass, class Position, class Multiplier>
void check_no_answer(Kkt& kkt, const Mass& M, const Position& f, const Multiplier& c) {
  const int nq = static_cast<int>(f.size()), nl = static_cast<int>(c.size());
  Position a;
  Multiplier lambda;
  kkt.solve(M, f, c, a, lambda);
  CHECK(nothing(a, nq));
  CHECK(nothing(lambda, nl));
  kkt.correct(M, c, a);
  CHECK(nothing(a, nq));
  kkt.forbidden(f, a);
  CHECK(nothing(a, nq));
}
template <class Kkt, class Position, class Multiplier>
void check_no_orthogonal_answer(Kkt& kkt, const Position& f, const Multiplier& c) {
  const int nq = static_cast<int>(f.size()), nl = static_cast<int>(c.size());
  Position a;
  Multiplier mu;
  kkt.correct_orthogonal(c, a);
  CHECK(nothing(a, nq));
  kkt.correct_orthogonal(c, a, mu);
  CHECK(nothing(a, nq));
  CHECK(nothing(mu, nl));
}

}  // namespace

TEST_CASE("a chain's Jacobian multiplies like its dense matrix", "[kkt]") {
  for (const int bodies : sizes) {
    const RandomChain chain(bodies, 1);
    VecX Gv, force;
    apply(chain.G, chain.v, Gv);
    apply_transposed(chain.G, chain.c, force);
    CHECK(same(Gv, chain.dense * chain.v));
    CHECK(same(force, chain.dense.transpose() * chain.c));
    CHECK(chain.G.rows() == chain.dense.rows());
    CHECK(chain.G.cols() == chain.dense.cols());
  }
}

TEST_CASE("the elimination for chains gives what the null space gives", "[kkt]") {
  for (const int bodies : sizes) {
    for (unsigned seed = 1; seed < 6; ++seed) {
      CAPTURE(bodies, seed);
      const RandomChain chain(bodies, seed);
      ChainKkt kkt;
      NullSpaceKkt<VecX, VecX> any;
      kkt.eliminate(chain.G, 1e-12);
      any.eliminate(chain.dense, 1e-12);
      CHECK(kkt.rank() == 2 * bodies);
      CHECK(kkt.free() == bodies);
      REQUIRE(kkt.weigh(chain.M));
      REQUIRE(any.weigh(chain.M));

      VecX a, lambda, expected, expected_lambda;
      kkt.solve(chain.M, chain.f, chain.c, a, lambda);
      any.solve(chain.M, chain.f, chain.c, expected, expected_lambda);
      CHECK(same(a, expected));
      CHECK(same(lambda, expected_lambda));
      kkt.correct(chain.M, chain.c, a);
      any.correct(chain.M, chain.c, expected);
      CHECK(same(a, expected));
      kkt.correct_orthogonal(chain.c, a);
      any.correct_orthogonal(chain.c, expected);
      CHECK(same(a, expected));
      kkt.correct_orthogonal(chain.c, a, lambda);
      any.correct_orthogonal(chain.c, expected, expected_lambda);
      CHECK(same(a, expected));
      CHECK(same(lambda, expected_lambda));
      kkt.forbidden(chain.v, a);
      any.forbidden(chain.v, expected);
      CHECK(same(a, expected));
    }
  }
}

TEMPLATE_TEST_CASE_SIG("a size known beforehand changes nothing of the elimination for chains",
                       "[kkt]", ((int N), N), 1, 2, 3, 4, 9) {
  const RandomChain chain(N, 11);
  ChainJacobianOf<N> G;
  Eigen::DiagonalMatrix<double, 3 * N> M;
  ChainKkt any;
  ChainKktOf<N> kkt;
  // Twice: masses that have changed are seen.
  for (const double scale : {1.0, 2.0}) {
    for (int i = 0; i < N; ++i) {
      G.own[i] = chain.G.own[i];
      if (i > 0) G.before[i] = chain.G.before[i];
    }
    M.diagonal() = scale * chain.M.diagonal();
    const Eigen::DiagonalMatrix<double, Dynamic> any_M(M.diagonal());
    const Vec<3 *N> f = chain.f, v = chain.v;
    const Vec<2 * N> c = chain.c;
    kkt.eliminate(G, 0);
    any.eliminate(chain.G, 0);
    REQUIRE(kkt.weigh(M));
    REQUIRE(any.weigh(any_M));
    CHECK(kkt.rank() == 2 * N);
    CHECK(kkt.smallest_pivot() == Approx(any.smallest_pivot()));

    Vec<3 * N> a;
    Vec<2 * N> lambda;
    VecX expected, expected_lambda;
    kkt.solve(M, f, c, a, lambda);
    any.solve(any_M, chain.f, chain.c, expected, expected_lambda);
    CHECK(same(a, expected));
    CHECK(same(lambda, expected_lambda));
    kkt.correct(M, c, a);
    any.correct(any_M, chain.c, expected);
    CHECK(same(a, expected));
    kkt.correct_orthogonal(c, a, lambda);
    any.correct_orthogonal(chain.c, expected, expected_lambda);
    CHECK(same(a, expected));
    CHECK(same(lambda, expected_lambda));
    kkt.forbidden(v, a);
    any.forbidden(chain.v, expected);
    CHECK(same(a, expected));
  }
  G.own[N - 1][0] = NAN;
  kkt.eliminate(G, 0);
  CHECK(kkt.rank() == 0);
  CHECK_FALSE(kkt.weigh(M));
}

TEST_CASE("the elimination for chains is as good for the next matrix, of any size", "[kkt]") {
  ChainKkt kkt;
  VecX a, lambda;
  for (const int bodies : {5, 5, 2, 9}) {
    const RandomChain chain(bodies, 7);
    kkt.eliminate(chain.G, 0);
    kkt.correct_orthogonal(chain.c, a);
    CHECK(same(chain.dense * a, chain.c));
    REQUIRE(kkt.weigh(chain.M));
    kkt.solve(chain.M, chain.f, chain.c, a, lambda);
    CHECK(same(chain.dense * a, chain.c));
    CHECK(same(chain.M * a + chain.dense.transpose() * lambda, chain.f));
  }
}

TEST_CASE("what a chain cannot be solved with is told", "[kkt]") {
  RandomChain chain(4, 3);
  ChainKkt kkt;
  kkt.eliminate(chain.G, 0);
  CHECK(kkt.smallest_pivot() > 0.1);
  CHECK(kkt.smallest_pivot() < 2);
  chain.M.diagonal()[5] = -1;
  chain.M.diagonal()[3] = chain.M.diagonal()[4] = -1;
  CHECK_FALSE(kkt.weigh(chain.M));

  chain.G.own[2][1] = NAN;
  kkt.eliminate(chain.G, 0);
  CHECK(kkt.rank() == 0);
  CHECK_FALSE(kkt.weigh(chain.M));
}

TEST_CASE("a chain that is not finite is answered with what is not a number, by every function",
          "[kkt]") {
  for (const bool used : {false, true}) {
    for (const bool weighed : {false, true}) {
      CAPTURE(used, weighed);
      ChainKkt kkt;
      if (used) {  // What is left of a smaller chain is not taken for this one.
        const RandomChain small(2, 4);
        VecX a;
        kkt.eliminate(small.G, 0);
        REQUIRE(kkt.weigh(small.M));
        kkt.correct_orthogonal(small.c, a);
      }
      RandomChain chain(16, 5);
      chain.G.before[7][0] = NAN;
      kkt.eliminate(chain.G, 0);
      if (weighed) CHECK_FALSE(kkt.weigh(chain.M));
      check_no_answer(kkt, chain.M, chain.f, chain.c);
      check_no_orthogonal_answer(kkt, chain.f, chain.c);
    }
  }
  ChainKktOf<3> kkt;
  ChainJacobianOf<3> G;
  const Eigen::DiagonalMatrix<double, 9> M{Vec<9>(Vec<9>::Ones())};
  G.own[1] << INFINITY, 0;
  kkt.eliminate(G, 0);
  CHECK_FALSE(kkt.weigh(M));
  check_no_answer(kkt, M, Vec<9>(Vec<9>::Ones()), Vec<6>(Vec<6>::Ones()));
  check_no_orthogonal_answer(kkt, Vec<9>(Vec<9>::Ones()), Vec<6>(Vec<6>::Ones()));
}

TEST_CASE("a chain whose masses are refused moves along the constraints all the same", "[kkt]") {
  RandomChain chain(5, 6);
  ChainKkt kkt;
  chain.M.diagonal()[4] = NAN;
  kkt.eliminate(chain.G, 0);
  CHECK_FALSE(kkt.weigh(chain.M));
  check_no_answer(kkt, chain.M, chain.f, chain.c);
  VecX a;
  kkt.correct_orthogonal(chain.c, a);
  CHECK(same(chain.dense * a, chain.c));
}

}  // namespace daewave
