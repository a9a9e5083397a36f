#include "ivp/run/fixed_steps.hpp"

#include <cmath>

#include "tests/catch.hpp"

namespace daewave::ivp {

TEST_CASE("a step that divides the interval up to rounding leaves no sliver", "[steppers]") {
  CHECK(FixedSteps({0, 1}, 0.1).count() == 10);
  CHECK(FixedSteps({0, 40}, 0.001).count() == 40'000);
  CHECK(FixedSteps({0.1, 0.7}, 0.2).count() == 3);
  CHECK(FixedSteps({1000, 1000.3}, 0.1).count() == 3);
  CHECK(FixedSteps({0, 1}, 1.0 / 3).count() == 3);
  CHECK(FixedSteps({0, 1e5}, 1e-3).count() == 100'000'000);
}

TEST_CASE("otherwise the last step is shorter", "[steppers]") {
  const FixedSteps steps({0, 1}, 0.3);
  REQUIRE(steps.count() == 4);
  CHECK(steps.node(3) == Approx(0.9));
  CHECK(steps.node(4) == 1);
  CHECK(FixedSteps({0, 1}, 5).count() == 1);
  CHECK(FixedSteps({0, 1}, 1e-3 * (1 + 1e-9)).count() == 1000);
  CHECK(FixedSteps({0, 1}, 1e-3 * (1 - 1e-9)).count() == 1001);
}

TEST_CASE("nodes are products, not sums", "[steppers]") {
  const FixedSteps steps({0, 1000}, 0.001);
  REQUIRE(steps.count() == 1'000'000);
  CHECK(steps.node(123'456) == 123'456 * 0.001);
  CHECK(steps.node(1'000'000) == 1000);
}

TEST_CASE("an interval may be passed backward or be empty", "[steppers]") {
  const FixedSteps backward({1, 0}, 0.25);
  REQUIRE(backward.count() == 4);
  CHECK(backward.node(1) == 0.75);
  CHECK(backward.node(4) == 0);
  CHECK(FixedSteps({2, 2}, 0.25).count() == 0);
}

}  // namespace daewave::ivp
