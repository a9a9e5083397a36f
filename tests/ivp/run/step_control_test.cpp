#include "ivp/run/step_control.hpp"

#include <cmath>

#include "tests/catch.hpp"

namespace daewave::ivp {

TEST_CASE("the elementary rule aims at the tolerance with the safety asked for", "[steppers]") {
  StepControl control({.safety = 0.8, .beta = 0, .shrink = 0.1, .grow = 8}, 4);
  // An error 32 times too large in h^5: half the step; and in the other direction.
  CHECK(control.after_accepted(1.0 / 32) == Approx(0.8 * 2));
  CHECK(control.after_accepted(1) == Approx(0.8));
  CHECK(control.after_rejected(32) == Approx(0.8 / 2));
}

TEST_CASE("factors stay in their limits", "[steppers]") {
  StepControl control({.safety = 0.9, .beta = 0, .shrink = 0.25, .grow = 5}, 7);
  CHECK(control.after_accepted(0) == 5);
  CHECK(control.after_accepted(1e-30) == 5);
  CHECK(control.after_rejected(1e30) == 0.25);
  CHECK(control.after_rejected(INFINITY) == 0.25);
  CHECK(control.after_rejected(NAN) == 0.25);
  CHECK(control.after_rejected(1 + 1e-15) < 1);
}

TEST_CASE("no step grows directly after a rejection, and the next may", "[steppers]") {
  StepControl control({}, 4);
  control.after_rejected(2);
  CHECK(control.after_accepted(1e-5) == 1);
  CHECK(control.after_accepted(1e-5) > 1);
}

TEST_CASE("the rule of 1987 is a choice of constants", "[steppers][ACPR]") {
  // h / max(0.1, min(5, err^0.2 / safety)).
  for (double safety : {0.8, 0.9}) {
    StepControl control({.safety = safety, .beta = 0, .shrink = 0.2, .grow = 10}, 4);
    for (double error : {1e-9, 1e-3, 0.5, 1.0}) {
      const double divisor = std::max(0.1, std::min(5.0, std::pow(error, 0.2) / safety));
      CHECK(control.after_accepted(error) == Approx(1 / divisor).epsilon(1e-12));
    }
    for (double error : {2.0, 1e5}) {
      const double divisor = std::max(0.1, std::min(5.0, std::pow(error, 0.2) / safety));
      CHECK(control.after_rejected(error) == Approx(1 / divisor).epsilon(1e-12));
    }
  }
}

TEST_CASE("with beta the error before counts too", "[steppers]") {
  const Control constants{.safety = 0.9, .beta = 0.04, .shrink = 0.2, .grow = 10};
  StepControl falling(constants, 4), rising(constants, 4);
  falling.after_accepted(0.9);
  rising.after_accepted(0.01);
  // An error that has risen makes the next step shorter.
  CHECK(rising.after_accepted(0.3) < falling.after_accepted(0.3));
  StepControl third(constants, 4);
  third.after_accepted(0.5);
  CHECK(third.after_accepted(0.3) ==
        Approx(0.9 * std::pow(0.3, -(0.2 - 0.03)) * std::pow(0.5, 0.04)).epsilon(1e-12));
}

}  // namespace daewave::ivp
