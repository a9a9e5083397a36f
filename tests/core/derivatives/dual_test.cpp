// Derivatives that are left out are zero, and the others are what they are beside all of them.

#include "core/derivatives/dual.hpp"

#include <cmath>
#include <vector>

#include "tests/catch.hpp"

namespace daewave {
namespace {

/// Functions of two unknowns, each in every place; the third direction is nobody's.
template <class D>
std::vector<D> functions() {
  using std::sin, std::cos, std::sqrt, std::exp, std::atan2, std::hypot, std::pow;
  const D a(0.7, 0), b(-0.4, 1), c(1.3);
  D sum = a;
  sum += b;
  sum -= c;
  sum *= a;
  sum /= b;
  return {a + b,       a - b,       b - a,       a * b,  a / b,     b / a,     c - a,
          c * a,       a / c,       c / a,       c + c,  2.0 - b,   a / 3.0,   3.0 / b,
          -a * b,      sin(a) * c,  cos(a * b),  exp(b), sqrt(a),   pow(b, 2), atan2(a, b),
          atan2(c, a), hypot(b, c), hypot(a, b), sum,    min(a, b), max(c, a), abs(b),
          tan(a) / b,  tanh(b) - a, asin(b) + c, log(a), atan(c)};
}

}  // namespace

TEST_CASE("derivatives along some directions are those along all", "[autodiff]") {
  const auto all = functions<Dual<double, 3>>();
  const auto some = functions<Dual<double, 3, SomeDirections>>();
  REQUIRE(all.size() == some.size());
  for (std::size_t f = 0; f < all.size(); ++f) {
    CAPTURE(f);
    CHECK(some[f].value == all[f].value);
    for (int i = 0; i < 3; ++i) CHECK(some[f].derivative(i) == all[f].derivative(i));
    CHECK(!some[f].along.has(2));
  }
}

TEST_CASE("a derivative is taken along where an operand has it", "[autodiff]") {
  using D = Dual<double, 3, SomeDirections>;
  const D a(0.7, 0), b(-0.4, 1), c(1.3);
  CHECK((a * c).along.has(0));
  CHECK(!(a * c).along.has(1));
  CHECK((sin(a) - b).along.has(1));
  CHECK(!(c * c + 1.0).along.has(0));
}

TEST_CASE("powers have the derivative p u^(p - 1), that of u^0 being nothing, at zero too",
          "[dual]") {
  using D = Dual<double, 2>;
  for (const double x : {0.0, 0.5, 2.0, -1.5}) {
    for (const int p : {0, 1, 2, 3, -1, -2}) {
      if (x == 0 && p < 0) continue;
      CAPTURE(x, p);
      const D u(x, 0);
      const double expected = p == 0 ? 0 : p * std::pow(x, p - 1);
      for (const D& power : {pow(u, p), pow(u, static_cast<double>(p))}) {
        CHECK(power.value == std::pow(x, p));
        CHECK(power.derivative(0) == Approx(expected).margin(1e-15));
      }
    }
  }
}

}  // namespace daewave
