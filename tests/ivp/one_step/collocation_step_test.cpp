#include "ivp/one_step/collocation_step.hpp"

#include <algorithm>
#include <cmath>

#include "tests/catch.hpp"
#include "tests/ivp/plain_systems.hpp"
#include "tests/ivp/stiff_systems.hpp"

namespace daewave::ivp {
namespace {

struct Errors {
  double ends = 0;    ///< Largest at the ends of steps.
  double inside = 0;  ///< And between them.
};

/// `count` equal steps over [0, 1].
Errors errors_of(const Collocation& scheme, int count) {
  SlowingCircle system;
  CollocationStep step(system, scheme, Tolerance(), false);
  REQUIRE(step.start(0, SlowingCircle::exact(0)));
  Errors errors;
  VecX z;
  for (int i = 0; i < count; ++i) {
    REQUIRE(step.attempt(1.0 / count) == 0);
    REQUIRE(step.accept());
    errors.ends = std::max(errors.ends, (step.state() - SlowingCircle::exact(step.t())).norm());
    for (double theta : {0.3, 0.6}) {
      step.interpolate(theta, z);
      const double t = step.t() - (1 - theta) / count;
      errors.inside = std::max(errors.inside, (z - SlowingCircle::exact(t)).norm());
    }
  }
  return errors;
}

template <class Body>
void for_every_implicit_scheme(Body body) {
  for (const Scheme family : {Scheme::gauss, Scheme::radau}) {
    for (int k = 1; k <= most_implicit_stages; ++k) {
      CAPTURE(name_of(family), k);
      body(collocation(family, k));
    }
  }
}

/// From the two finest numbers of steps at which rounding does not show.
double observed_order(const Collocation& scheme, double Errors::*error) {
  // With 8 stages it does in four steps.
  const int first = scheme.stages < 8 ? 2 : 1;
  double coarse = errors_of(scheme, first).*error, fine = errors_of(scheme, 2 * first).*error;
  for (int count = 4 * first; count <= 256; count *= 2) {
    const double next = errors_of(scheme, count).*error;
    if (next < 2e-14) break;
    coarse = fine;
    fine = next;
  }
  return std::log2(coarse / fine);
}

/// |error estimate| of one step of h, undivided by the tolerance.
double estimate_of(const Collocation& scheme, double h) {
  SlowingCircle system;
  Options options;
  options.rtol = 1e-10;
  options.atol = 1e-10;
  CollocationStep step(system, scheme, Tolerance(options, 3));
  REQUIRE(step.start(0, SlowingCircle::exact(0)));
  return step.attempt(h);
}

}  // namespace

TEST_CASE("every implicit stepper converges with its order", "[collocation-step]") {
  for_every_implicit_scheme([](const Collocation& scheme) {
    const double order = observed_order(scheme, &Errors::ends);
    // Orders are approached from below. Above eight, rounding is met after one or two halvings.
    CHECK(order > (scheme.order > 8 ? 0.75 : 0.95) * scheme.order);
    CHECK(order < scheme.order + 0.5);
  });
}

TEST_CASE("the collocation polynomial is of order k + 1 throughout a step", "[collocation-step]") {
  for_every_implicit_scheme([](const Collocation& scheme) {
    const double order = observed_order(scheme, &Errors::inside);
    const double uniform = std::min(scheme.stages + 1, scheme.order);
    CHECK(order == Approx(uniform).epsilon(0.1));
  });
}

TEST_CASE("an odd number of stages estimates its error with order k", "[collocation-step]") {
  for_every_implicit_scheme([](const Collocation& scheme) {
    SlowingCircle system;
    const CollocationStep step(system, scheme, Tolerance());
    if (scheme.stages % 2 == 0) {
      CHECK(step.error_order() == 0);
      return;
    }
    CHECK(step.error_order() == scheme.stages);
    // Newton's tolerance is a part of the error allowed, so that h must not be too small.
    const double h = scheme.stages == 1 ? 1e-2 : scheme.stages == 3 ? 0.1 : 0.2;
    const double order = std::log2(estimate_of(scheme, h) / estimate_of(scheme, h / 2));
    CHECK(order == Approx(scheme.stages + 1).epsilon(0.15));
  });
}

TEST_CASE("entries are the same whatever their number", "[collocation-step]") {
  Decay system;
  for (const int k : {1, 2, 3, 6}) {
    const Collocation scheme = collocation(Scheme::radau, k);
    CollocationStep longest(system, scheme, Tolerance(), false);
    REQUIRE(longest.start(0, VecX::Ones(9)));
    for (int i = 0; i < 10; ++i) REQUIRE((longest.attempt(0.1) == 0 && longest.accept()));
    for (int n = 1; n < 9; ++n) {
      CAPTURE(k, n);
      CollocationStep step(system, scheme, Tolerance(), false);
      REQUIRE(step.start(0, VecX::Ones(n)));
      for (int i = 0; i < 10; ++i) REQUIRE((step.attempt(0.1) == 0 && step.accept()));
      // Only the order of operations may differ.
      CHECK((step.state() - longest.state().head(n)).cwiseAbs().maxCoeff() < 1e-14);
    }
  }
}

TEST_CASE("steps a million times longer than the fast mode stay accurate", "[collocation-step]") {
  Prothero system;  // lambda h = -1e5.
  for_every_implicit_scheme([&](const Collocation& scheme) {
    CollocationStep step(system, scheme, Tolerance(), false);
    REQUIRE(step.start(0, Vec<1>(1)));
    double error = 0;
    for (int i = 0; i < 50; ++i) {
      REQUIRE(step.attempt(0.1) == 0);
      REQUIRE(step.accept());
      error = std::max(error, std::abs(step.state()[0] - std::cos(step.t())));
    }
    // For lambda h -> -infinity the stages are exact and the end is that of the polynomial through
    // them: off by h^{k+1} / (k+1)! at most. With Gauss, |R| = 1, the 50 of them may add up; with
    // Radau the end is a stage, whose equation leaves an error of the slope divided by lambda.
    double bound = 1;
    for (int j = 0; j <= scheme.stages; ++j) bound *= 0.1 / (j + 1);
    CHECK(error < (scheme.damps() ? 1e-6 : 100 * bound) + 1e-13);
  });
}

TEST_CASE("Radau damps what is not on the slow solution, Gauss keeps its size",
          "[collocation-step]") {
  Prothero system;
  for_every_implicit_scheme([&](const Collocation& scheme) {
    CollocationStep step(system, scheme, Tolerance(), false);
    REQUIRE(step.start(0, Vec<1>(2)));
    REQUIRE(step.attempt(0.1) == 0);
    REQUIRE(step.accept());
    const double left = std::abs(step.state()[0] - std::cos(0.1));
    if (scheme.damps()) {
      CHECK(left < 1e-2);  // R(z) = O(1 / z) with a factor below k^2.
    } else {
      CHECK(left == Approx(1).epsilon(1e-2));
    }
  });
}

TEST_CASE("a linear problem is differentiated and factorized once", "[collocation-step]") {
  Linear system;
  CollocationStep step(system, collocation(Scheme::radau, 3), Tolerance(), false);
  REQUIRE(step.start(0, Vec<2>(1, 1)));
  for (int i = 0; i < 100; ++i) {
    // As the time loop does: differences of nodes, which round.
    REQUIRE(step.attempt(0.01 * (i + 1) - step.t()) == 0);
    REQUIRE(step.accept());
  }
  CHECK(system.jacobians == 1);
  CHECK(step.newton().jacobians() == 1);
  CHECK(step.newton().factorizations() == 1);
}

TEST_CASE("steps go backward too", "[collocation-step]") {
  SlowingCircle system;
  CollocationStep step(system, collocation(Scheme::gauss, 3), Tolerance(), false);
  REQUIRE(step.start(1, SlowingCircle::exact(1)));
  for (int i = 0; i < 20; ++i) REQUIRE((step.attempt(-0.05) == 0 && step.accept()));
  // Order 6 with h = 0.05.
  CHECK((step.state() - SlowingCircle::exact(0)).norm() < 1e-7);
}

TEST_CASE("the end of an implicit step is brought back directly after its slope",
          "[collocation-step]") {
  CircleMotion system;
  CollocationStep step(system, collocation(Scheme::radau, 2), Tolerance(), false);
  REQUIRE(step.start(0, CircleMotion::exact(0)));
  VecX z;
  for (int i = 0; i < 10; ++i) {
    REQUIRE(step.attempt(0.2) == 0);
    CHECK(system.stabilized == i);
    const Vec<2> before = step.state();
    REQUIRE(step.accept());
    CHECK(system.stabilized == i + 1);
    CHECK(step.drift().position < 1e-15);
    // Dense output joins what was accepted.
    step.interpolate(0, z);
    CHECK((z - before).norm() < 1e-15);
    step.interpolate(1, z);
    CHECK((z - step.state()).norm() < 1e-15);
  }
  CHECK(system.called_after_rhs);
  CHECK((step.state() - CircleMotion::exact(2)).norm() < 1e-3);  // Order 3 with h = 0.2.
  CHECK(step.evaluations() == system.evaluations);
}

TEST_CASE("an end that cannot be brought back is not accepted", "[collocation-step]") {
  CircleMotion system;
  CollocationStep step(system, collocation(Scheme::radau, 3), Tolerance(), false);
  REQUIRE(step.start(0, CircleMotion::exact(0)));
  REQUIRE(step.attempt(0.1) == 0);
  system.refuses = true;
  CHECK_FALSE(step.accept());
  CHECK(step.failure() == "no way back to the circle");
  CHECK(step.t() == 0);
  CHECK(step.state() == CircleMotion::exact(0));
  system.refuses = false;
  CHECK(step.attempt(0.05) == 0);
  CHECK(step.accept());
}

namespace {

/// z' = z^2 reaches infinity at t = 1; refuses beyond 100.
struct Explosion : PlainSystem {
  bool rhs(double, const VecX& z, VecX& slope) override {
    slope[0] = z[0] * z[0];
    return std::abs(z[0]) < 100;
  }
};

/// Stages without a solution: z = 1 + h z^2 / 1 has none for h > 1/4.
struct NoStage : PlainSystem {
  bool rhs(double, const VecX& z, VecX& slope) override {
    slope[0] = z[0] * z[0];
    return true;
  }
};

}  // namespace

TEST_CASE("a step whose stages cannot be evaluated leaves the state as it was",
          "[collocation-step]") {
  Explosion system;
  CollocationStep step(system, collocation(Scheme::gauss, 2), Tolerance(), false);
  REQUIRE(step.start(0, Vec<1>(50)));
  CHECK(std::isnan(step.attempt(0.02)));
  CHECK(step.failure() == "refused");
  CHECK(step.t() == 0);
  CHECK(step.state()[0] == 50);
  CHECK(step.attempt(0.005) == 0);
  CHECK(step.accept());
}

TEST_CASE("stages without a solution are told, and halve a controlled step", "[collocation-step]") {
  NoStage system;
  const Collocation euler = collocation(Scheme::radau, 1);
  CollocationStep fixed(system, euler, Tolerance(), false);
  REQUIRE(fixed.start(0, Vec<1>(1)));
  CHECK(std::isnan(fixed.attempt(0.3)));
  CHECK_THAT(fixed.failure(), contains_text("Newton's method") && contains_text("h = 0.3"));
  CHECK(fixed.attempt(0.2) == 0);  // z = 1 + h z^2 at the smaller root.
  REQUIRE(fixed.accept());
  CHECK(fixed.state()[0] == Approx((1 - std::sqrt(1 - 4 * 0.2)) / (2 * 0.2)).epsilon(1e-13));

  CollocationStep controlled(system, euler, Tolerance());
  REQUIRE(controlled.start(0, Vec<1>(1)));
  StepControl control(controlled.control(), controlled.error_order());
  const double factor = control.after_rejected(controlled.attempt(0.3));
  CHECK(factor == Approx(0.5).epsilon(1e-12));
}

}  // namespace daewave::ivp
