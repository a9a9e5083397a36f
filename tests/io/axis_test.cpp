#include "io/axis.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <set>

#include "tests/catch.hpp"

namespace daewave::io {

namespace {

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

std::string labels_of(const Axis& axis) {
  std::string text;
  for (const Tick& tick : axis.ticks) text += tick.label + " ";
  return text;
}

// What is asked of every axis, whatever its range.
void check_axis(const Axis& axis, int most) {
  CAPTURE(axis.range.low, axis.range.high, axis.log, labels_of(axis), axis.scale);
  CHECK(std::isfinite(axis.range.low));
  CHECK(std::isfinite(axis.range.high));
  CHECK(axis.range.low < axis.range.high);
  CHECK(axis.ticks.size() >= 2);
  // Between powers of ten a log axis has three ticks to the decade.
  CHECK(axis.ticks.size() <= static_cast<std::size_t>(most) + 3);
  std::set<std::string> labels;
  double previous = -inf;
  for (const Tick& tick : axis.ticks) {
    CHECK(tick.value > previous);
    previous = tick.value;
    CHECK(tick.value >= axis.range.low);
    CHECK(tick.value <= axis.range.high);
    CHECK(labels.insert(tick.label).second);
    CHECK(tick.label.size() <= 24);
  }
  for (const double value : axis.minor) {
    CHECK(axis.fraction(value) >= -1e-6);
    CHECK(axis.fraction(value) <= 1 + 1e-6);
  }
  // No long stretch without a tick.
  CHECK(axis.fraction(axis.ticks.front().value) <= 0.5);
  CHECK(axis.fraction(axis.ticks.back().value) >= 0.5);
  CHECK(axis.fraction(axis.range.low) == Approx(0).margin(1e-12));
  CHECK(axis.fraction(axis.range.high) == Approx(1));
}

}  // namespace

TEST_CASE("linear ticks are multiples of 1, 2 or 5", "[io]") {
  CHECK(labels_of(linear_axis({0, 10}, 5)) == "0 2 4 6 8 10 ");
  CHECK(labels_of(linear_axis({0, 1}, 5)) == "0.0 0.2 0.4 0.6 0.8 1.0 ");
  CHECK(labels_of(linear_axis({-0.1, 0.25}, 6)) == "\u22120.1 0.0 0.1 0.2 ");
  CHECK(labels_of(linear_axis({0, 2.5}, 5)) == "0.0 0.5 1.0 1.5 2.0 2.5 ");
}

TEST_CASE("large, small and nearly equal numbers are shortened by a scale", "[io]") {
  const Axis small = linear_axis({0, 1e-6}, 5);
  CHECK(labels_of(small) == "0.0 0.2 0.4 0.6 0.8 1.0 ");
  CHECK(small.scale == "\u00d710^{\u22126}");
  const Axis large = linear_axis({0, 4e7}, 5);
  CHECK(labels_of(large) == "0 1 2 3 4 ");
  CHECK(large.scale == "\u00d710^{7}");
  const Axis offset = linear_axis({1000000, 1000000.5}, 5);
  CHECK(labels_of(offset) == "0.0 0.1 0.2 0.3 0.4 0.5 ");
  CHECK(offset.scale == "+ 1000000");
  CHECK(linear_axis({-1000000.5, -1000000}, 5).scale == "\u2212 1000000");
}

TEST_CASE("labels of more than five digits, and below a thousandth, have a scale", "[io]") {
  CHECK(labels_of(linear_axis({0, 800000}, 5)) == "0 2 4 6 8 ");
  CHECK(linear_axis({0, 800000}, 5).scale == "\u00d710^{5}");
  CHECK(labels_of(linear_axis({0, 80000}, 5)) == "0 20000 40000 60000 80000 ");
  CHECK(linear_axis({0, 80000}, 5).scale.empty());
  CHECK(labels_of(linear_axis({0, 0.008}, 5)) == "0.000 0.002 0.004 0.006 0.008 ");
  CHECK(labels_of(linear_axis({0, 0.0008}, 5)) == "0 2 4 6 8 ");
  CHECK(linear_axis({0, 0.0008}, 5).scale == "\u00d710^{\u22124}");
}

TEST_CASE("what all labels share is a round number inside the range where there is one", "[io]") {
  const auto texts = [](double low, double high) {
    const Axis axis = linear_axis({low, high}, 5);
    return labels_of(axis) + axis.scale;
  };
  CHECK(texts(123000, 123005) == "0 1 2 3 4 5 + 123000");
  CHECK(texts(122999, 123002) == "\u22121 0 1 2 + 123000");
  CHECK(texts(-123005, -123000) == "\u22125 \u22124 \u22123 \u22122 \u22121 0 \u2212 123000");
  CHECK(texts(123001, 123004) == "1 2 3 4 + 123000");
}

TEST_CASE("linear ticks cover every range", "[io]") {
  std::mt19937_64 random(11);
  std::uniform_real_distribution<double> exponent(-200, 200);
  std::uniform_real_distribution<double> relative(-14, 2);
  std::uniform_real_distribution<double> sign(-1, 1);
  for (int i = 0; i < 3000; ++i) {
    const double offset = std::copysign(std::pow(10, exponent(random)), sign(random));
    const double length = std::abs(offset) * std::pow(10, relative(random));
    const int most = 3 + i % 12;
    const Range range{offset, offset + std::copysign(length, sign(random))};  // may be reversed
    const Axis axis = linear_axis(range, most);
    check_axis(axis, std::max(most, 5));
    CHECK(axis.range.low <= std::min(range.low, range.high));
    CHECK(axis.range.high >= std::max(range.low, range.high));
  }
}

TEST_CASE("equal, reversed, huge and infinite ends make an axis too", "[io]") {
  for (const double a : {0.0, -0.0, 1.0, -3.0, 1e-320, 5e-324, 1e300, -1e308, inf, -inf, nan}) {
    for (const double b : {a, 0.0, 2.0, -1e308, 1e308, 1e-320, inf, nan}) {
      check_axis(linear_axis({a, b}, 5), 5);
      check_axis(log_axis({a, b}, 5), 5);
    }
  }
}

TEST_CASE("log ticks are powers of ten, or finer on a short range", "[io]") {
  CHECK(labels_of(log_axis({1e-3, 1}, 5)) == "10^{\u22123} 10^{\u22122} 10^{\u22121} 10^{0} ");
  CHECK(labels_of(log_axis({1e-8, 1}, 5)) ==
        "10^{\u22128} 10^{\u22126} 10^{\u22124} "
        "10^{\u22122} 10^{0} ");
  CHECK(labels_of(log_axis({1, 10}, 5)) == "1 2 5 10 ");
  CHECK(labels_of(log_axis({1e-6, 1e-5}, 5)) ==
        "10^{\u22126} 2\u00d710^{\u22126} 5\u00d710^{\u22126} 10^{\u22125} ");
  CHECK(labels_of(log_axis({20, 40}, 5)) == "20 25 30 35 40 ");
  // What is beyond the ends by rounding, 1e-9, is seen.
  CHECK(labels_of(log_axis({1 + 5e-10, 10 - 5e-9}, 5)) == "1 2 5 10 ");
  CHECK(labels_of(log_axis({1 + 2e-9, 10}, 5)) == "2 5 10 ");
  CHECK(labels_of(log_axis({1, 10 - 2e-8}, 5)) == "1 2 5 ");
}

TEST_CASE("of more powers of ten than there are to be each second, third or fifth is a tick",
          "[io]") {
  const auto exponents = [](int decades, int most) {
    std::vector<double> all;
    for (const auto& tick : log_axis({std::pow(10, -decades), 1}, most).ticks) {
      all.push_back(std::round(std::log10(tick.value)));
    }
    return all;
  };
  using All = std::vector<double>;
  CHECK(exponents(4, 5) == All{-4, -3, -2, -1, 0});
  CHECK(exponents(5, 5) == All{-4, -2, 0});
  CHECK(exponents(9, 5) == All{-8, -6, -4, -2, 0});
  CHECK(exponents(10, 5) == All{-9, -6, -3, 0});
  CHECK(exponents(10, 11).size() == 11);
  CHECK(exponents(15, 5) == All{-15, -10, -5, 0});
  // Between them the others, which have no labels; 2 to 9 times each where all are ticks.
  CHECK(log_axis({1e-6, 1}, 5).minor.size() == 3);
  CHECK(log_axis({1e-4, 1}, 5).minor.size() == 32);
}

TEST_CASE("log ticks cover every range", "[io]") {
  std::mt19937_64 random(13);
  std::uniform_real_distribution<double> exponent(-140, 140);
  std::uniform_real_distribution<double> decades(-14, 2);
  for (int i = 0; i < 3000; ++i) {
    const double low = std::pow(10, exponent(random));
    const double high = std::min(low * std::pow(10, std::pow(10, decades(random))), 1e150);
    const int most = 5 + i % 8;
    check_axis(i % 2 == 0 ? log_axis({low, high}, most) : log_axis({high, low}, most), most);
  }
}

TEST_CASE("zero and negative values have no place on a log axis", "[io]") {
  const Axis axis = log_axis({0.1, 10}, 5);
  CHECK(std::isnan(axis.fraction(0)));
  CHECK(std::isnan(axis.fraction(-1)));
  CHECK(axis.fraction(1) == Approx(0.5));
}

}  // namespace daewave::io
