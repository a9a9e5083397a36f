#include "bvp/equations/rows_of_values.hpp"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "bvp/equations/batch_differences.hpp"
#include "tests/catch.hpp"

namespace daewave::bvp {
namespace {

struct Differences {
  static constexpr int rows = 3, apart = 16, stride = 20;
  std::vector<double> moved, base, taken;

  explicit Differences(int points)
      : moved(rows * apart, 7.0), base(rows * stride, 7.0), taken(stride, 7.0) {
    for (int p = 0; p < points; ++p) {
      taken[p] = 1e-8 * (1 + 0.1 * p);
      for (int i = 0; i < rows; ++i) {
        base[i * stride + p] = std::sin(1.0 + i + 3 * p);
        moved[i * apart + p] = base[i * stride + p] + 1e-8 * std::cos(2.0 * i + p);
      }
    }
  }
};

}  // namespace

TEST_CASE("values of any number of points are copied and divided as one by one, and no more",
          "[batches]") {
  constexpr int rows = Differences::rows, apart = Differences::apart, stride = Differences::stride;
  for (int points = 1; points <= apart; ++points) {
    CAPTURE(points);
    const Differences of(points);
    const RowsOfValues moved{of.moved.data(), apart};
    std::vector<double> to(rows * stride, 5.0), column = to;
    REQUIRE(copy_values(moved, rows, points, stride, to.data()));
    REQUIRE(divide_differences(moved, of.base.data(), of.taken.data(), rows, points, stride,
                               column.data()));
    for (int i = 0; i < rows; ++i) {
      for (int p = 0; p < stride; ++p) {
        const int e = i * stride + p;
        const double value = p < points ? of.moved[i * apart + p] : 5.0;
        CHECK(to[e] == value);
        CHECK(column[e] == (p < points ? (value - of.base[e]) / of.taken[p] : 5.0));
      }
    }
  }
}

TEST_CASE("differences are divided where the values are", "[batches]") {
  constexpr int rows = Differences::rows, stride = Differences::stride, points = 13;
  const Differences of(points);
  std::vector<double> column(rows * stride);
  for (int i = 0; i < rows; ++i) {
    for (int p = 0; p < points; ++p) {
      column[i * stride + p] = of.moved[i * Differences::apart + p];
    }
  }
  REQUIRE(divide_differences({column.data(), stride}, of.base.data(), of.taken.data(), rows, points,
                             stride, column.data()));
  for (int i = 0; i < rows; ++i) {
    for (int p = 0; p < points; ++p) {
      CHECK(column[i * stride + p] ==
            (of.moved[i * Differences::apart + p] - of.base[i * stride + p]) / of.taken[p]);
    }
  }
}

TEST_CASE("a value that is not finite is seen at each point, and behind them none is",
          "[batches]") {
  constexpr int rows = Differences::rows, apart = Differences::apart, stride = Differences::stride;
  constexpr int points = 11;
  for (const double value : {std::nan(""), std::numeric_limits<double>::infinity(),
                             -std::numeric_limits<double>::infinity()}) {
    for (int at = 0; at < rows * apart; ++at) {
      CAPTURE(value, at);
      Differences of(points);
      of.moved[at] = value;
      std::vector<double> column(rows * stride);
      const bool is_behind = at % apart >= points;
      CHECK(copy_values({of.moved.data(), apart}, rows, points, stride, column.data()) ==
            is_behind);
      CHECK(divide_differences({of.moved.data(), apart}, of.base.data(), of.taken.data(), rows,
                               points, stride, column.data()) == is_behind);
    }
  }
}

TEST_CASE("where columns cannot be found, the time and the row of x' are told", "[batches]") {
  constexpr int points = 5, nx = 2;
  const double t[points] = {0, 0.25, 0.5, 0.75, 1};
  const double x[nx * points] = {}, F[nx * points] = {};
  std::vector<double> values(nx * 8), J(nx * nx * points);
  std::string failure;
  const auto undefined = [&](const IteratePoints& at, double*) {
    for (int p = 0; p < points; ++p) {
      values[p] = at.x[p];
      values[8 + p] = at.t[p] >= 0.5 && at.x[points + p] > 0 ? std::nan("") : 0;
    }
    return RowsOfValues{values.data(), 8};
  };
  CHECK_FALSE(BatchDifferences().columns({points, points, t, x, nullptr}, nx, F, VecX::Ones(nx),
                                         undefined, J.data(), failure));
  CHECK_THAT(failure, contains_text("x'") && contains_text("row 2") && contains_text("t = 0.5"));
}

}  // namespace daewave::bvp
