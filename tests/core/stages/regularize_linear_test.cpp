// L zeta = epsilon Lo zeta_old + K x + w against the equation it stands for, evaluated densely:
//
//   Z = Z_old + (1/epsilon) B E (alpha1 (C (A x - Z + q) + C_t x + r_t) + alpha2 (C x + r))  (3.16)

#include "core/stages/regularize_linear.hpp"

#include <Eigen/LU>
#include <Eigen/QR>
#include <random>

#include "core/error.hpp"
#include "tests/catch.hpp"
#include "tests/core/random_babd.hpp"

namespace daewave {
namespace {

/// Coefficients at one point, B and C in random directions with C B = I + small.
CoefficientBatch random_point(int nx, int ny, std::mt19937_64& random, double scale_B = 1,
                              double scale_C = 1) {
  CoefficientBatch batch(nx, ny, true);
  batch.resize(1);
  const VecX entries = testing::random_vector(batch.stride(), random);
  std::copy(entries.begin(), entries.end(), batch.data(0));
  Eigen::Map<MatX> B(batch.data(0) + nx * nx, nx, ny);
  Eigen::Map<MatX> C(batch.data(0) + nx * nx + nx * ny + nx, ny, nx);
  const MatX base = testing::random_orthogonal(nx, random).leftCols(ny);
  B = scale_B * (base + 0.2 * B).eval();
  C = scale_C * (base.transpose() + 0.2 * C).eval();
  return batch;
}

MatX weight_of(const Regularization& regularization, const MatX& CB) {
  const MatX I = MatX::Identity(CB.rows(), CB.cols());
  switch (regularization.weight) {
    case Weight::inverse:
      return CB.inverse();
    case Weight::transpose:
      return CB.transpose();
    case Weight::identity:
      return I;
    case Weight::shifted:
      return MatX(CB + regularization.delta * I).inverse();
  }
  return I;
}

}  // namespace

TEST_CASE("every weight satisfies the regularized multiplier equation, for any epsilon",
          "[srm][AL1-3.16]") {
  std::mt19937_64 random(41);
  for (const Weight weight : all_weights()) {
    for (const int ny : {1, 2, 3}) {
      for (const double epsilon : {1e-1, 1e-4, 1e-8, 1e-12}) {
        for (const auto& [alpha1, alpha2] : {std::pair(0.0, 1.0), {1.0, 1.0}, {0.5, 3.0}}) {
          CAPTURE(name_of(weight), ny, epsilon, alpha1, alpha2);
          const int nx = ny + 3;
          const Regularization regularization{.weight = weight,
                                              .epsilon = epsilon,
                                              .alpha1 = alpha1,
                                              .alpha2 = alpha2,
                                              .delta = 0.1};
          const CoefficientBatch at = random_point(nx, ny, random);
          StageBatch out(nx, ny);
          out.resize(1);
          LinearRegularizer(nx, ny, regularization).regularize(at, 0, out);
          const VecX zeta_old = testing::random_vector(ny, random);
          const VecX x = testing::random_vector(nx, random);
          const MatX L = out.L(0), Lo = out.Lo(0), K = out.K(0), V = out.V(0);
          const VecX right = epsilon * Lo * zeta_old + K * x + out.w(0);
          const VecX zeta = L.lu().solve(right);
          const VecX Z = V * zeta, Z_old = V * zeta_old;
          const MatX A = at.A(0), B = at.B(0), C = at.C(0), C_t = at.C_t(0);
          const VecX Cx = C * x, rate = A * x - Z + at.q(0);
          const VecX C_rate = C * rate, C_tx = C_t * x;
          const VecX drift = alpha1 * (C_rate + C_tx + at.r_t(0)) + alpha2 * (Cx + at.r(0));
          const MatX E = weight_of(regularization, C * B);
          const VecX weighed = E * drift;
          const VecX gap = epsilon * (Z - Z_old) - B * weighed;
          // Backward stable: rounding relative to the terms that cancel, a few of size up to ten;
          // with alpha1 = 0 Z itself is as large as 1/epsilon, and epsilon Z of size one.
          CHECK(gap.cwiseAbs().maxCoeff() < 1e-13 * (10 + alpha1 * Z.norm()));
          // V spans the range of B.
          const VecX rest = Z - B * B.colPivHouseholderQr().solve(Z);
          CHECK(rest.norm() <= 1e-13 * (1 + Z.norm()));
        }
      }
    }
  }
}

TEST_CASE("with weight inverse scaling B and C away changes neither projector nor B y",
          "[srm][AL1-H1]") {
  for (const int ny : {1, 2, 3}) {
    for (const auto& [scale_B, scale_C] : {std::pair(1e-8, 1.0), {1.0, 1e-8}, {1e-8, 1e-8}}) {
      const int nx = ny + 2;
      std::mt19937_64 one(43), other(43);
      const CoefficientBatch plain = random_point(nx, ny, one);
      const CoefficientBatch scaled = random_point(nx, ny, other, scale_B, scale_C);
      const auto projector = [&](const CoefficientBatch& at) {
        StageBatch out(nx, ny);
        out.resize(1);
        const ConstraintPivots pivots =
            LinearRegularizer(nx, ny, {.epsilon = 1e-3}).regularize(at, 0, out);
        return std::pair(MatX(out.V(0) * MatX(out.Lo(0)).lu().solve(MatX(out.K(0)))), pivots);
      };
      const auto [P, pivots] = projector(plain);
      const auto [P_scaled, pivots_scaled] = projector(scaled);
      CAPTURE(ny, scale_B, scale_C);
      CHECK((P - P_scaled).cwiseAbs().maxCoeff() < 1e-13);
      CHECK((P * P - P).cwiseAbs().maxCoeff() < 1e-13);
      CHECK(pivots_scaled.B == Approx(scale_B * pivots.B));
      CHECK(pivots_scaled.C == Approx(scale_C * pivots.C));
      CHECK(pivots_scaled.transversality == Approx(pivots.transversality));
    }
  }
}

TEST_CASE("regularizing from the projector gives the same B y as from B and C", "[srm][AL1-H1]") {
  std::mt19937_64 random(44);
  for (const int ny : {1, 2, 3}) {
    for (const double epsilon : {1e-2, 1e-10}) {
      const int nx = ny + 2;
      const Regularization regularization{.epsilon = epsilon, .alpha2 = 2};
      const CoefficientBatch at = random_point(nx, ny, random);
      StageBatch direct(nx, ny), indirect(nx, ny);
      direct.resize(1);
      indirect.resize(1);
      LinearRegularizer regularizer(nx, ny, regularization);
      regularizer.regularize(at, 0, direct);
      const MatX BE = at.B(0) * MatX(at.C(0) * at.B(0)).inverse();
      regularizer.regularize_from_projector(BE * at.C(0), BE * at.r(0), 0, indirect);
      const VecX x = testing::random_vector(nx, random);
      const VecX Z_old = at.B(0) * testing::random_vector(ny, random);
      const auto next = [&](const StageBatch& stage) {
        const VecX zeta_old = MatX(stage.V(0)).colPivHouseholderQr().solve(Z_old);
        const VecX right = epsilon * stage.Lo(0) * zeta_old + stage.K(0) * x + stage.w(0);
        return VecX(stage.V(0) * MatX(stage.L(0)).lu().solve(right));
      };
      CAPTURE(ny, epsilon);
      CHECK((next(direct) - next(indirect)).norm() < 1e-12 * next(direct).norm());
    }
  }
}

TEST_CASE("parameters out of range are refused by name and value", "[srm]") {
  const auto refused = [](const Regularization& regularization, const std::string& text) {
    CHECK_THROWS_AS(check_linear(regularization), InvalidOption);
    CHECK_THROWS_WITH(check_linear(regularization), contains_text(text));
  };
  CHECK_NOTHROW(check_linear(Regularization{}));
  refused({.epsilon = 0}, "epsilon = 0: must be > 0");
  refused({.epsilon = -0.01}, "epsilon = -0.01");
  refused({.epsilon = std::nan("")}, "epsilon = nan");
  refused({.alpha1 = -1}, "alpha1 = -1: must be >= 0");
  refused({.alpha2 = 0}, "alpha2 = 0");
  refused({.delta = INFINITY}, "delta = inf");
}

TEST_CASE("weights are found by name", "[srm]") {
  for (const Weight weight : all_weights()) CHECK(weight_named(name_of(weight)) == weight);
  CHECK_THROWS_WITH(weight_named("inv"), contains_text("\"inv\"") && contains_text("transpose"));
}

}  // namespace daewave
