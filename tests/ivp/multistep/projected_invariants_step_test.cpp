// One step of projected invariants by itself, of a system that is watched: where its stages begin,
// what it keeps from step to step, how long it iterates, and what it says where it fails.

#include "ivp/multistep/projected_invariants_step.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "ivp/one_step/collocation_accuracy.hpp"
#include "tests/catch.hpp"

namespace daewave::ivp::of_projected_step {
namespace {

/// z' = rate z + constant, whose derivative is said to be `said`; and, where they are asked for,
/// 0 = w - z and the invariant 0 = slope_of_h (z - 1).
struct Watched final : DaeSystem {
  double rate = -2, constant = 0, said = -2;
  int algebraics = 0, kept = 0;
  double slope_of_h = 1;
  bool knows = true;
  int refuses_after = 1000000;
  std::vector<double> times{}, states{};

  int nz() const override { return 1; }
  int nw() const override { return algebraics; }
  int nh() const override { return kept; }
  bool evaluate(double t, const VecX& z, const VecX& w, VecX& f, VecX& r) override {
    times.push_back(t);
    states.push_back(z[0]);
    f[0] = rate * z[0] + constant;
    if (algebraics > 0) r[0] = w[0] - z[0];
    return static_cast<int>(times.size()) <= refuses_after;
  }
  bool jacobian(double, const VecX&, const VecX&, MatX& J) override {
    J(0, 0) = said;
    if (algebraics > 0) {
      J(0, 1) = 0;
      J(1, 0) = -1;
      J(1, 1) = 1;
    }
    return knows;
  }
  bool algebraic(double, const VecX& z, VecX& w) override {
    if (algebraics > 0) w = z;
    return true;
  }
  bool invariants(double, const VecX& z, VecX& h) override {
    if (kept > 0) h[0] = slope_of_h * (z[0] - 1);
    return true;
  }
  bool invariants(double t, const VecX& z, VecX& h, MatX& H) override {
    if (kept > 0) H(0, 0) = slope_of_h;
    return invariants(t, z, h);
  }
  bool multiplier(double, const VecX&, const VecX&, VecX&) override { return true; }
  Drift drift(double, const VecX&) override { return {}; }
  std::string failure() const override { return "refused"; }

