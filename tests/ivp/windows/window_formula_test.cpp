// The coefficients of windows, against the conditions that define them.

#include "ivp/windows/window_formula.hpp"

#include <cmath>

#include "ivp/windows/window_polynomial.hpp"
#include "ivp/windows/window_sweeps.hpp"
#include "tests/catch.hpp"

namespace daewave::ivp {
namespace {

constexpr int nodes = WindowFormula::nodes;

struct WithoutSweeps final : WindowSweeps {
  Sweep sweep(const WindowBegin&, const double*, double*) override { return {}; }
};

}  // namespace

TEST_CASE("windows integrate polynomials: once and twice inside, to degree 15 at their ends",
          "[windows]") {
  const WindowFormula& formula = window_formula();
  for (int degree = 0; degree < 2 * nodes; ++degree) {
    CAPTURE(degree);
    double b = 0, end = 0;
    for (int j = 0; j < nodes; ++j) {
      b += formula.b[j] * std::pow(formula.c[j], degree);
      end += formula.end[j] * std::pow(formula.c[j], degree);
    }
    CHECK(std::abs(b - 1.0 / (degree + 1)) < 2e-16);
    if (degree < 2 * nodes - 1) CHECK(std::abs(end - 1.0 / ((degree + 1) * (degree + 2))) < 2e-16);
    for (int i = 0; i < nodes; ++i) {
      double once = 0, twice = 0;
      for (int j = 0; j < nodes; ++j) {
        once += formula.once[j][i] * std::pow(formula.c[j], degree);
        twice += formula.twice[j][i] * std::pow(formula.c[j], degree);
      }
      const double c = formula.c[i];
      if (degree < nodes) CHECK(std::abs(once - std::pow(c, degree + 1) / (degree + 1)) < 1e-15);
      if (degree < nodes - 1) {
        CHECK(std::abs(twice - std::pow(c, degree + 2) / ((degree + 1) * (degree + 2))) < 1e-15);
      }
    }
  }
}

TEST_CASE("windows read backward are the same to the last bit", "[windows]") {
  const WindowFormula& formula = window_formula();
  double sum = 0;
  for (int j = 0; j < nodes; ++j) {
    const int other = nodes - 1 - j;
    sum += formula.b[j];
    CHECK(formula.b[j] == formula.b[other]);
    CHECK(formula.c[j] + formula.c[other] == 1);
    CHECK(formula.end[j] + formula.end[other] == formula.b[j]);
    for (int i = 0; i < nodes; ++i) {
      CHECK(formula.once[j][i] + formula.once[other][nodes - 1 - i] == formula.b[j]);
    }
  }
  CHECK(sum == 1);
}

TEST_CASE("the polynomial of a window has its accelerations, and their integrals", "[windows]") {
  // v' = 3 - 4 s + 5 s^4 - s^7 in s = 2 theta, a window from 0 to 2.
  const auto rate = [](double s) { return 3 - 4 * s + 5 * std::pow(s, 4) - std::pow(s, 7); };
  const auto v = [](double s) {
    return -1 + 3 * s - 2 * s * s + std::pow(s, 5) - std::pow(s, 8) / 8;
  };
  const auto q = [](double s) {
    return 0.5 - s + 1.5 * s * s - 2.0 / 3 * s * s * s + std::pow(s, 6) / 6 - std::pow(s, 9) / 72;
  };
  WindowPolynomial polynomial;
  polynomial.begin.resize(2);
  polynomial.begin << 0.5, -1;
  polynomial.h = 2;
  AlignedVector a(nodes);
  for (int i = 0; i < nodes; ++i) a[i] = rate(2 * window_formula().c[i]);
  polynomial.series.resize(nodes);
  WithoutSweeps().expand(a.data(), 1, polynomial.series.data());
  VecX z(2);
  for (const double theta : {0.0, 0.1, 0.5, 0.77, 1.0, 1.3}) {
    polynomial.at(theta, z);
    CAPTURE(theta);
    CHECK(std::abs(z[0] - q(2 * theta)) < 1e-12 * (1 + std::abs(q(2 * theta))));
    CHECK(std::abs(z[1] - v(2 * theta)) < 1e-12 * (1 + std::abs(v(2 * theta))));
    const LegendreAt legendre(theta);
    double sum = 0;
    for (int k = 0; k < nodes; ++k) sum += legendre.value[k] * polynomial.series[k];
    CHECK(std::abs(sum - rate(2 * theta)) < 1e-12 * (1 + std::abs(rate(2 * theta))));
  }
}

TEST_CASE("what a window misses at its end is the next coefficient of its accelerations",
          "[windows]") {
  const auto rate = [](double theta) { return 2 - theta + 3 * std::pow(theta, 8); };
  AlignedVector a(nodes), series(nodes), extended(nodes);
  for (int i = 0; i < nodes; ++i) a[i] = rate(window_formula().c[i]);
  const WithoutSweeps sweeps;
  sweeps.expand(a.data(), 1, series.data());
  double next = rate(1);
  for (int k = 0; k < nodes; ++k) next -= series[k];
  for (const double begin : {0.0, 0.5, 1.0}) {
    for (const double ratio : {-1.0, 0.3, 1.0, 1.5}) {
      sweeps.extend(series.data(), &next, 1, begin, ratio, extended.data());
      for (int i = 0; i < nodes; ++i) {
        const double exact = rate(begin + ratio * window_formula().c[i]);
        CAPTURE(begin, ratio, i, exact);
        CHECK(std::abs(extended[i] - exact) < 1e-12 * std::pow(3, 8));
      }
    }
  }
}

}  // namespace daewave::ivp
