#include "ivp/run/fixed_steps.hpp"

#include <cmath>

#include "core/error.hpp"
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

TEST_CASE("an interval of a few roundings is one step, one of no length none", "[steppers]") {
  const Interval shortest{1e6, std::nextafter(std::nextafter(1e6, 2e6), 2e6)};
  CHECK(FixedSteps(shortest, 1).count() == 1);
  CHECK(FixedSteps({shortest.end, shortest.begin}, 1).count() == 1);
  CHECK(FixedSteps(shortest, 1).node(1) == shortest.end);
  CHECK(FixedSteps({1e6, 1e6}, 1).count() == 0);
}

TEST_CASE("nodes are products, not sums", "[steppers]") {
  const FixedSteps steps({0, 1000}, 0.001);
  REQUIRE(steps.count() == 1'000'000);
  CHECK(steps.node(123'456) == 123'456 * 0.001);
  CHECK(steps.node(1'000'000) == 1000);
}

TEST_CASE("nodes that a later end has too are told from those of this end alone", "[steppers]") {
  CHECK(FixedSteps({0, 1}, 0.001).shared() == 1000);
  CHECK(FixedSteps({0, 1.0004}, 0.001).shared() == 1000);
  CHECK(FixedSteps({1, 0}, 0.25).shared() == 4);
  CHECK(FixedSteps({0, 0.3}, 1).shared() == 0);
  // Three times 0.1 is not 0.3 to the last bit.
  const FixedSteps steps({0, 0.3}, 0.1);
  REQUIRE(steps.count() == 3);
  CHECK(steps.shared() == 2);
  CHECK(steps.passes(3, 0.3));
  CHECK_FALSE(FixedSteps({0, 1}, 0.1).passes(3, 0.3));
  CHECK(FixedSteps({0, 1}, 0.1).passes(3, 3 * 0.1));
}

TEST_CASE("a sum of steps passes the nodes", "[steppers]") {
  for (const Interval& span : {Interval{0, 7}, Interval{0.1, 7}, Interval{-3.3, 2}, Interval{5, -4},
                               Interval{1e6, 1e6 + 7}}) {
    for (const double h : {0.1, 0.3, 1e-3}) {
      const FixedSteps steps(span, h);
      double t = span.begin;
      bool passes = true;
      for (long i = 0; i < steps.count(); ++i) {
        passes = passes && steps.passes(i, t) && !steps.passes(i, t + 1e-6 * h);
        t += steps.node(i + 1) - t;
      }
      CAPTURE(span.begin, h);
      CHECK(passes);
    }
  }
}

TEST_CASE("an interval may be passed backward or be empty", "[steppers]") {
  const FixedSteps backward({1, 0}, 0.25);
  REQUIRE(backward.count() == 4);
  CHECK(backward.node(1) == 0.75);
  CHECK(backward.node(4) == 0);
  CHECK(FixedSteps({2, 2}, 0.25).count() == 0);
}

TEST_CASE("a step that is lost in rounding is refused", "[fixed_steps]") {
  CHECK_THROWS_WITH(FixedSteps({0, 70}, 1e-300),
                    contains_text("h = 1e-300: is lost in rounding") &&
                        contains_text("take more than 1.5"));
  CHECK_THROWS_AS(FixedSteps({1e6, 1e6 + 1}, 1e-10), InvalidOption);
  CHECK_THROWS_AS(FixedSteps({1, 0}, 1e-16), InvalidOption);
  CHECK(FixedSteps({1e6, 1e6 + 1}, 1e-9).count() == 1'000'000'000);
  CHECK(FixedSteps({0, 0}, 1e-300).count() == 0);
}

}  // namespace daewave::ivp
