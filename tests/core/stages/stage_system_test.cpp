// What is left of an interval after elimination satisfies the full collocation equations:
//
//   F_j = A_j X_j - V_j zeta_j + q_j,   X_j = x + h sum_l a_jl F_l,   x_new = x + h sum_l b_l F_l,
//   L_j zeta_j = epsilon Lo_j zeta_j^old + K_j X_j + w_j.                    [AL1] (4.1)-(4.3)

#include "core/stages/stage_system.hpp"

#include <Eigen/LU>
#include <random>

#include "tests/catch.hpp"
#include "tests/core/manufactured_dae.hpp"
#include "tests/core/random_babd.hpp"

namespace daewave {
namespace {

using RowMajor = Eigen::Matrix<double, Dynamic, Dynamic, Eigen::RowMajor>;
using Block = Eigen::Map<const RowMajor>;

/// One random interval, eliminated.
struct CondensedInterval {
  CondensedInterval(Scheme family, int stages, int nx, int ny, double epsilon_, unsigned seed,
                    MultipliersFirst order = MultipliersFirst::no,
                    KeepSlopes slopes = KeepSlopes::no, double h_ = 0.2)
      : h(h_),
        scheme(collocation(family, stages)),
        layout(nx, ny, scheme),
        epsilon(epsilon_),
        coefficients(nx, ny, false),
        regularized(nx, ny),
        maps(layout, 1, slopes),
        S(layout.node * layout.node),
        R(S.size()) {
    const auto problem = testing::random_symmetric_dae(nx, ny, seed);
    const auto erased = erase(problem);
    std::vector<double> t(stages);
    for (int j = 0; j < stages; ++j) t[j] = begin + scheme.c[j] * h;
    erased->evaluate(t.data(), stages, coefficients);
    regularized.resize(stages);
    LinearRegularizer regularizer(nx, ny, {.epsilon = epsilon});
    for (int j = 0; j < stages; ++j) regularizer.regularize(coefficients, j, regularized);
    StageElimination elimination(layout, scheme, epsilon, order);
    pivot = elimination.condense(coefficients, regularized, 0, h, S.data(), R.data(), maps, 0);
  }

  /// Largest residual of the equations above relative to their largest term, for a given left node
  /// and old multipliers; the right node follows from the block row.
  double residual(const VecX& left, const VecX& zeta_old) const {
    const int n = layout.nx, m = layout.ny, k = layout.stages, u = layout.node;
    VecX g(u);
    maps.right_side(0, zeta_old.data(), g.data());
    const MatX of_left = Block(S.data(), u, u), of_right = Block(R.data(), u, u);
    const VecX rest = g - of_left * left;
    const VecX right = of_right.fullPivLu().solve(rest);
    VecX zeta = zeta_old;
    maps.update_multipliers(0, left.data(), right.data(), false, zeta.data());

    // The derivatives of the stages from the multipliers, by a dense solve of their own.
    MatX matrix = MatX::Identity(k * n, k * n);
    VecX known(k * n);
    const VecX x_left = left.head(n);
    for (int j = 0; j < k; ++j) {
      const MatX A = coefficients.A(j), V = regularized.V(j);
      for (int l = 0; l < k; ++l) {
        matrix.block(j * n, l * n, n, n) -= h * scheme.a(j, l) * A;
      }
      const VecX zeta_j = zeta.segment(j * m, m), Ax = A * x_left, Vzeta = V * zeta_j;
      known.segment(j * n, n) = Ax + coefficients.q(j) - Vzeta;
    }
    const VecX F = matrix.partialPivLu().solve(known);
    double worst = 0, size = 1 + F.cwiseAbs().maxCoeff();
    VecX x_new = left.head(n);
    for (int j = 0; j < k; ++j) {
      x_new += h * scheme.b[j] * F.segment(j * n, n);
      VecX X = left.head(n);
      for (int l = 0; l < k; ++l) X += h * scheme.a(j, l) * F.segment(l * n, n);
      // A shared left node's multiplier equation belongs to the interval before.
      if (layout.shared && j == 0) continue;
      const MatX L = regularized.L(j), Lo = regularized.Lo(j), K = regularized.K(j);
      const VecX zeta_j = zeta.segment(j * m, m), old_j = zeta_old.segment(j * m, m);
      const VecX Lzeta = L * zeta_j, Lo_old = Lo * old_j, KX = K * X;
      const VecX gap = Lzeta - epsilon * Lo_old - KX - regularized.w(j);
      worst = std::max(worst, gap.cwiseAbs().maxCoeff());
    }
    worst = std::max(worst, (x_new - right.head(n)).cwiseAbs().maxCoeff());
    if (layout.shared) {
      worst = std::max(worst, (zeta.head(m) - left.tail(m)).cwiseAbs().maxCoeff());
      worst = std::max(worst, (zeta.tail(m) - right.tail(m)).cwiseAbs().maxCoeff());
    }
    return worst / size;
  }

