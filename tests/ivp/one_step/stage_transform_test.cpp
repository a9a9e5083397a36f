// What implicit steps take from a scheme: the eigenvalues of A, d, e, and the polynomial.

#include "ivp/one_step/stage_transform.hpp"

#include <cmath>

#include "core/error.hpp"
#include "tests/catch.hpp"

namespace daewave::ivp {
namespace {

template <class Body>
void for_every_implicit_scheme(Body body) {
  for (const Scheme family : {Scheme::gauss, Scheme::radau}) {
    for (int k = 1; k <= most_implicit_stages; ++k) {
      CAPTURE(name_of(family), k);
      const Collocation scheme = collocation(family, k);
      body(scheme, stage_transform(scheme));
    }
  }
}

}  // namespace

TEST_CASE("there is room for as many stages as the families have, and more are refused",
          "[collocation-step]") {
  for (const Scheme family : {Scheme::gauss, Scheme::radau}) {
    CHECK(stage_range(family).most == most_implicit_stages);
  }
  Collocation longer = collocation(Scheme::gauss, most_implicit_stages);
  ++longer.stages;
  CHECK_THROWS_AS(stage_transform(longer), InvalidOption);
}

TEST_CASE("A is put together again from its eigenvalues", "[collocation-step]") {
  // Eigenvectors for 8 stages have a condition of 1e3 or so.
  for_every_implicit_scheme([](const Collocation& scheme, const StageTransform& transform) {
    const int k = scheme.stages;
    CHECK(transform.has_real == (k % 2 == 1));
    CHECK(transform.pairs == k / 2);
    for (int i = 0; i < k; ++i) {
      for (int j = 0; j < k; ++j) {
        double sum = transform.has_real
                         ? transform.from_real[i] * transform.mu_real * transform.to_real[j]
                         : 0.0;
        for (int p = 0; p < transform.pairs; ++p) {
          const auto& pair = transform.pair[p];
          sum += (pair.from[i] * pair.mu * pair.to[j]).real();
        }
        CHECK(sum == Approx(scheme.a(i, j)).margin(1e-11));
      }
    }
  });
}

TEST_CASE("d is the collocation polynomial at the end of the step", "[collocation-step]") {
  for_every_implicit_scheme([](const Collocation& scheme, const StageTransform& transform) {
    const auto at_end = transform.weights_at(1);
    for (int j = 0; j < scheme.stages; ++j) {
      CHECK(transform.d[j] == Approx(at_end[j + 1]).margin(1e-11));
    }
  });
}

TEST_CASE("the polynomial through begin and stages is exact for degree k, also outside",
          "[collocation-step]") {
  for_every_implicit_scheme([](const Collocation& scheme, const StageTransform& transform) {
    for (const double theta : {0.0, 0.3, 1.0, 1.8}) {
      const auto weight = transform.weights_at(theta);
      for (int degree = 0; degree <= scheme.stages; ++degree) {
        double sum = degree == 0 ? weight[0] : 0, size = 1;
        for (int j = 0; j < scheme.stages; ++j) {
          sum += weight[j + 1] * std::pow(scheme.c[j], degree);
          size += std::abs(weight[j + 1]);
        }
        CHECK(sum == Approx(std::pow(theta, degree)).margin(1e-14 * size));
      }
    }
  });
}

TEST_CASE("the error weights of Radau with three stages are those of RADAU5",
          "[collocation-step][HW2]") {
  const StageTransform transform = stage_transform(collocation(Scheme::radau, 3));
  // [HW2] IV (8.18): 1 / mu_0 = 3 - 3^(1/3) + 3^(2/3) ... and e = mu_0 (-13 -+ 7 sqrt 6, -1) / 3.
  const double cubic = std::cbrt(81.0) - std::cbrt(9.0);
  const double mu = (6 + cubic) / 30;
  const double root = std::sqrt(6.0);
  CHECK(1 / transform.mu_real == Approx(1 / mu).epsilon(1e-12));
  CHECK(transform.e[0] == Approx(mu / 3 * (-13 - 7 * root)).epsilon(1e-11));
  CHECK(transform.e[1] == Approx(mu / 3 * (-13 + 7 * root)).epsilon(1e-11));
  CHECK(transform.e[2] == Approx(mu / 3 * -1).epsilon(1e-11));
}

TEST_CASE("schemes with a stage at the begin are refused", "[collocation-step][bad-input]") {
  CHECK_THROWS_AS(stage_transform(collocation(Scheme::lobatto, 3)), InvalidOption);
  CHECK_THROWS_WITH(stage_transform(collocation(Scheme::lobatto, 3)),
                    contains_text("lobatto") && contains_text("use gauss or radau"));
}

}  // namespace daewave::ivp
