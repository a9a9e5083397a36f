#include "core/machine/sine_cosine.hpp"

#include <cmath>
#include <cstring>
#include <limits>
#include <numbers>
#include <random>
#include <vector>

#include "tests/catch.hpp"

namespace daewave {
namespace {

/// What is claimed, and half of the last digit of the comparison.
constexpr double claimed = 1.3e-16;

double error_at(double x) {
  const SineCosine both = sine_cosine(x);
  const long double exact = x;
  return static_cast<double>(
      std::max(std::abs(both.sine - std::sin(exact)), std::abs(both.cosine - std::cos(exact))));
}

std::vector<double> angles(double largest, int count) {
  std::mt19937_64 random(17);
  std::uniform_real_distribution<double> uniform(-largest, largest);
  std::vector<double> x(static_cast<std::size_t>(count));
  for (double& one : x) one = uniform(random);
  return x;
}

}  // namespace

TEST_CASE("sines and cosines are as exact as is claimed", "[sine-cosine]") {
  for (const double largest : {1e-3, 1.0, 10.0, 1e3, 1e6, 1e9}) {
    CAPTURE(largest);
    double worst = 0;
    for (const double x : angles(largest, 20000)) worst = std::max(worst, error_at(x));
    CHECK(worst <= claimed);
  }
}

TEST_CASE("angles at and around multiples of half a quarter are no exception", "[sine-cosine]") {
  for (int eighths = -40000; eighths <= 40000; eighths += 1 + std::abs(eighths) / 100) {
    CAPTURE(eighths);
    const double x = eighths * (std::numbers::pi / 4);
    CHECK(error_at(x) <= claimed);
    CHECK(error_at(std::nextafter(x, INFINITY)) <= claimed);
    CHECK(error_at(std::nextafter(x, -INFINITY)) <= claimed);
  }
}

TEST_CASE("sine and cosine keep the symmetries of the circle", "[sine-cosine]") {
  CHECK(sine_cosine(0).sine == 0);
  CHECK(sine_cosine(0).cosine == 1);
  for (const double x : angles(100, 1000)) {
    CHECK(sine_cosine(-x).sine == -sine_cosine(x).sine);
    CHECK(sine_cosine(-x).cosine == sine_cosine(x).cosine);
  }
}

TEST_CASE("an angle that is not finite has no sine", "[sine-cosine]") {
  for (const double x : {NAN, INFINITY, -INFINITY}) {
    CHECK(std::isnan(sine_cosine(x).sine));
    CHECK(std::isnan(sine_cosine(x).cosine));
  }
}

TEST_CASE("many angles at once give the bits of one by one", "[sine-cosine]") {
  const auto same = [](double a, double b) { return std::memcmp(&a, &b, sizeof a) == 0; };
  for (const int count : {0, 1, 3, 4, 5, 8, 11}) {
    for (const int stride : {1, 3}) {
      std::vector<double> x = angles(10, count * stride);
      // Angles that are not reduced stand among others.
      for (const double strange : {0.5, 3e7, static_cast<double>(NAN)}) {
        CAPTURE(count, stride, strange);
        if (count > 2) x[static_cast<std::size_t>(2 * stride)] = strange;
        std::vector<double> s(static_cast<std::size_t>(count)), c(s);
        sines_and_cosines(x.data(), stride, count, s.data(), c.data());
        for (int i = 0; i < count; ++i) {
          const SineCosine one = sine_cosine(x[static_cast<std::size_t>(i * stride)]);
          const bool both_nan = std::isnan(one.sine) && std::isnan(s[i]) && std::isnan(c[i]);
          CHECK((both_nan || (same(one.sine, s[i]) && same(one.cosine, c[i]))));
        }
      }
    }
  }
}

}  // namespace daewave
