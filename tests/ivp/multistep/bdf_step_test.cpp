// The BDF step: order of every formula, dense output, error test, forms, projection, failures.

#include "ivp/multistep/bdf_step.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <type_traits>

#include "problems/acpr.hpp"
#include "problems/al2.hpp"
#include "problems/pendulum.hpp"
#include "tests/catch.hpp"
#include "tests/ivp/rolling_on_circle.hpp"
#include "tests/ivp/struct_doors.hpp"
#include "tests/problems/compiled_problems.hpp"

namespace daewave::ivp {
namespace {

using Form = MultiplierForm;
using problems::Pendulum;

static_assert(std::is_base_of_v<Step, BdfStep>);

Tolerance tolerance(double both, int nz) {
  Options options;
  options.atol = options.rtol = both;
  return Tolerance(options, nz);
}

struct FixedRun {
  double end = 0, between = 0, multiplier = 0;  ///< Largest errors; `between` past the start.
  Drift drift{};
};

template <class P>
FixedRun fixed_run(const P& problem, DaeSystem& system, int order, double t_end, int steps) {
  BdfStep step(system, {.order = order, .fixed = true}, Tolerance());
  FixedRun run;
  REQUIRE(step.start(0, VecX(problem.z_exact(0))));
  const double h = t_end / steps;
  VecX between, multiplier;
  for (int i = 0; i < steps; ++i) {
    INFO(step.failure());
    REQUIRE(step.attempt(h) == 0);
    REQUIRE(step.accept());
    step.interpolate(1, between);
    CHECK((between - step.state()).norm() <= 1e-14);
    step.interpolate(0.4, between);
    if (i >= order) {
      const double error = (between - VecX(problem.z_exact(step.t() - 0.6 * h))).norm();
      run.between = std::max(run.between, error);
    }
    run.drift.position = std::max(run.drift.position, step.drift().position);
    run.drift.velocity = std::max(run.drift.velocity, step.drift().velocity);
  }
  run.end = (step.state() - VecX(problem.z_exact(t_end))).norm();
  REQUIRE(step.multiplier(multiplier));
  if constexpr (HasExactMultiplier<P>) {
    run.multiplier = (multiplier - VecX(problem.y_exact(t_end))).norm();
  }
  return run;
}

struct ControlledRun {
  double error = 0;
  long steps = 0, rejected = 0, evaluations = 0;
  int highest = 0;
  Drift drift{};
};

template <class P>
ControlledRun controlled_run(const P& problem, DaeSystem& system, const BdfOptions& options,
                             double both, double t_end) {
  BdfStep step(system, options, tolerance(both, system.nz()));
  REQUIRE(step.start(0, VecX(problem.z_exact(0))));
  const double sign = t_end < 0 ? -1 : 1;
  double h = std::abs(step.first_step(sign, std::abs(t_end)));
  ControlledRun run;
  while (step.t() != t_end) {
    const double left = std::abs(t_end - step.t());
    const bool last = 1.01 * h >= left;
    if (last) h = left;
    const double error = step.attempt(sign * h);
    INFO(step.failure());
    REQUIRE_FALSE(std::isnan(error));
    REQUIRE(run.steps + run.rejected < 100000);
    if (error <= 1) {
      REQUIRE(step.accept());
      ++run.steps;
      run.drift.position = std::max(run.drift.position, step.drift().position);
      run.drift.velocity = std::max(run.drift.velocity, step.drift().velocity);
      if (last) break;
    } else {
      ++run.rejected;
    }
    run.highest = std::max(run.highest, step.order());
    CHECK(step.order() <= options.order);
    h = step.next_length();
    CHECK(h > 0);
  }
  run.error = (step.state() - VecX(problem.z_exact(t_end))).norm();
  run.evaluations = step.evaluations();
  return run;
}

}  // namespace

TEST_CASE("an order whose error is not a number is not taken", "[bdf]") {
  const double none = std::numeric_limits<double>::quiet_NaN();
  for (const bool higher : {false, true}) {
    BdfOrder choice;
    choice.begin(0.1, true);
    choice.accepted(0.5, INFINITY, 1e-6);
    REQUIRE(choice.order() == 2);
    choice.begin(0.1, false);
    choice.accepted(1e-3, higher ? 0.5 : none, higher ? none : 0.5);
    CHECK(choice.order() == 2);
    CHECK(choice.length() == Approx(0.1 / (1.4 * 0.1)));  // As its own error allows.
  }
}

TEST_CASE("every formula has its order at fixed steps, between them, and in the multiplier",
          "[bdf][Eich-3]") {
  const Pendulum pendulum;
  for (Form form : {Form::eliminated, Form::index_1}) {
    for (int order = 1; order <= 6; ++order) {
      CAPTURE(order, static_cast<int>(form));
      const auto system = system_of(pendulum, pendulum.start(), 0, form);
      const int steps = order == 6 ? 80 : 160;
      const FixedRun coarse = fixed_run(pendulum, *system, order, 1, steps);
      const FixedRun fine = fixed_run(pendulum, *system, order, 1, 2 * steps);
      // Observed: within 0.15 of the order at these steps, which are not yet small.
      CHECK(std::log2(coarse.end / fine.end) == Approx(order).margin(0.25));
      CHECK(std::log2(coarse.between / fine.between) == Approx(order).margin(0.25));
      CHECK(std::log2(coarse.multiplier / fine.multiplier) > order - 0.5);
      CHECK(fine.drift.position <= 1e-12);
      CHECK(fine.drift.velocity <= 1e-12);
    }
  }
}

TEST_CASE("an index 2, and unknowns of index 1, have the same orders", "[bdf]") {
  const problems::Al2Example61 first_order;
  const RollingOnCircle<> rolling;
  for (int order : {2, 4}) {
    for (Form form : {Form::eliminated, Form::index_1}) {
      CAPTURE(order, static_cast<int>(form));
      const auto plain = system_of(first_order, first_order.start(), 0, form);
      const double ratio = fixed_run(first_order, *plain, order, 1, 20).end /
                           fixed_run(first_order, *plain, order, 1, 40).end;
      CHECK(std::log2(ratio) > order - 0.4);  // Errors of this example cancel: more is no wonder.
      const auto contact = system_of(rolling, rolling.start(), rolling.start_algebraic(), 0, form);
      const double rolls = fixed_run(rolling, *contact, order, 1, 40).end /
                           fixed_run(rolling, *contact, order, 1, 80).end;
      CHECK(std::log2(rolls) == Approx(order).margin(0.4));
    }
  }
}

TEST_CASE("a tighter tolerance has a smaller error, and more digits the higher orders", "[bdf]") {
  const Pendulum pendulum;
  const auto system = system_of(pendulum, pendulum.start(), 0);
  double before = INFINITY;
  for (double both : {1e-4, 1e-6, 1e-8, 1e-10}) {
    const ControlledRun run = controlled_run(pendulum, *system, {}, both, 3);
    CAPTURE(both, run.error, run.steps, run.evaluations);
    // Errors of steps add up, and L = sqrt(g) enlarges them: a hundred is observed, at most.
    CHECK(run.error < 1e3 * both);
    CHECK(run.error < before);
    CHECK(run.drift.position <= 1e-12);
    CHECK(run.drift.velocity <= 1e-12);
    CHECK(run.evaluations < 3 * run.steps);
    before = run.error;
  }
  CHECK(controlled_run(pendulum, *system, {}, 1e-8, 3).highest == 6);
  const long all = controlled_run(pendulum, *system, {.order = 6}, 1e-8, 3).steps;
  const long five = controlled_run(pendulum, *system, {.order = 5}, 1e-8, 3).steps;
  const long two = controlled_run(pendulum, *system, {.order = 2}, 1e-8, 3).steps;
  CHECK(all < five);
  CHECK(5 * five < two);
}

TEST_CASE("multipliers solved with the step lead to what eliminated ones do", "[bdf][Eich-1.5]") {
  const Pendulum pendulum;
  const auto eliminated = system_of(pendulum, pendulum.start(), 0, Form::eliminated);
  const auto index_1 = system_of(pendulum, pendulum.start(), 0, Form::index_1);
  const ControlledRun one = controlled_run(pendulum, *eliminated, {}, 1e-8, 3);
  const ControlledRun other = controlled_run(pendulum, *index_1, {}, 1e-8, 3);
  CHECK(one.error < 1e-5);
  CHECK(other.error < 1e-5);
  // What more iterations leave comes into high differences as noise, and shortens steps.
  CHECK(3 * std::abs(other.steps - one.steps) <= one.steps);
}

TEST_CASE("without projection the constraints drift, and position or velocity alone are kept",
          "[bdf][Eich-3.1]") {
  const Pendulum pendulum;
  const auto system = system_of(pendulum, pendulum.start(), 0);
  const auto run = [&](Onto onto) {
    return controlled_run(pendulum, *system, {.projection = {.onto = onto}}, 1e-6, 3);
  };
  const ControlledRun none = run(Onto::nothing), position = run(Onto::position),
                      velocity = run(Onto::velocity), both = run(Onto::both);
  CHECK(none.drift.position > 1e-7);
  CHECK(none.drift.velocity > 1e-7);
  CHECK(position.drift.position <= 1e-12);
  CHECK(position.drift.velocity > 1e-8);
  CHECK(velocity.drift.velocity <= 1e-12);
  CHECK(velocity.drift.position > 1e-10);
  CHECK(both.drift.position <= 1e-12);
  CHECK(both.drift.velocity <= 1e-12);
}

TEST_CASE("errors across the manifold may be left out of the test", "[bdf][Eich-4.1]") {
  const Pendulum pendulum;
  const auto system = system_of(pendulum, pendulum.start(), 0);
  for (auto metric :
       {ProjectionMetric::orthogonal, ProjectionMetric::weighted, ProjectionMetric::mass}) {
    const ControlledRun run = controlled_run(
        pendulum, *system, {.projection = {.metric = metric, .estimate = true}}, 1e-8, 3);
    CHECK(run.error < 1e-5);
    CHECK(run.drift.position <= 1e-12);
  }
}

TEST_CASE("a run backward is the mirror image of one forward", "[bdf]") {
  const Pendulum pendulum;  // At rest at t = 0: its motion is even.
  const auto system = system_of(pendulum, pendulum.start(), 0);
  const ControlledRun forward = controlled_run(pendulum, *system, {}, 1e-7, 2);
  const ControlledRun backward = controlled_run(pendulum, *system, {}, 1e-7, -2);
  CHECK(backward.error < 1e-4);
  CHECK(std::abs(backward.steps - forward.steps) <= 2);
}

TEST_CASE("a rejected step changes nothing but what is tried next", "[bdf]") {
  const Pendulum pendulum;
  const auto system = system_of(pendulum, pendulum.start(), 0);
  BdfStep step(*system, {}, tolerance(1e-6, 4));
  REQUIRE(step.start(0, VecX(pendulum.start())));
  REQUIRE(step.attempt(1e-4) <= 1);
  REQUIRE(step.accept());
  const VecX z = step.state();
  for (double h : {0.5, 0.2, 0.1}) {
    const double error = step.attempt(h);
    CHECK_FALSE(error <= 1);
    CHECK(step.state() == z);
    CHECK(step.t() == 1e-4);
    CHECK(step.next_length() < h);
  }
  VecX between;
  step.interpolate(0.5, between);
  CHECK((between - VecX(pendulum.z_exact(5e-5))).norm() <= 1e-7);  // A line: h^2 / 8 |z''|.
  REQUIRE(step.attempt(1e-4) <= 1);
}

namespace {

/// z' = f where it can be evaluated; no invariants.
class Plain : public DaeSystem {
 public:
  bool broken = false;
  double rate = -1;

