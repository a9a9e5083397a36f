// Sums over stages in registers: those of plain loops, for all widths and numbers of stages.

#include "bvp/newton/stage_kernel.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "tests/catch.hpp"

namespace daewave::bvp {
namespace {

using Numbers = std::vector<double>;

Numbers random_numbers(int count, std::mt19937& random) {
  std::uniform_real_distribution<double> uniform(-1, 1);
  Numbers numbers(static_cast<std::size_t>(count));
  for (double& one : numbers) one = uniform(random);
  return numbers;
}

constexpr int beyond = 8;  ///< Numbers behind the last one, which stay as they are.

}  // namespace

TEST_CASE("stages and ends of intervals are x and the weighted slopes", "[newton]") {
  std::mt19937 random(5);
  for (int k = 1; k <= 8; ++k) {
    for (const int m : {1, 2, 3, 4, 5, 7, 8, 9, 16, 31, 32, 33}) {
      const int n = 1 + m % 3;
      CAPTURE(k, m, n);
      const Numbers a = random_numbers(k * k, random), b = random_numbers(k, random);
      const Numbers h = random_numbers(m, random), x = random_numbers(n * (m + 1), random);
      const Numbers K = random_numbers(n * k * m, random);
      Numbers X(n * k * m + beyond, 7.0), off(n * m + beyond, 7.0);
      add_up_stages(
          {n, k, m, a.data(), b.data(), h.data(), x.data(), K.data(), X.data(), off.data()});
      double most = 0;
      for (int r = 0; r < n; ++r) {
        for (int i = 0; i < m; ++i) {
          const double* const here = &x[r * (m + 1) + i];
          for (int j = 0; j <= k; ++j) {
            double sum = 0;
            for (int l = 0; l < k; ++l)
              sum += (j < k ? a[j * k + l] : b[l]) * K[(r * k + l) * m + i];
            const double expected = here[0] + h[i] * sum - (j < k ? 0 : here[1]);
            const double found = j < k ? X[(r * k + j) * m + i] : off[r * m + i];
            most = std::max(most, std::abs(found - expected));
          }
        }
      }
      CHECK(most <= 1e-14);
      CHECK(std::all_of(X.end() - beyond, X.end(), [](double one) { return one == 7; }));
      CHECK(std::all_of(off.end() - beyond, off.end(), [](double one) { return one == 7; }));
    }
  }
}

TEST_CASE("residuals of slopes and sums of squares are those of plain loops", "[newton]") {
  std::mt19937 random(6);
  for (const int m : {1, 2, 3, 4, 5, 7, 8, 9, 30, 33}) {
    const int rows = 1 + m % 4;
    CAPTURE(m, rows);
    const Numbers F = random_numbers(rows * m, random), K = random_numbers(rows * m, random);
    Numbers right(rows * m + beyond, 7.0);
    slope_residuals(F.data(), K.data(), 0.25, rows * m, right.data());
    for (int e = 0; e < rows * m; ++e) CHECK(right[e] == 0.25 * (F[e] - K[e]));
    CHECK(right[rows * m] == 7);
    const Numbers before = random_numbers(m + beyond, random);
    Numbers sums = before;
    add_squares(F.data(), K.data(), 0.3, 1.7, rows, m, sums.data());
    for (int i = 0; i < m; ++i) {
      double sum = before[i];
      for (int l = 0; l < rows; ++l) sum += std::pow(1.7 * (F[l * m + i] - 0.3 * K[l * m + i]), 2);
      CHECK(sums[i] == Approx(sum).epsilon(1e-13));
    }
    CHECK(std::equal(sums.begin() + m, sums.end(), before.begin() + m));
  }
}

}  // namespace daewave::bvp
