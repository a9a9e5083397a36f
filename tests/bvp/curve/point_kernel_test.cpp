// The arithmetic of many points at once, beside that of one after the other.

#include "bvp/curve/point_kernel.hpp"

#include <cmath>
#include <vector>

#include "tests/catch.hpp"

namespace daewave::bvp {
namespace {

std::vector<double> numbers(int count, double first) {
  std::vector<double> all(static_cast<std::size_t>(count));
  for (double& one : all) one = std::sin(first += 1);
  return all;
}

constexpr double untouched = 77;

}  // namespace

TEST_CASE("differences at points and what they are like are those of each, and of no more",
          "[curve]") {
  for (int points = 1; points <= 19; ++points) {
    CAPTURE(points);
    const std::vector<double> a = numbers(points, 0.3), b = numbers(points, 5);
    std::vector<double> value(a.size() + 1, untouched), size = value;
    subtract_at_points(a.data(), b.data(), points, value.data(), size.data());
    for (std::size_t p = 0; p < a.size(); ++p) {
      CHECK(value[p] == a[p] - b[p]);
      CHECK(size[p] == std::abs(a[p]) + std::abs(b[p]));
    }
    CHECK(value.back() == untouched);
    CHECK(size.back() == untouched);
  }
}

TEST_CASE("columns are weighed for each of their rows, and added where that is asked", "[curve]") {
  for (int rows = 0; rows <= 7; ++rows) {
    for (int count = 1; count <= 5; ++count) {
      for (const int stride : {1, 4}) {
        CAPTURE(rows, count, stride);
        const std::vector<double> columns = numbers(rows * count, 1),
                                  weights = numbers(count * stride, 2);
        std::vector<double> sums(static_cast<std::size_t>(rows) + 1, untouched);
        weigh_columns(columns.data(), rows, count, weights.data(), stride, sums.data());
        std::vector<double> twice = sums;
        add_columns(columns.data(), rows, count, weights.data(), stride, twice.data());
        for (int i = 0; i < rows; ++i) {
          double sum = 0;
          for (int j = 0; j < count; ++j) {
            sum += weights[static_cast<std::size_t>(j * stride)] *
                   columns[static_cast<std::size_t>(j * rows + i)];
          }
          const auto row = static_cast<std::size_t>(i);
          CHECK(sums[row] == Approx(sum).epsilon(1e-15).margin(1e-15));
          CHECK(twice[row] == 2 * sums[row]);
        }
        CHECK(sums.back() == untouched);
        CHECK(twice.back() == untouched);
      }
    }
  }
}

}  // namespace daewave::bvp
