#include "ivp/one_step/explicit_rk_step.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "tests/catch.hpp"
#include "tests/ivp/plain_systems.hpp"

namespace daewave::ivp {
namespace {

struct Errors {
  double ends = 0;    ///< Largest at the ends of steps.
  double inside = 0;  ///< And between them.
};

/// `count` equal steps over [0, 1].
template <class System>
Errors errors_of(const ExplicitTableau& formula, int count) {
  System system;
  ExplicitRkStep step(system, formula, Tolerance(), false);
  REQUIRE(step.start(0, System::exact(0)));
  Errors errors;
  VecX z;
  const auto error_at = [&](double t) { return (z - System::exact(t)).norm(); };
  for (int i = 0; i < count; ++i) {
    REQUIRE(step.attempt(1.0 / count) == 0);
    REQUIRE(step.accept());
    z = step.state();
    errors.ends = std::max(errors.ends, error_at((i + 1.0) / count));
    for (double theta : {0.3, 0.7}) {
      step.interpolate(theta, z);
      errors.inside = std::max(errors.inside, error_at((i + theta) / count));
    }
  }
  return errors;
}

/// Exponents of h, from the two finest numbers of steps at which rounding does not show.
template <class System>
Errors observed_orders(const ExplicitTableau& formula) {
  Errors coarse = errors_of<System>(formula, 2), fine = coarse;
  for (int count = 4; count <= 512; count *= 2) {
    const Errors next = errors_of<System>(formula, count);
    if (next.ends < 4e-14) break;
    coarse = fine;
    fine = next;
  }
  return {std::log2(coarse.ends / fine.ends), std::log2(coarse.inside / fine.inside)};
}

}  // namespace

TEST_CASE("every explicit stepper converges with its order", "[steppers]") {
  for (const ExplicitTableau& formula : all_tableaux()) {
    CAPTURE(name_of(formula.stepper));
    CHECK(observed_orders<SlowingCircle>(formula).ends == Approx(formula.order).margin(0.2));
  }
}

TEST_CASE("dense output of every explicit stepper converges with its order", "[steppers]") {
  for (const ExplicitTableau& formula : all_tableaux()) {
    CAPTURE(name_of(formula.stepper));
    // The error of one step, or what has been gathered before it. That of dop853 is still on its
    // way from 7.4 to 8 where rounding begins.
    const int order = std::min(formula.order, formula.dense_order + 1);
    CHECK(observed_orders<SlowingCircle>(formula).inside == Approx(order).margin(0.35));
  }
}

TEST_CASE("dense output joins the ends of a step after stabilization", "[steppers]") {
  for (const ExplicitTableau& formula : all_tableaux()) {
    CAPTURE(name_of(formula.stepper));
    CircleMotion system;
    ExplicitRkStep step(system, formula, Tolerance());
    REQUIRE(step.start(0, CircleMotion::exact(0)));
    VecX before = step.state(), z;
    for (int i = 0; i < 3; ++i) {
      step.attempt(0.25);
      REQUIRE(step.accept());
      CHECK(step.drift().position <= 1e-15);
      step.interpolate(0, z);
      CHECK(z == before);
      step.interpolate(1, z);
      CHECK((z - step.state()).norm() <= 1e-15);
      before = step.state();
    }
  }
}

TEST_CASE("a step costs its stages, stabilized or not", "[steppers]") {
  for (const ExplicitTableau& formula : all_tableaux()) {
    CAPTURE(name_of(formula.stepper));
    CircleMotion system;
    ExplicitRkStep step(system, formula, Tolerance());
    REQUIRE(step.start(0, CircleMotion::exact(0)));
    const long start = system.evaluations;
    CHECK(start == 1);
    for (int i = 0; i < 10; ++i) {
      step.attempt(0.01);
      REQUIRE(step.accept());
    }
    // The first of the stages is the slope at the end of the step before.
    const int fresh = formula.ends_with_slope ? formula.stages - 1 : formula.stages;
    CHECK(system.evaluations - start == 10 * fresh);
    CHECK(step.evaluations() == system.evaluations);
    CHECK(system.stabilized == 10);
    CHECK(system.called_after_rhs);
  }
}

TEST_CASE("the slope mended by the system is the first of the next step", "[steppers]") {
  CircleMotion system;
  ExplicitRkStep step(system, tableau(Stepper::forward_euler), Tolerance());
  REQUIRE(step.start(0, Vec<2>(1, 0)));
  step.attempt(0.5);
  REQUIRE(step.accept());
  const Vec<2> first = Vec<2>(1, 0.5).normalized();
  CHECK(step.state() == first);
  CHECK((step.slope() - 1.25 * Vec<2>(-first[1], first[0])).norm() <= 1e-15);
  step.attempt(0.5);
  REQUIRE(step.accept());
  CHECK((step.state() - (first + 0.625 * Vec<2>(-first[1], first[0])).normalized()).norm() <=
        1e-15);
}

TEST_CASE("an attempt that is not accepted leaves no trace", "[steppers]") {
  for (const ExplicitTableau& formula : all_tableaux()) {
    CAPTURE(name_of(formula.stepper));
    SlowingCircle system;
    ExplicitRkStep step(system, formula, Tolerance());
    ExplicitRkStep other(system, formula, Tolerance());
    for (auto* one : {&step, &other}) {
      REQUIRE(one->start(0, SlowingCircle::exact(0)));
      one->attempt(0.1);
      REQUIRE(one->accept());
    }
    step.attempt(0.7);
    CHECK(step.t() == 0.1);
    CHECK(step.state() == other.state());
    for (auto* one : {&step, &other}) {
      one->attempt(0.1);
      REQUIRE(one->accept());
    }
    CHECK(step.state() == other.state());
  }
}

TEST_CASE("the estimate of the error follows it, before stabilization", "[steppers]") {
  for (const ExplicitTableau& formula : all_tableaux()) {
    if (formula.error.empty()) continue;
    CAPTURE(name_of(formula.stepper));
    SlowingCircle system;
    Options options;
    options.atol = options.rtol = 1e-6;
    ExplicitRkStep step(system, formula, Tolerance(options, 3));
    CHECK(step.error_order() == formula.error_order);
    REQUIRE(step.start(0.5, SlowingCircle::exact(0.5)));
    const double h = formula.order > 5 ? 0.2 : 0.05;
    const double coarse = step.attempt(h), fine = step.attempt(h / 2), ratio = coarse / fine;
    CHECK(std::log2(ratio) == Approx(formula.error_order + 1).margin(0.5));
  }
  // On the circle all of what a step leaves off the circle is taken away; the estimate is not less.
  CircleMotion system;
  ExplicitRkStep step(system, tableau(Stepper::dopri5), Tolerance());
  REQUIRE(step.start(0, CircleMotion::exact(0)));
  const double tried = step.attempt(0.5);
  system.stabilized = 0;
  CHECK(step.attempt(0.5) == tried);
  CHECK(system.stabilized == 0);
}

namespace {

/// Cannot be evaluated where z > 1, or gives what is not finite.
struct Walled : PlainSystem {
  bool infinite = false;
  bool rhs(double, const VecX& z, VecX& slope) override {
    slope = Vec<2>(1, z[0] > 1 && infinite ? INFINITY : 1);
    return infinite || z[0] <= 1;
  }
  bool second_order() const override { return true; }
};

}  // namespace

TEST_CASE("what cannot be evaluated, or is not finite, is told and changes nothing", "[steppers]") {
  for (const ExplicitTableau& formula : all_tableaux()) {
    CAPTURE(name_of(formula.stepper));
    for (bool infinite : {false, true}) {
      Walled system;
      system.infinite = infinite;
      ExplicitRkStep step(system, formula, Tolerance());
      REQUIRE(step.start(0, Vec<2>(0.5, 0)));
      const bool done = !std::isnan(step.attempt(1)) && step.accept();
      CHECK_FALSE(done);
      CHECK(step.t() == 0);
      CHECK(step.state() == Vec<2>(0.5, 0));
      CHECK_THAT(step.failure(), contains_text(infinite ? "v1 is not finite at t = " : "refused"));
      // And a step that stays on this side of the wall goes well after that.
      CHECK_FALSE(std::isnan(step.attempt(0.25)));
      CHECK(step.accept());
      CHECK((step.state() - Vec<2>(0.75, 0.25)).norm() <= 1e-15);
      CHECK_FALSE(step.start(0, Vec<2>(2, 0)));
    }
  }
}

TEST_CASE("a step that cannot be stabilized is not taken", "[steppers]") {
  CircleMotion system;
  system.refuses = true;
  ExplicitRkStep step(system, tableau(Stepper::dopri5), Tolerance());
  REQUIRE(step.start(0, Vec<2>(1, 0)));
  step.attempt(0.1);
  CHECK_FALSE(step.accept());
  CHECK(step.t() == 0);
  CHECK(step.state() == Vec<2>(1, 0));
  CHECK(step.failure() == "no way back to the circle");
}

TEST_CASE("an entry has the same numbers whatever the number of entries", "[steppers]") {
  const VecX z0 = VecX::LinSpaced(13, 1, 2);
  for (const ExplicitTableau& formula : all_tableaux()) {
    Decay system;
    ExplicitRkStep longest(system, formula, Tolerance(), false);
    REQUIRE(longest.start(0, z0));
    for (int i = 0; i < 5; ++i) REQUIRE((longest.attempt(0.1) == 0 && longest.accept()));
    for (int n = 1; n < 13; ++n) {
      CAPTURE(name_of(formula.stepper), n);
      ExplicitRkStep step(system, formula, Tolerance(), false);
      REQUIRE(step.start(0, z0.head(n)));
      for (int i = 0; i < 5; ++i) REQUIRE((step.attempt(0.1) == 0 && step.accept()));
      // Up to the order in which compilers add.
      CHECK((step.state() - longest.state().head(n)).norm() <= 1e-15);
    }
    if (formula.order < 8) continue;
    for (int i = 0; i < 13; ++i) {
      CHECK(longest.state()[i] == Approx(z0[i] * std::exp(-0.5 / (i + 1))).epsilon(1e-12));
    }
  }
}

namespace {

/// Gives a vector of its own as the slope, instead of filling the one it was given.
struct Generous : Oscillator {
  bool rhs(double t, const VecX& z, VecX& slope) override {
    VecX own(2);
    const bool done = Oscillator::rhs(t, z, own);
    slope = std::move(own);
    return done;
  }
};

}  // namespace

TEST_CASE("slopes may be given in memory of their own", "[steppers]") {
  for (const ExplicitTableau& formula : all_tableaux()) {
    CAPTURE(name_of(formula.stepper));
    Oscillator plain;
    Generous generous;
    ExplicitRkStep expected(plain, formula, Tolerance()), step(generous, formula, Tolerance());
    REQUIRE((expected.start(0, Vec<2>(0, 1)) && step.start(0, Vec<2>(0, 1))));
    VecX z, inside;
    for (int i = 0; i < 3; ++i) {
      CHECK(step.attempt(0.1) == expected.attempt(0.1));
      REQUIRE((step.accept() && expected.accept()));
      step.interpolate(0.4, z);
      expected.interpolate(0.4, inside);
      CHECK(z == inside);
    }
    CHECK(step.state() == expected.state());
  }
}

}  // namespace daewave::ivp
