// Sums over the points of an interval, in registers, against sums of one point after the other.

#include "bvp/residual/look_kernel.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "tests/catch.hpp"

namespace daewave::bvp {
namespace {

constexpr double level = 0.125;

/// Residuals that change their sign, some below rounding.
struct Points {
  explicit Points(int count) {
    for (int p = 0; p < count; ++p) {
      values.push_back(std::sin(1.7 * p + 0.4) * (p % 5 == 3 ? 0.01 : 1));
      sizes.push_back(1 + 0.5 * std::cos(p));
      parts.push_back(0.3 + 0.1 * std::sin(3.0 * p));
    }
    for (int p = 0; p <= count; ++p) gaps.push_back(0.2 + 0.05 * std::cos(2.0 * p));
    for (int p = 0; p < 2 * count; ++p) {
      fit.push_back(std::cos(0.3 * p));
      smooth.push_back(1 / (1.0 + p));
    }
  }
  ResidualRow row() {
    return {values.data(), sizes.data(), static_cast<int>(values.size()), level};
  }
  double beyond(int p) const {
    const auto i = static_cast<std::size_t>(p);
    const double here = std::abs(values[i]) - level * sizes[i];
    return here > 0 ? here : 0;
  }
  std::vector<double> values, sizes, parts, gaps, fit, smooth;
};

constexpr int most = 23;

}  // namespace

TEST_CASE("what a row of residuals comes to is the same for any number of points", "[residual]") {
  for (int count = 1; count <= most; ++count) {
    CAPTURE(count);
    Points points(count);
    RowMeasure expected;
    double reached = 0;
    for (int p = 0; p < count; ++p) {
      const auto i = static_cast<std::size_t>(p);
      const double here = points.beyond(p), alone = points.parts[i] * here;
      expected.largest = std::max(expected.largest, here);
      expected.sum += alone;
      reached += points.values[i] > 0 ? alone : -alone;
      expected.most = std::max(expected.most, std::abs(reached));
    }
    const RowMeasure found = measure_row(points.row(), points.parts.data());
    CHECK(found.largest == expected.largest);
    CHECK(found.sum == Approx(expected.sum));
    CHECK(found.most == Approx(expected.most));
    CHECK(largest_of_row(points.row()) == expected.largest);
  }
}

TEST_CASE("integrals of residuals are bounded by the larger one of two neighbours", "[residual]") {
  for (int count = 1; count <= most; ++count) {
    CAPTURE(count);
    Points points(count);
    double expected = 0;
    for (int p = 0; p <= count; ++p) {
      const double left = p > 0 ? points.beyond(p - 1) : 0,
                   right = p < count ? points.beyond(p) : 0;
      expected += points.gaps[static_cast<std::size_t>(p)] * std::max(left, right);
    }
    std::vector<double> memory(static_cast<std::size_t>(count + 2));
    CHECK(bound_of_integral(points.row(), points.gaps.data(), memory.data()) == Approx(expected));
  }
}

TEST_CASE("the smooth part that is taken from residuals is that of their fit", "[residual]") {
  for (int count = 1; count <= most; ++count) {
    CAPTURE(count);
    Points points(count);
    const Points before = points;
    const auto n = static_cast<std::size_t>(count);
    double first = 0, second = 0;
    for (std::size_t p = 0; p < n; ++p) {
      first += before.fit[p] * before.values[p];
      second += before.fit[n + p] * before.values[p];
    }
    take_smooth(points.row(), points.fit.data(), points.smooth.data());
    for (std::size_t p = 0; p < n; ++p) {
      CHECK(points.values[p] ==
            Approx(before.values[p] - first * before.smooth[p] - second * before.smooth[n + p])
                .margin(1e-13));
    }
  }
}

TEST_CASE("residuals that are not known count as none, and infinite ones do not", "[residual]") {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  constexpr double infinite = std::numeric_limits<double>::infinity();
  for (const int at : {0, 3, 6, 8}) {
    CAPTURE(at);
    Points points(9), zero(9);
    const auto i = static_cast<std::size_t>(at);
    points.values[i] = none;
    zero.values[i] = 0;
    CHECK(largest_of_row(points.row()) == largest_of_row(zero.row()));
    const RowMeasure found = measure_row(points.row(), points.parts.data());
    const RowMeasure expected = measure_row(zero.row(), zero.parts.data());
    CHECK(found.largest == expected.largest);
    CHECK(found.sum == Approx(expected.sum));
    CHECK(found.most == Approx(expected.most));
    forget_unknown(points.row());
    CHECK(points.values == zero.values);
    points.values[i] = infinite;
    CHECK(largest_of_row(points.row()) == infinite);
  }
}

}  // namespace daewave::bvp