  static constexpr double begin = 0.3;
  double h;
  Collocation scheme;
  StageLayout layout;
  double epsilon;
  CoefficientBatch coefficients;
  StageBatch regularized;
  StageMaps maps;
  std::vector<double> S, R;
  double pivot = 0;
};

}  // namespace

TEST_CASE("an eliminated interval satisfies the full collocation equations, for any epsilon",
          "[stages][AL1-4.1]") {
  std::mt19937_64 random(71);
  unsigned seed = 71;
  for (const Scheme scheme : all_schemes()) {
    const StageRange range = stage_range(scheme);
    for (int k = range.least; k <= range.most; ++k) {
      for (const auto& [nx, ny] : {std::pair(2, 1), {4, 2}, {6, 3}, {3, 3}}) {
        for (const double epsilon : {1.0, 1e-3, 1e-8, 1e-12}) {
          CAPTURE(name_of(scheme), k, nx, ny, epsilon);
          const CondensedInterval interval(scheme, k, nx, ny, epsilon, ++seed);
          REQUIRE(interval.pivot > 0);
          const VecX left = testing::random_vector(interval.layout.node, random);
          const VecX zeta_old = testing::random_vector(interval.layout.multipliers, random);
          // A consistent start lies near C x + r = 0; a random one asks for B y of size 1/h^2 or
          // so, which `residual` divides by. Elimination without growth leaves rounding times the
          // number of unknowns, up to 63.
          CHECK(interval.residual(left, zeta_old) < 2e-13);
        }
      }
    }
  }
}

TEST_CASE("long intervals, whose rows are those of stiff components, satisfy them too",
          "[stages][AL1-4.1]") {
  std::mt19937_64 random(73);
  unsigned seed = 900;
  for (const Scheme scheme : {Scheme::gauss, Scheme::radau}) {
    for (const int k : {1, 2, 3}) {
      for (const auto& [nx, ny] : {std::pair(4, 2), {3, 3}}) {
        for (const double h : {200.0, 2e6}) {
          CAPTURE(name_of(scheme), k, nx, ny, h);
          const CondensedInterval interval(scheme, k, nx, ny, 1, ++seed, MultipliersFirst::no,
                                           KeepSlopes::no, h);
          REQUIRE(interval.pivot > 0);
          const VecX left = testing::random_vector(interval.layout.node, random);
          const VecX zeta_old = testing::random_vector(interval.layout.multipliers, random);
          // Slopes of size 1 become states of size h.
          CHECK(interval.residual(left, zeta_old) < 2e-13 * (1 + h));
        }
      }
    }
  }
}

TEST_CASE("multipliers eliminated before the derivatives give the same interval", "[stages]") {
  unsigned seed = 500;
  for (const Scheme scheme : {Scheme::gauss, Scheme::radau, Scheme::midpoint}) {
    const StageRange range = stage_range(scheme);
    for (int k = range.least; k <= range.most; ++k) {
      for (const auto& [nx, ny] : {std::pair(2, 1), {4, 2}, {6, 3}}) {
        CAPTURE(name_of(scheme), k, nx, ny);
        ++seed;
        const CondensedInterval first(scheme, k, nx, ny, 0.7, seed, MultipliersFirst::yes);
        REQUIRE(first.pivot > 0);
        std::mt19937_64 random(seed);
        const VecX left = testing::random_vector(first.layout.node, random);
        const VecX zeta_old = testing::random_vector(first.layout.multipliers, random);
        CHECK(first.residual(left, zeta_old) < 2e-13);
      }
    }
  }
}

TEST_CASE("slopes that are kept are those that lead from node to node", "[stages]") {
  for (const MultipliersFirst order : {MultipliersFirst::no, MultipliersFirst::yes}) {
    for (int k = 1; k <= 8; ++k) {
      const CondensedInterval interval(Scheme::gauss, k, 4, 2, 0.7, 90u + static_cast<unsigned>(k),
                                       order, KeepSlopes::yes);
      REQUIRE(interval.maps.has_slopes());
      std::mt19937_64 random(static_cast<unsigned>(k));
      const VecX left = testing::random_vector(4, random);
      const VecX zeta_old = testing::random_vector(2 * k, random);
      VecX F(4 * k), g(4), zeta = zeta_old;
      interval.maps.slopes(0, left.data(), zeta_old.data(), F.data());
      interval.maps.right_side(0, zeta_old.data(), g.data());
      interval.maps.update_multipliers(0, left.data(), nullptr, false, zeta.data());
      using Block = Eigen::Map<const Eigen::Matrix<double, Dynamic, Dynamic, Eigen::RowMajor>>;
      const VecX right = Block(interval.S.data(), 4, 4) * left - g;
      VecX x_new = left;
      for (int j = 0; j < k; ++j) {
        x_new += interval.h * interval.scheme.b[j] * F.segment(4 * j, 4);
        VecX X = left;
        for (int l = 0; l < k; ++l) X += interval.h * interval.scheme.a(j, l) * F.segment(4 * l, 4);
        const MatX A = interval.coefficients.A(j), V = interval.regularized.V(j);
        const VecX zeta_j = zeta.segment(2 * j, 2);
        const VecX slope = A * X - V * zeta_j + interval.coefficients.q(j);
        CHECK((slope - F.segment(4 * j, 4)).cwiseAbs().maxCoeff() <
              2e-12 * (1 + F.cwiseAbs().maxCoeff()));
      }
      CHECK((x_new - right).cwiseAbs().maxCoeff() < 1e-12 * (1 + F.cwiseAbs().maxCoeff()));
    }
  }
}

TEST_CASE("old multipliers of zero may be left out", "[stages]") {
  const CondensedInterval interval(Scheme::gauss, 3, 4, 2, 1e-3, 72);
  const int u = interval.layout.node, z = interval.layout.multipliers;
  std::mt19937_64 random(72);
  const VecX left = testing::random_vector(u, random), zero = VecX::Zero(z);
  VecX with(u), without(u);
  interval.maps.right_side(0, zero.data(), with.data());
  interval.maps.right_side(0, nullptr, without.data());
  CHECK(with == without);
  VecX zeta = zero, other = testing::random_vector(z, random);
  interval.maps.update_multipliers(0, left.data(), left.data(), false, zeta.data());
  interval.maps.update_multipliers(0, left.data(), left.data(), true, other.data());
  CHECK(zeta == other);
}

TEST_CASE("only schemes whose first stage is the node carry multipliers at nodes", "[stages]") {
  for (const Scheme scheme : all_schemes()) {
    const Collocation family = collocation(scheme, stage_range(scheme).most);
    const StageLayout layout(5, 2, family);
    CHECK(layout.shared == (scheme == Scheme::lobatto));
    CHECK(layout.node == (layout.shared ? 7 : 5));
    CHECK(layout.multipliers == 2 * family.stages);
    CHECK(StageMaps(layout, 10).bytes() > 0);
  }
}

TEST_CASE("stage equations without a solution are reported", "[stages]") {
  // Backward Euler for x' = x / h: 1 - h A = 0.
  const Collocation euler = collocation(Scheme::radau, 1);
  const StageLayout layout(1, 1, euler);
  CoefficientBatch coefficients(1, 1, false);
  coefficients.resize(1);
  const double h = 0.5, values[] = {1 / h, 1, 0, 0, 0};  // A, B, q, C, r
  std::copy(std::begin(values), std::end(values), coefficients.data(0));
  StageBatch regularized(1, 1);
  regularized.resize(1);
  regularized.V(0) << 1;
  regularized.L(0) << 1;
  regularized.Lo(0) << 1;
  regularized.K(0) << 0;
  regularized.w(0) << 0;
  StageMaps maps(layout, 1);
  double S = 7, R = 7;
  CHECK(StageElimination(layout, euler, 1)
            .condense(coefficients, regularized, 0, h, &S, &R, maps, 0) == 0);
  CHECK(S == 7);
  CHECK(R == 7);
}

}  // namespace daewave