  int nz() const override { return 1; }
  int nw() const override { return 0; }
  int nh() const override { return 0; }
  bool evaluate(double, const VecX& z, const VecX&, VecX& slope, VecX&) override {
    slope[0] = broken ? std::numeric_limits<double>::quiet_NaN() : rate * z[0] * z[0] * z[0];
    return !broken;
  }
  bool algebraic(double, const VecX&, VecX&) override { return true; }
  bool invariants(double, const VecX&, VecX&) override { return true; }
  bool invariants(double, const VecX&, VecX&, MatX&) override { return true; }
  bool multiplier(double, const VecX&, const VecX&, VecX& multiplier) override {
    multiplier.resize(0);
    return true;
  }
  Drift drift(double, const VecX&) override { return {}; }
  std::string failure() const override { return "the right-hand side is missing"; }
};

}  // namespace

TEST_CASE("what cannot be evaluated gives NaN, a reason, and a shorter step", "[bdf]") {
  Plain plain;
  BdfStep step(plain, {}, tolerance(1e-6, 1));
  REQUIRE(step.start(0, VecX::Ones(1)));
  plain.broken = true;
  CHECK(std::isnan(step.attempt(1e-3)));
  CHECK_THAT(step.failure(), contains_text("right-hand side is missing"));
  CHECK(step.next_length() < 1e-3);
  CHECK(step.state()[0] == 1);
  plain.broken = false;
  CHECK(step.attempt(1e-4) <= 1);
  CHECK(step.accept());
  plain.broken = true;
  BdfStep never(plain, {}, tolerance(1e-6, 1));
  CHECK_FALSE(never.start(0, VecX::Ones(1)));
  CHECK_THAT(never.failure(), contains_text("right-hand side is missing"));
}

namespace {

/// z' = 1 until t = 1/2, and then -1000 z: z = 1 + t, z(1/2 + s) = 3/2 exp(-1000 s).
class Jump : public Plain {
 public:
  bool evaluate(double t, const VecX& z, const VecX&, VecX& slope, VecX&) override {
    slope[0] = t < 0.5 ? 1 : -1000 * z[0];
    return true;
  }
};

}  // namespace

TEST_CASE("a jump of the right side is passed by beginning anew", "[bdf]") {
  Jump jump;
  BdfStep step(jump, {}, tolerance(1e-7, 1));
  REQUIRE(step.start(0, VecX::Ones(1)));
  double h = step.first_step(1, 0.1);
  long steps = 0, attempts = 0;
  const double end = 0.505;
  while (step.t() < end) {
    REQUIRE(++attempts < 2000);
    h = std::min(h, end - step.t());
    if (step.attempt(h) <= 1 && step.accept()) ++steps;
    h = step.next_length();
  }
  CAPTURE(steps, attempts);
  // The jump is passed within an error of a step; what follows is damped.
  CHECK(step.state()[0] == Approx(1.5 * std::exp(-5)).margin(1e-6));
}

TEST_CASE("equations without a solution are given up, with the way out", "[bdf]") {
  // z = 1 + h z^3 has no root near 1 for h > 4/27.
  Plain growing;
  growing.rate = 1;
  BdfStep step(growing, {.order = 1, .fixed = true}, Tolerance());
  REQUIRE(step.start(0, VecX::Ones(1)));
  double result = 0;
  for (int i = 0; i < 20 && !std::isnan(result); ++i) {
    result = step.attempt(0.1);
    if (!std::isnan(result)) REQUIRE(step.accept());
  }
  CHECK(std::isnan(result));
  CHECK_THAT(step.failure(), contains_text("t = "));
}

}  // namespace daewave::ivp
