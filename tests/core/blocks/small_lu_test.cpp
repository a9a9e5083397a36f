#include "core/blocks/small_lu.hpp"

#include <cmath>
#include <limits>
#include <random>

#include "tests/catch.hpp"

using namespace daewave;

TEST_CASE("a small matrix is solved to rounding, whatever its first pivots are",
          "[linear-solver]") {
  std::mt19937_64 random(5);
  std::normal_distribution<double> normal;
  for (int n : {1, 2, 5, 12}) {
    MatX A(n, n);
    for (double& value : A.reshaped()) value = normal(random);
    A(0, 0) = n > 1 ? 0 : 1;
    VecX x(n);
    for (double& value : x) value = normal(random);
    SmallLu lu(n);
    REQUIRE(lu.factorize(A));
    VecX b = A * x;
    lu.solve(b);
    // Errors are rounding times the condition, which is below 1e3 for these.
    CHECK((b - x).cwiseAbs().maxCoeff() < 1e-12);
  }
}

TEST_CASE("a small matrix that is singular or not finite is refused", "[linear-solver]") {
  SmallLu lu(2);
  CHECK_FALSE(lu.factorize(MatX{{1, 2}, {2, 4}}));
  CHECK_FALSE(lu.factorize(MatX{{0, 0}, {0, 1}}));
  CHECK_FALSE(lu.factorize(MatX{{1, 0}, {0, std::numeric_limits<double>::infinity()}}));
  CHECK_FALSE(lu.factorize(MatX{{std::numeric_limits<double>::quiet_NaN(), 1}, {1, 1}}));
  CHECK(lu.factorize(MatX{{0, 1}, {1, 0}}));
}

TEST_CASE("of rows that depend on each other rounding leaves a pivot, in whatever units they are",
          "[linear-solver][units]") {
  std::mt19937_64 random(7);
  std::normal_distribution<double> normal;
  for (int n : {3, 5, 9}) {
    int seen = 0;
    constexpr int trials = 50;
    for (int trial = 0; trial < trials; ++trial) {
      MatX A(n, n);
      for (double& value : A.reshaped()) value = normal(random);
      MatX dependent = A;
      dependent.row(n - 1) = A.row(0) / 3 + 0.7 * A.row(1);
      for (int i = 0; i < n; ++i) {
        const double unit = std::pow(10.0, 4 * normal(random));
        for (MatX* one : {&A, &dependent}) {
          one->row(i) *= unit;
          one->col((i + 1) % n) *= std::pow(10.0, 4 * normal(random));
        }
      }
      SmallLu lu(n);
      REQUIRE(lu.factorize(A));
      CHECK_FALSE(lu.is_singular_to_rounding());
      if (!lu.factorize(dependent) || lu.is_singular_to_rounding()) ++seen;
    }
    CHECK(seen >= trials - 1);  // What rounding does on the way to the pivot is not all counted.
  }
}
