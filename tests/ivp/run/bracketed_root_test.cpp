#include "ivp/run/bracketed_root.hpp"

#include <cmath>

#include "tests/catch.hpp"

namespace daewave::ivp {
namespace {

struct Found {
  double x;
  int evaluations;
};

template <class F>
Found root_of(const F& f, double a, double b) {
  int evaluations = 0;
  const auto counted = [&](double x) {
    ++evaluations;
    return f(x);
  };
  const double x = bracketed_root(counted, a, b, f(a), f(b), 1e-14);
  return {x, evaluations};
}

}  // namespace

TEST_CASE("a bracketed zero is found to the tolerance, whichever the sign before it",
          "[steppers]") {
  for (double sign : {1.0, -1.0}) {
    const auto cosine = [sign](double x) { return sign * (std::cos(x) - x); };
    CHECK(std::abs(root_of(cosine, 0, 1).x - 0.73908513321516064) <= 2e-14);
    CHECK(root_of(cosine, 0, 1).evaluations <= 12);
  }
}

TEST_CASE("a zero costs hardly more than with bisection", "[steppers]") {
  // log2(1 / 2e-14) = 45.5: 46 with bisection, one more by construction, one for rounding.
  CHECK(root_of([](double x) { return std::pow(x - 0.3, 9); }, 0, 1).evaluations <= 48);
  CHECK(root_of([](double x) { return x < 1e-9 ? -1.0 : 1.0; }, 0, 1).evaluations <= 48);
  CHECK(root_of([](double x) { return std::exp(50 * x) - 2; }, 0, 1).evaluations <= 48);
  CHECK(std::abs(root_of([](double x) { return x < 0.25 ? -1.0 : 1e6; }, 0, 1).x - 0.25) <= 1e-14);
}

TEST_CASE("a zero at an end is returned as it is", "[steppers]") {
  const auto line = [](double x) { return x; };
  CHECK(bracketed_root(line, 0.0, 1.0, 0.0, 1.0, 1e-14) == 0);
  CHECK(bracketed_root(line, -1.0, 0.0, -1.0, 0.0, 1e-14) == 0);
}

}  // namespace daewave::ivp
