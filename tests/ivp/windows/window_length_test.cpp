#include "ivp/windows/window_length.hpp"

#include <cmath>

#include "ivp/windows/window_formula.hpp"
#include "tests/catch.hpp"

namespace daewave::ivp {

TEST_CASE("the error of a window falls with its last coefficient and with how fast they fall",
          "[windows]") {
  const double one = end_error({.middle = 1, .upper = 1e-2, .top = 1e-4});
  // top (top / middle)^2.5, and no decay where they do not fall.
  CHECK(end_error({.middle = 1, .upper = 1e-2, .top = 1e-3}) ==
        Approx(one * std::pow(10, 3.5)).epsilon(1e-12));
  CHECK(end_error({.middle = 100, .upper = 1e-2, .top = 1e-4}) ==
        Approx(one * 1e-5).epsilon(1e-12));
  CHECK(end_error({.middle = 1e-6, .upper = 1, .top = 1e-4}) == Approx(43e-4).epsilon(1e-12));
  CHECK(end_error({.middle = 1, .upper = 1, .top = 0}) == 0);
  CHECK(std::isnan(end_error({.middle = 1, .upper = 1, .top = NAN})));
}

TEST_CASE(
    "what polynomials miss at ends of windows counts where it is not small beside their last "
    "coefficient",
    "[windows]") {
  // Smooth accelerations have coefficients that fall geometrically; those of a kink go like k^-p.
  const Spectrum geometric{.middle = 1e6, .upper = 1e4, .top = 1e2};
  CHECK(kink_error(1, geometric) == 0);
  const auto algebraic = [](double p) {
    return Spectrum{.middle = 1e6 * std::pow(2, -p),
                    .upper = 1e6 * std::pow(4, -p),
                    .top = 1e6 * std::pow(6, -p)};
  };
  for (const double p : {2.0, 3.0, 4.0}) {
    const Spectrum spectrum = algebraic(p);
    // The sum of the coefficients that are missing, if all have one sign.
    double missed = 0;
    for (int k = 8; k < 1000; ++k) missed += 1e6 * std::pow(k, -p);
    CAPTURE(p, missed);
    CHECK(kink_error(missed, spectrum) == Approx(0.2 * missed).epsilon(1e-13));
    CHECK(kink_error(2 * missed, spectrum) == Approx(0.4 * missed).epsilon(1e-13));
  }
}

TEST_CASE("what polynomials of smooth accelerations miss at ends is no kink, however large",
          "[windows]") {
  for (const double q : {0.1, 0.2, 0.3, 0.38}) {
    const auto coefficient = [q](int k) { return 1e9 * std::pow(q, k); };
    const Spectrum spectrum{
        .middle = coefficient(2), .upper = coefficient(4), .top = coefficient(6)};
    double missed = 0;
    for (int k = 8; k < 1000; ++k) missed += coefficient(k);
    CAPTURE(q, missed);
    CHECK(missed > 0.065 * q * spectrum.top);
    CHECK(kink_error(missed, spectrum) == 0);
    // A kink that is small beside the smooth part shows in what is missed alone.
    CHECK(kink_error(spectrum.top, spectrum) == Approx(0.2 * spectrum.top).epsilon(1e-13));
  }
}

TEST_CASE("the error inside is what the first coefficient that is missing would add", "[windows]") {
  CHECK(inner_error({.middle = 1, .upper = 1, .top = 0.04}) ==
        Approx(0.04 * 0.2 / 30).epsilon(1e-13));
  CHECK(inner_error({.middle = 1, .upper = 1e-3, .top = 0.04}) == Approx(0.04 / 30).epsilon(1e-13));
  CHECK(inner_error({.middle = 1, .upper = 1, .top = 0}) == 0);
  CHECK(std::isnan(inner_error({.middle = 1, .upper = 1, .top = NAN})));
}

TEST_CASE("the next window is as long as its error allows, from a quarter to two and a half",
          "[windows]") {
  const double order = WindowFormula::order;
  CHECK(next_factor(0, 0.1) == 2.5);
  CHECK(next_factor(1, 0.1) == Approx(0.71).epsilon(1e-13));
  CHECK(next_factor(1e-3, 0.1) == Approx(0.71 * std::pow(1e-3, -1 / (order + 1))).epsilon(1e-13));
  CHECK(next_factor(1e-30, 0.1) == 2.5);
  CHECK(next_factor(1e30, 0.1) == 0.25);
}

TEST_CASE("windows whose sweeps contract slowly become shorter, to half at most", "[windows]") {
  CHECK(next_factor(1e-30, 0.15) == 2.5);
  CHECK(next_factor(1e-30, 0.3) == Approx(std::pow(0.5, 0.7)).epsilon(1e-13));
  CHECK(next_factor(1e-30, 10) == 0.5);
  CHECK(next_factor(1e30, 10) == 0.25);
}

TEST_CASE("the rate of sweeps grows with the length to the power of one and a half", "[windows]") {
  CHECK(expected_rate(0.1, 1) == Approx(0.1).epsilon(1e-14));
  CHECK(expected_rate(0.01, 4) == Approx(0.08).epsilon(1e-14));
  CHECK(expected_rate(0.1, 100) == 0.5);
}

}  // namespace daewave::ivp