  void forget() {
    times.clear();
    states.clear();
  }
};

/// As above: 1e-4 of z = 1 each.
const Tolerance tolerance(Options{.rtol = 1e-4, .atol = 1e-4}, 1);

ProjectedInvariantsStep step_of(Watched& system, int stages, bool estimate, double z = 1) {
  ProjectedInvariantsStep step(system, system.kept > 0 ? Onto::both : Onto::nothing,
                               collocation(Scheme::radau, stages), tolerance, estimate);
  REQUIRE(step.start(0, VecX::Constant(1, z)));
  system.forget();
  return step;
}

}  // namespace

TEST_CASE("a Jacobian serves for steps whose changes shrink to a fiftieth", "[invariants]") {
  // By backward Euler with h = 1/2 each change is d / (2 + d) of the one before, where the rate is
  // -2 and said to be -2 (1 + d).
  for (const bool slow : {false, true}) {
    CAPTURE(slow);
    Watched system;
    system.said = -2 * (1 + (slow ? 0.045 : 0.035));
    ProjectedInvariantsStep step = step_of(system, 1, false);
    REQUIRE(step.attempt(0.5) == 0);
    REQUIRE(step.accept());
    CHECK(step.state()[0] == Approx(0.5).epsilon(1e-14));
    CHECK(step.jacobians() == 1);
    REQUIRE(step.attempt(0.5) == 0);
    REQUIRE(step.accept());
    CHECK(step.jacobians() == (slow ? 2 : 1));
    CHECK(step.state()[0] == Approx(0.25).epsilon(1e-14));
  }
}

TEST_CASE("stages of projected invariants begin where the step before leads, up to eight lengths",
          "[invariants]") {
  struct Case {
    double ratio;
    bool near;
  };
  for (const Case& one : {Case{1, true}, Case{8, true}, Case{8.1, false}, Case{-1, false}}) {
    CAPTURE(one.ratio);
    Watched system;
    system.rate = system.said = 0;
    system.constant = 3;
    ProjectedInvariantsStep step = step_of(system, 3, false);
    REQUIRE(step.attempt(0.125) == 0);
    CHECK(system.states[0] == 1);
    REQUIRE(step.accept());
    const double z = step.state()[0], h = 0.125 * one.ratio;
    CHECK(z == Approx(1.375).epsilon(1e-14));
    system.forget();
    REQUIRE(step.attempt(h) == 0);
    const double first = collocation(Scheme::radau, 3).c[0];
    CHECK(system.times[0] == Approx(0.125 + first * h).epsilon(1e-13));
    CHECK(system.states[0] == Approx(one.near ? z + 3 * first * h : z).epsilon(1e-13));
  }
}

TEST_CASE("stages are iterated ten times to a tolerance, forty to rounding", "[invariants]") {
  // By backward Euler with h = 1/2 and a derivative said to be 0 each change is rate / 2.
  struct Case {
    double rate;
    bool estimate;
    int iterations;
    bool solved;
  };
  for (const Case& one : {
           Case{-1.7, true, 10, false},
           Case{-1.7, false, 40, false},
           // Two rates of more than 0.9, or one of ten, and no more is tried.
           Case{-1.84, true, 3, false},
           Case{-1.84, false, 3, false},
           Case{-1.76, true, 10, false},
           Case{-20.2, true, 2, false},
           Case{-19.8, true, 3, false},
       }) {
    CAPTURE(one.rate, one.estimate);
    Watched system;
    system.rate = one.rate;
    system.said = 0;
    ProjectedInvariantsStep step = step_of(system, 1, one.estimate);
    const double error = step.attempt(0.5);
    CHECK(system.times.size() == static_cast<std::size_t>(one.iterations));
    CHECK(step.jacobians() == 1);  // That was of this step: no other would do.
    CHECK_THAT(step.failure(), contains_text("t = 0: Newton's method for the stages does not "
                                             "converge with h = 0.5"));
    if (one.estimate) {
      // What halves the next step of a formula of order 1: (0.9 / 0.5)^2.
      CHECK(error == Approx(3.24));
    } else {
      CHECK(std::isnan(error));
    }
    CHECK(step.state()[0] == 1);
  }
}

TEST_CASE("derivatives of stages are taken by differences where they are not known",
          "[invariants]") {
  Watched system;
  system.knows = false;
  system.algebraics = 1;
  ProjectedInvariantsStep step = step_of(system, 1, false);
  REQUIRE(step.attempt(0.5) == 0);
  // At the begin, with z moved and with w moved; linear, so that what is left is rounding.
  REQUIRE(system.times.size() >= 5);
  CHECK(system.states[0] == 1);
  CHECK(system.states[1] > 1);
  CHECK(system.states[1] < 1 + 1e-4);
  CHECK(system.states[2] == 1);
  CHECK(system.times[2] == 0);
  CHECK(system.times[3] == 0.5);
  CHECK(step.evaluations() == 1 + static_cast<long>(system.times.size()));
  REQUIRE(step.accept());
  CHECK(step.state()[0] == Approx(0.5).epsilon(1e-14));
}

TEST_CASE("an invariant holds at the end of a step, by a multiplier", "[invariants]") {
  Watched system;
  system.kept = 1;
  ProjectedInvariantsStep step = step_of(system, 1, false);
  REQUIRE(step.attempt(0.5) == 0);
  REQUIRE(step.accept());
  CHECK(step.state()[0] == Approx(1).epsilon(1e-14));
  // 0 = h f - h mu.
  REQUIRE(step.mu().size() == 1);
  CHECK(step.mu()[0] == Approx(-1).epsilon(1e-13));
}

TEST_CASE("errors are what a formula of lower order misses, filtered, and looked at once more",
          "[invariants][HW2]") {
  Watched system;
  system.constant = 1;
  const double h = 0.3, filter = 1 + 2 * h * stage_transform(collocation(Scheme::radau, 3)).mu_real;
  ProjectedInvariantsStep step = step_of(system, 3, true);
  const StageTransform scheme = stage_transform(collocation(Scheme::radau, 3));
  const double found = step.attempt(h);
  // Z_j of a linear problem, to what the tolerance asks: they are on the polynomial taken.
  REQUIRE(step.accept());
  VecX stage;
  double sum = h * scheme.mu_real * -1;
  for (int j = 0; j < 3; ++j) {
    step.interpolate(scheme.c[j], stage);
    sum += scheme.e[j] * (stage[0] - 1);
  }
  const CollocationAccuracy accuracy = accuracy_of(collocation(Scheme::radau, 3), tolerance, true);
  const VecX missed = VecX::Constant(1, sum / filter), begin = VecX::Ones(1);
  const double size = tolerance.norm(missed, begin, step.state()) / accuracy.unit;
  REQUIRE(size < 1);
  CHECK(found == Approx(size).epsilon(1e-9));
}

TEST_CASE("an error that is too large at first is looked at from the begin that it corrects",
          "[invariants][HW2]") {
  Watched system;
  system.rate = system.said = -50;
  const double h = 0.3;
  const Collocation radau = collocation(Scheme::radau, 3);
  const StageTransform scheme = stage_transform(radau);
  ProjectedInvariantsStep step = step_of(system, 3, true);
  const double found = step.attempt(h);
  // After the stages once more at t = 0.
  REQUIRE(system.times.back() == 0);
  REQUIRE(step.accept());
  VecX stage;
  double sum = 0;
  for (int j = 0; j < 3; ++j) {
    step.interpolate(scheme.c[j], stage);
    sum += scheme.e[j] * (stage[0] - 1);
  }
  const auto missed = [&](double begin) {
    return (h * scheme.mu_real * -50 * begin + sum) / (1 + 50 * h * scheme.mu_real);
  };
  const auto size = [&](double error) {
    const VecX of = VecX::Constant(1, error), begin = VecX::Ones(1);
    return tolerance.norm(of, begin, step.state()) / accuracy_of(radau, tolerance, true).unit;
  };
  const double first = missed(1);
  CHECK(size(first) > 1);
  CHECK(found == Approx(size(missed(1 + first))).epsilon(1e-6));
  // Not after a step that was taken.
  system.forget();
  CHECK(step.attempt(100 * h) < 1e3);
  CHECK(system.times.back() > 0);
}

TEST_CASE("the first step of projected invariants changes a state by a hundredth", "[invariants]") {
  Watched system;
  system.rate = -4;
  CHECK(step_of(system, 3, true).first_step(1, 1) == Approx(0.01 / 4));
  CHECK(step_of(system, 3, true).first_step(-1, 1) == Approx(-0.01 / 4));
  CHECK(step_of(system, 3, true).first_step(1, 1e-3) == 1e-3);
  // Of what is next to nothing, in units of the tolerance, no length is known.
  CHECK(step_of(system, 3, true, 1e-10).first_step(1, 1) == 1e-6);
  system.rate = -1e-11;
  CHECK(step_of(system, 3, true).first_step(1, 1) == 1e-6);
}

TEST_CASE("stages that cannot be evaluated, are not finite or have no matrix are told",
          "[invariants]") {
  for (const int calls : {1, 2, 3, 4}) {
    Watched system;
    ProjectedInvariantsStep step = step_of(system, 2, false);
    system.refuses_after = calls - 1;
    CHECK(std::isnan(step.attempt(0.5)));
    CHECK(system.times.size() == static_cast<std::size_t>(calls));
    CHECK(step.failure() == "refused");
    system.refuses_after = 1000000;
    CHECK(step.attempt(0.5) == 0);
  }
  Watched dependent;
  dependent.kept = 1;
  dependent.slope_of_h = 0;
  ProjectedInvariantsStep of_nothing = step_of(dependent, 1, false);
  CHECK(std::isnan(of_nothing.attempt(0.5)));
  CHECK_THAT(of_nothing.failure(), contains_text("t = 0: the matrix of the stages is singular with "
                                                 "h = 0.5: the invariants are dependent"));
  Watched far;
  far.constant = std::numeric_limits<double>::max();
  far.said = 0;
  far.rate = 0;
  ProjectedInvariantsStep too_far = step_of(far, 1, false);
  CHECK(std::isnan(too_far.attempt(4)));
  CHECK_THAT(too_far.failure(), contains_text("t = 0: a stage is not finite with h = 4"));
}

}  // namespace daewave::ivp::of_projected_step
