// Every family with every number of stages, by listing them.

#include "core/time/collocation_scheme.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "tests/catch.hpp"

namespace daewave {
namespace {

// The coefficients are exact to rounding; sums of up to seven terms of size one.
constexpr double rounding = 1e-14;

template <class Body>
void for_every_scheme(Body body) {
  for (const Scheme scheme : all_schemes()) {
    const StageRange range = stage_range(scheme);
    for (int k = range.least; k <= range.most; ++k) {
      CAPTURE(name_of(scheme), k);
      body(collocation(scheme, k));
    }
  }
}

/// |error at t = 1| of x' = t - 2 t x, x(0) = 1 in N steps; linear, so stages need one solve.
double error_of(const Collocation& scheme, int steps) {
  const int k = scheme.stages;
  const double h = 1.0 / steps;
  double x = 1;
  for (int i = 0; i < steps; ++i) {
    MatX matrix = MatX::Identity(k, k);
    VecX right(k);
    for (int j = 0; j < k; ++j) {
      const double t = (i + scheme.c[j]) * h;
      for (int l = 0; l < k; ++l) matrix(j, l) += 2 * t * h * scheme.a(j, l);
      right[j] = t - 2 * t * x;
    }
    x += h * scheme.b.dot(matrix.partialPivLu().solve(right));
  }
  return std::abs(x - (0.5 + 0.5 * std::exp(-1.0)));
}

}  // namespace

TEST_CASE("stages increase within [0, 1]", "[collocation]") {
  for_every_scheme([](const Collocation& scheme) {
    REQUIRE(scheme.c.size() == scheme.stages);
    for (int j = 1; j < scheme.stages; ++j) CHECK(scheme.c[j] > scheme.c[j - 1]);
    CHECK(scheme.c[0] >= 0);
    CHECK(scheme.c[scheme.stages - 1] <= 1);
    const bool lobatto = scheme.scheme == Scheme::lobatto, radau = scheme.scheme == Scheme::radau;
    CHECK(scheme.starts_at_node() == lobatto);
    CHECK(scheme.ends_at_node() == (lobatto || radau));
    CHECK(scheme.damps() == radau);
  });
}

TEST_CASE("growing modes grow up to the step that is told, and decay beyond where a scheme damps",
          "[collocation][AL1-4.1]") {
  for_every_scheme([](const Collocation& scheme) {
    const Eigen::Index k = scheme.stages;
    const auto factor = [&](double z) {
      const MatX matrix = MatX::Identity(k, k) - z * scheme.a;
      return std::abs(1 + z * scheme.b.dot(matrix.partialPivLu().solve(VecX::Ones(k))));
    };
    const double most = scheme.growing_up_to();
    CAPTURE(name_of(scheme.scheme), scheme.stages, most);
    REQUIRE(std::isfinite(most) == scheme.damps());
    if (!scheme.damps()) return;
    for (int i = 1; i < 1000; ++i) CHECK(factor(most * i / 1000) > 1);
    CHECK(factor(most + 1e-3) < 1);
    for (int i = 1; i <= 100; ++i) CHECK(factor(most * (1 + 0.1 * i)) < 1);
  });
}

TEST_CASE("b integrates polynomials of degree order - 1 and no higher, a those of degree k - 1",
          "[collocation]") {
  for_every_scheme([](const Collocation& scheme) {
    const auto power = [&](int p) { return VecX(scheme.c.array().pow(p)); };
    for (int p = 0; p < scheme.order; ++p) {
      CHECK(scheme.b.dot(power(p)) == Approx(1.0 / (p + 1)).margin(rounding));
    }
    // The error of the next power is that of the squared stage polynomial, above 1e-10 for k <= 8.
    CHECK(std::abs(scheme.b.dot(power(scheme.order)) - 1.0 / (scheme.order + 1)) > 1e-10);
    for (int p = 0; p < scheme.stages; ++p) {
      const VecX exact = scheme.c.array().pow(p + 1) / (p + 1);
      CHECK((scheme.a * power(p) - exact).cwiseAbs().maxCoeff() < rounding);
    }
  });
}

TEST_CASE("integrated and interpolation weights reproduce polynomials anywhere in the interval",
          "[collocation]") {
  for_every_scheme([](const Collocation& scheme) {
    CHECK((scheme.integrated_weights(1) - scheme.b).cwiseAbs().maxCoeff() < rounding);
    CHECK(scheme.integrated_weights(0).cwiseAbs().maxCoeff() == 0);
    for (int j = 0; j < scheme.stages; ++j) {
      const VecX row = scheme.a.row(j), unit = VecX::Unit(scheme.stages, j);
      CHECK((scheme.integrated_weights(scheme.c[j]) - row).cwiseAbs().maxCoeff() < rounding);
      CHECK((scheme.interpolation_weights(scheme.c[j]) - unit).cwiseAbs().maxCoeff() < 1e-12);
    }
    for (const double theta : {0.0, 0.123, 0.5, 0.9, 1.0}) {
      for (int p = 0; p < scheme.stages; ++p) {
        const VecX power = scheme.c.array().pow(p);
        // Lagrange polynomials through stages inside reach 1e2 at the ends for k = 7.
        CHECK(scheme.interpolation_weights(theta).dot(power) ==
              Approx(std::pow(theta, p)).margin(1e-12));
        CHECK(scheme.integrated_weights(theta).dot(power) ==
              Approx(std::pow(theta, p + 1) / (p + 1)).margin(1e-12));
      }
    }
  });
}

TEST_CASE("every scheme solves an ordinary equation with its order", "[collocation]") {
  for_every_scheme([](const Collocation& scheme) {
    // The finest pair of meshes whose errors are above rounding, from one step up.
    double order = 0;
    for (int steps = 1; steps <= 64; steps *= 2) {
      const double coarse = error_of(scheme, steps), fine = error_of(scheme, 2 * steps);
      if (fine < 1e-13) break;
      order = std::log2(coarse / fine);
    }
    // Few steps may look better than the order, that of the quadrature tells that it is no higher.
    if (scheme.order <= 8) CHECK(order > scheme.order - 0.3);
    CHECK(error_of(scheme, 64) < 1e-2 * std::pow(0.1, scheme.order - 1) + 1e-14);
  });
}

TEST_CASE("a family that does not exist with that many stages is refused with its range",
          "[collocation]") {
  for (const Scheme scheme : all_schemes()) {
    const StageRange range = stage_range(scheme);
    const std::string most = std::to_string(range.most);
    const std::string has =
        range.least == range.most ? most + " alone" : std::to_string(range.least) + " to " + most;
    for (const int stages : {range.least - 1, range.most + 1, -1, 1000}) {
      CHECK_THROWS_AS(collocation(scheme, stages), InvalidOption);
      CHECK_THROWS_WITH(collocation(scheme, stages),
                        contains_text("stages = " + std::to_string(stages)) &&
                            contains_text(std::string(name_of(scheme)) + " has " + has));
    }
  }
}

TEST_CASE("schemes are found by name", "[collocation]") {
  for (const Scheme scheme : all_schemes()) CHECK(scheme_named(name_of(scheme)) == scheme);
  CHECK_THROWS_AS(scheme_named("gaus"), InvalidOption);
  CHECK_THROWS_WITH(scheme_named("gaus"), contains_text("\"gaus\"") && contains_text("lobatto"));
}

TEST_CASE("midpoint is gauss with one stage, radau with one stage is backward Euler",
          "[collocation]") {
  const Collocation midpoint = collocation(Scheme::midpoint, 1),
                    gauss = collocation(Scheme::gauss, 1);
  CHECK(midpoint.c == gauss.c);
  CHECK(midpoint.a == gauss.a);
  CHECK(midpoint.c[0] == 0.5);
  CHECK(collocation(Scheme::radau, 1).a(0, 0) == 1);
  const MatX trapezoidal{{0, 0}, {0.5, 0.5}};
  CHECK(collocation(Scheme::lobatto, 2).a == trapezoidal);
}

}  // namespace daewave
