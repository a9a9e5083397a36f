#include "ivp/multistep/bdf_order.hpp"

#include <cmath>
#include <initializer_list>

#include "tests/catch.hpp"

namespace daewave::ivp {

namespace {

/// h / (safety error^{1/(order + 1)}) for h = 1, of the order of now, the one below, the one above.
double length_of_own(double error, int order) {
  return 1 / (1.4 * std::pow(error, 1.0 / (order + 1)));
}
double length_of_lower(double error, int order) { return 1 / (1.5 * std::pow(error, 1.0 / order)); }
double length_of_higher(double error, int order) {
  return 1 / (1.6 * std::pow(error, 1.0 / (order + 2)));
}

/// Of that order, h = 1, after as many steps as allow a change.
BdfOrder of_order(int order, int most = 6) {
  BdfOrder now(most);
  for (int k = 1; k < order; ++k) {
    now.begin(1, false);
    now.accepted(INFINITY, INFINITY, 1e-12);
  }
  now.begin(1, true);
  for (int step = 0; step < order; ++step) now.accepted();
  return now;
}

}  // namespace

TEST_CASE("an order is kept where it allows the longest step, which is as long as its error allows",
          "[bdf]") {
  for (int order : {1, 2, 3, 6}) {
    CAPTURE(order);
    BdfOrder now = of_order(order);
    REQUIRE(now.order() == order);
    REQUIRE(now.may_change());
    now.accepted(1e-2, 1, 1);
    CHECK(now.order() == order);
    CHECK(now.length() == Approx(length_of_own(1e-2, order)).epsilon(1e-13));
    CHECK_FALSE(now.may_change());
  }
}

TEST_CASE("the order rises to one that allows a longer step, up to the highest that is allowed",
          "[bdf]") {
  BdfOrder now = of_order(3);
  now.accepted(0.1, INFINITY, 1e-4);
  CHECK(now.order() == 4);
  CHECK(now.length() == Approx(length_of_higher(1e-4, 3)).epsilon(1e-13));
  BdfOrder highest = of_order(3, 3);
  CHECK_FALSE(highest.knows_higher());
  highest.accepted(0.1, INFINITY, 1e-4);
  CHECK(highest.order() == 3);
  CHECK(of_order(2, 3).knows_higher());
}

TEST_CASE("where the order rises steps grow by no more than errors of the past allow", "[bdf]") {
  // A step of rho h sees rho own / (gamma_{k+1} (k + 2)) of what each step has moved the past.
  const auto length_of_past = [](double own, double gamma, int order) {
    return gamma * (order + 2) / (1.6 * own);
  };
  for (const double own : {0.1, 0.5, 1.0}) {
    CAPTURE(own);
    BdfOrder parabola = of_order(1);
    parabola.accepted(own, INFINITY, 0);
    CHECK(parabola.order() == 2);
    CHECK(parabola.length() == Approx(length_of_past(own, 1.5, 1)).epsilon(1e-13));
  }
  BdfOrder cubic = of_order(2);
  cubic.accepted(1, INFINITY, 1e-20);
  CHECK(cubic.order() == 3);
  CHECK(cubic.length() == Approx(length_of_past(1, 11.0 / 6, 2)).epsilon(1e-13));
}

TEST_CASE("the order falls to one that allows a longer step, never below one", "[bdf]") {
  BdfOrder now = of_order(4);
  now.accepted(0.5, 1e-3, 0.5);
  CHECK(now.order() == 3);
  CHECK(now.length() == Approx(length_of_lower(1e-3, 4)).epsilon(1e-13));
  BdfOrder lowest = of_order(1);
  lowest.accepted(0.1, 1e-9, 1);
  CHECK(lowest.order() == 1);
  CHECK(lowest.length() == Approx(length_of_own(0.1, 1)).epsilon(1e-13));
}

TEST_CASE("a step that could grow by less than a fiftieth stays as it is, one too long does not",
          "[bdf]") {
  const int order = 2;
  const auto error_for = [&](double factor) { return std::pow(1 / (1.4 * factor), order + 1); };
  BdfOrder small = of_order(order);
  small.accepted(error_for(1.01), INFINITY, INFINITY);
  CHECK(small.length() == 1);
  CHECK(small.may_change());
  BdfOrder enough = of_order(order);
  enough.accepted(error_for(1.03), INFINITY, INFINITY);
  CHECK(enough.length() == Approx(1.03).epsilon(1e-12));
  BdfOrder too_long = of_order(order);
  too_long.accepted(error_for(0.99), INFINITY, INFINITY);
  CHECK(too_long.length() == Approx(0.99).epsilon(1e-12));
}

TEST_CASE("steps grow tenfold at most, at orders one and two a hundredfold, and shrink to a fifth",
          "[bdf]") {
  for (int order : {1, 2, 3, 5}) {
    CAPTURE(order);
    BdfOrder longer = of_order(order, order);
    longer.accepted(0, INFINITY, INFINITY);
    CHECK(longer.length() == (order <= 2 ? 100 : 10));
    BdfOrder shorter = of_order(order, order);
    shorter.accepted(1e9, INFINITY, INFINITY);
    CHECK(shorter.length() == 0.2);
    BdfOrder unknown = of_order(order, order);
    unknown.accepted(NAN, INFINITY, INFINITY);
    CHECK(unknown.length() == 0.2);
  }
}

TEST_CASE("order and length may change after as many steps alike as the order has", "[bdf]") {
  BdfOrder now = of_order(3);
  now.begin(0.5, false);
  CHECK(now.may_change());
  now.begin(0.5, true);
  for (int step = 0; step < 3; ++step) {
    CHECK_FALSE(now.may_change());
    now.accepted();
  }
  CHECK(now.may_change());
  CHECK(now.length() == 0.5);
  now.restart();
  CHECK(now.order() == 1);
  CHECK_FALSE(now.may_change());
}

TEST_CASE("a first rejection shortens by the error, further ones by half and to lower orders",
          "[bdf]") {
  BdfOrder now = of_order(3);
  now.rejected(16, 1e9);
  CHECK(now.rejections() == 1);
  CHECK_FALSE(now.may_change());
  CHECK(now.order() == 3);
  CHECK(now.length() == Approx(length_of_own(16, 3)).epsilon(1e-13));
  const double first = now.length();
  now.rejected(16, 1e9);
  CHECK(now.order() == 3);
  CHECK(now.length() == 0.5 * first);
  now.rejected(16, 1e9);
  CHECK(now.order() == 2);
  CHECK(now.length() == 0.25 * first);
  now.rejected(16, 1e9);
  now.rejected(16, 1e9);
  CHECK(now.order() == 1);
  CHECK(now.rejections() == 5);
  now.accepted(0.1, INFINITY, INFINITY);
  CHECK(now.rejections() == 0);
}

TEST_CASE("a rejected step takes the lower order where that allows a longer one, within bounds",
          "[bdf]") {
  BdfOrder lower = of_order(3);
  lower.rejected(100, 2);
  CHECK(lower.order() == 2);
  CHECK(lower.length() == Approx(length_of_lower(2, 3)).epsilon(1e-13));
  BdfOrder little = of_order(3);
  little.rejected(1e-3, INFINITY);
  CHECK(little.length() == 0.9);
  BdfOrder much = of_order(3);
  much.rejected(NAN, INFINITY);
  CHECK(much.length() == 0.1);
  BdfOrder unsolved = of_order(3);
  unsolved.unsolved();
  CHECK(unsolved.length() == 0.25);
  CHECK(unsolved.rejections() == 1);
  CHECK_FALSE(unsolved.may_change());
}

TEST_CASE("a step after which nothing changes counts as one that was alike", "[bdf]") {
  BdfOrder now(6);
  now.begin(1, false);
  REQUIRE_FALSE(now.may_change());
  // A length of 1.01, which is not worth it.
  now.accepted(std::pow(1 / (1.4 * 1.01), 2), INFINITY, INFINITY);
  CHECK(now.length() == 1);
  CHECK(now.order() == 1);
  CHECK(now.may_change());
}

}  // namespace daewave::ivp
