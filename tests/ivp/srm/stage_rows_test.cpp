#include "ivp/srm/stage_rows.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "tests/catch.hpp"

namespace daewave::ivp {

namespace {

double number(int i, int k) { return std::sin(1.7 * i + 0.3 * k) + 0.1 * k; }

}  // namespace

TEST_CASE("sums of stages are the same for states of any size and any number of terms", "[srm]") {
  for (int n = 1; n <= 11; ++n) {
    std::vector<std::vector<double>> stages;
    std::vector<const double*> k;
    for (int j = 0; j < 8; ++j) {
      stages.emplace_back();
      for (int i = 0; i < n; ++i) stages.back().push_back(number(i, j));
    }
    for (const auto& stage : stages) k.push_back(stage.data());
    std::vector<double> x;
    for (int i = 0; i < n; ++i) x.push_back(number(i, 20));
    for (int terms = 1; terms <= 7; ++terms) {
      CAPTURE(n, terms);
      Combination row;
      row.count = terms;
      for (int j = 0; j < terms; ++j) {
        row.stage[static_cast<std::size_t>(j)] = static_cast<std::uint8_t>((3 * j + 1) % 8);
        row.coefficient[static_cast<std::size_t>(j)] = 0.25 * (j + 1);
      }
      // One number more, which nothing may touch.
      std::vector<double> along(static_cast<std::size_t>(n) + 1, 7), sum = along;
      step_along(x.data(), 0.1, row, k.data(), n, along.data());
      sum_stages(-2, row, k.data(), n, sum.data());
      for (int i = 0; i < n; ++i) {
        double plain = 0;
        for (int j = 0; j < terms; ++j) plain += 0.25 * (j + 1) * number(i, (3 * j + 1) % 8);
        CHECK(along[static_cast<std::size_t>(i)] ==
              Approx(number(i, 20) + 0.1 * plain).margin(1e-14));
        CHECK(sum[static_cast<std::size_t>(i)] == Approx(-2 * plain).margin(1e-14));
      }
      CHECK(along.back() == 7);
      CHECK(sum.back() == 7);
    }
  }
}

TEST_CASE("rows are interpolated as r_0 + theta (r_1 + (1 - theta) (r_2 + ...))", "[srm]") {
  for (int n = 1; n <= 7; ++n) {
    for (int degree = 1; degree <= 6; ++degree) {
      std::vector<double> rows, out(static_cast<std::size_t>(n));
      for (int r = 0; r <= degree; ++r) {
        for (int i = 0; i < n; ++i) rows.push_back(number(i, r));
      }
      for (const double theta : {0.0, 0.3, 1.0}) {
        CAPTURE(n, degree, theta);
        interpolate_rows(rows.data(), degree, theta, n, out.data());
        for (int i = 0; i < n; ++i) {
          double value = 0, factor = 1;
          for (int r = 0; r <= degree; ++r) {
            value += factor * number(i, r);
            factor *= r % 2 == 0 ? theta : 1 - theta;
          }
          CHECK(out[static_cast<std::size_t>(i)] == Approx(value).margin(1e-14));
        }
      }
    }
  }
}

TEST_CASE("one number that is not finite is seen wherever it is", "[srm]") {
  for (const double bad : {double{NAN}, double{INFINITY}, -double{INFINITY}}) {
    for (std::size_t at = 0; at < 5; ++at) {
      std::vector<double> x{1, 2, 3, 4, 5};
      CHECK(sums_up(x.data(), 5));
      x[at] = bad;
      CHECK_FALSE(sums_up(x.data(), 5));
    }
  }
}

}  // namespace daewave::ivp
