#include "core/derivatives/taylor2.hpp"

#include <Eigen/Geometry>
#include <cmath>

#include "core/derivatives/linear_derivatives.hpp"
#include "core/types.hpp"
#include "tests/catch.hpp"

namespace daewave {
namespace {

/// f(s), f' and f'' at s by the Taylor2 against differences of f and of f'. difference() is good to
/// 1e-11 for functions that vary on a scale of one.
template <class F>
void check_function(const char* name, F f, double s) {
  CAPTURE(name, s);
  const Taylor2 at = f(Taylor2(s, 1, 0));
  const Interval line{-1e300, 1e300};
  CHECK(at.value == Approx(f(Taylor2(s)).value).epsilon(1e-15));
  const auto value = [&](double x) { return Vec<1>{f(Taylor2(x)).value}; };
  const auto slope = [&](double x) { return Vec<1>{f(Taylor2(x, 1, 0)).first}; };
  CHECK(at.first == Approx(detail::difference(value, s, line)[0]).epsilon(1e-10).margin(1e-10));
  CHECK(at.second == Approx(detail::difference(slope, s, line)[0]).epsilon(1e-10).margin(1e-10));
  // Along a curve u = s + b x + c x^2 / 2 by the chain rule.
  const double b = -1.7, c = 0.9;
  const Taylor2 curved = f(Taylor2(s, b, c));
  CHECK(curved.first == Approx(at.first * b).epsilon(1e-14).margin(1e-14));
  CHECK(curved.second == Approx(at.second * b * b + at.first * c).epsilon(1e-13).margin(1e-13));
}

}  // namespace

TEST_CASE("every function of a Taylor2 has the derivatives of its values", "[taylor2]") {
  const auto check = [](const char* name, auto f) {
    for (const double s : {0.31, 0.62}) check_function(name, f, s);
  };
  using T = Taylor2;
  check("sin", [](T u) { return sin(u); });
  check("cos", [](T u) { return cos(u); });
  check("tan", [](T u) { return tan(u); });
  check("asin", [](T u) { return asin(u); });
  check("acos", [](T u) { return acos(u); });
  check("atan", [](T u) { return atan(u); });
  check("sinh", [](T u) { return sinh(u); });
  check("cosh", [](T u) { return cosh(u); });
  check("tanh", [](T u) { return tanh(u); });
  check("exp", [](T u) { return exp(u); });
  check("log", [](T u) { return log(u); });
  check("sqrt", [](T u) { return sqrt(u); });
  check("abs", [](T u) { return abs(-u * u); });
  check("abs2", [](T u) { return abs2(u); });
  check("power", [](T u) { return pow(u, 2.5) + pow(u, -3) + pow(u, 1) + pow(u, 0); });
  check("power of a function", [](T u) { return pow(u, sin(u)) + pow(u, T(3)); });
  check("sums", [](T u) { return (2.0 + u) * u - (u - 0.5) + (1.0 - u) + (-u) + (+u) * 3.0; });
  check("quotients", [](T u) { return (1.0 + u) / (u * u + 2.0) + 3.0 / u + u / 7.0; });
  check("hypot", [](T u) { return hypot(u * u, 1.0 - u) + hypot(T(0), u); });
  check("atan2", [](T u) { return atan2(sin(u), u - 2.0) + atan2(u, T(1)); });
  check("min, max", [](T u) { return min(u, u * u) + max(sin(u), T(-1)); });
  check("assignments", [](T u) {
    T a = u;
    a += 2.0 * u;
    a *= u;
    a -= 1.0;
    a /= 1.0 + u;
    return a;
  });
}

TEST_CASE("whole powers of zero have derivatives", "[taylor2]") {
  const Taylor2 zero(0, 1, 0);
  CHECK(pow(zero, 1).first == 1);
  CHECK(pow(zero, 1).second == 0);
  CHECK(pow(zero, 2).second == 2);
  CHECK(pow(zero, 3).second == 0);
  CHECK(pow(zero, 0).first == 0);
}

TEST_CASE("comparisons of Taylor2 see the value", "[taylor2]") {
  const Taylor2 a(1, 5, 6), b(2, -5, -6), c(1, 0, 0);
  CHECK(a < b);
  CHECK(b > a);
  CHECK(a <= c);
  CHECK(a >= c);
  CHECK(a == c);
  CHECK(a != b);
  CHECK(isfinite(a));
  CHECK_FALSE(isfinite(Taylor2(1, NAN, 0)));
}

TEST_CASE("Eigen's algebra takes Taylor2 and mixes it with numbers", "[taylor2]") {
  using std::sqrt;
  VecOf<Taylor2, 3> u{Taylor2(1, 1, 0), Taylor2(2, 0, 1), Taylor2(-1, 3, 0)};
  const Mat<3, 3> A{{1, 2, 0}, {0, 1, -1}, {4, 0, 1}};
  const VecOf<Taylor2, 3> Au = A * u;
  CHECK(Au[0].value == 5);
  CHECK(Au[1].first == -3);
  CHECK(Au[0].second == 2);
  const Taylor2 norm = (2.0 * u).norm(),
                by_hand = 2.0 * sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
  CHECK(norm.value == Approx(by_hand.value));
  CHECK(norm.first == Approx(by_hand.first));
  CHECK(norm.second == Approx(by_hand.second));
  CHECK(u.cross(u).squaredNorm().second == 0);
}

}  // namespace daewave
