// The contract of the front door: every method with every stepper either does what its order
// promises, or is refused with a reason; and what the report says is what happened.

#include "ivp/solve.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "problems/pendulum.hpp"
#include "tests/catch.hpp"

using namespace daewave;
using ivp::Method;
using ivp::Options;
using ivp::Solution;
using ivp::Stepper;
using problems::Pendulum;

namespace {

constexpr double t_end = 0.5;

Options with(Method method, Stepper stepper) {
  Options options;
  options.method = method;
  options.stepper = stepper;
  // Rates far below 1/h: nothing is stiff.
  options.stabilization = {.alpha1 = 4, .alpha0 = 4};
  options.stabilization.gamma = 4;
  return options;
}

Solution swing(const Options& options, double end = t_end) {
  const Pendulum pendulum;
  return ivp::solve(pendulum, pendulum.start(), {0, end}, options);
}

double end_error(const Solution& solution) {
  const Pendulum pendulum;
  return (solution.end() - pendulum.z_exact(solution.t.back())).lpNorm<Eigen::Infinity>();
}

double multiplier_error(const Solution& solution, int i) {
  const Pendulum pendulum;
  const Vec<1> exact = pendulum.y_exact(solution.t[static_cast<std::size_t>(i)]);
  const Vec<4> z = solution.state(i);
  // B y of M = I is q lambda.
  return solution.carries_By
             ? (solution.multiplier(i) - z.head<2>() * exact[0]).lpNorm<Eigen::Infinity>()
             : std::abs(solution.multiplier(i)[0] - exact[0]);
}

/// A sequential regularization by steps of the size of epsilon does not resolve what it damps:
/// order 2 in x for explicit formulas, k + 1 for collocation at k > 1 stages, with k + 1 iterates.
int order_of(Method method, Stepper stepper) {
  if (method == Method::srm && ivp::is_explicit(stepper)) {
    return std::min(2, ivp::tableau(stepper).order);
  }
  if (method == Method::srm && stepper != Stepper::backward_euler) return 4;
  if (ivp::is_explicit(stepper)) return ivp::tableau(stepper).order;
  return stepper == Stepper::backward_euler ? 1 : stepper == Stepper::gauss ? 6 : 5;
}

bool estimates(Stepper stepper) {
  return stepper == Stepper::dopri5 || stepper == Stepper::dop853 || stepper == Stepper::gauss ||
         stepper == Stepper::radau;
}

const Choice& choice(const Solution& solution, const std::string& name) {
  for (const Choice& one : solution.report.choices) {
    if (one.name == name) return one;
  }
  FAIL("no choice of " << name);
  return solution.report.choices.front();
}

/// What the report tells of a run that gave out every step is what the states say.
void check_report(const Solution& solution) {
  const Pendulum pendulum;
  const Report& report = solution.report;
  const IntegrationReport& went = report.integration;
  INFO(report.full());
  CHECK(report.usable());
  CHECK(report.problem == "pendulum");
  CHECK(report.nx == 4);
  CHECK(report.ny == 1);
  CHECK(went.index == 3);
  CHECK(went.constraints == 1);
  CHECK(went.rank == 1);
  CHECK(went.guarded == 0);
  CHECK(went.steps == solution.count() - 1);
  CHECK(went.evaluations >= went.steps);
  CHECK(went.reached == solution.t.back());
  CHECK(solution.t.front() == 0);
  CHECK(solution.nz == 4);
  CHECK(solution.second_order);
  if (solution.ny > 0) CHECK(solution.ny == (solution.carries_By ? 2 : 1));
  double position = 0, velocity = 0, energy = 0;
  for (int i = 0; i < solution.count(); ++i) {
    const Vec<2> q = solution.state(i).head<2>(), v = solution.state(i).tail<2>();
    position = std::max(position, std::abs(q.squaredNorm() - 1) / 2);
    velocity = std::max(velocity, std::abs(q.dot(v)));
    energy = std::max(energy, std::abs(pendulum.energy(q, v)));  // 0 at the start.
  }
  CHECK(went.drift_position == Approx(position).epsilon(1e-10).margin(1e-15));
  CHECK(went.drift_velocity == Approx(velocity).epsilon(1e-10).margin(1e-14));
  CHECK(went.has_energy);
  CHECK(went.energy_start == 0);
  CHECK(went.energy_change == energy);
  std::set<std::string> names;
  for (const Choice& one : report.choices) {
    CAPTURE(one.name);
    CHECK(names.insert(one.name).second);
    CHECK_FALSE(one.value.empty());
    CHECK(one.by_user == one.reason.empty());
  }
  CHECK(names.count("method") == 1);
  CHECK(names.count("stepper") == 1);
}

}  // namespace

TEST_CASE("every method with every stepper has its order with fixed steps", "[solve]") {
  for (Method method : ivp::all_methods()) {
    if (!ivp::takes_every_stepper(method)) continue;  // A formula of its own.
    for (Stepper stepper : ivp::all_steppers()) {
      CAPTURE(name_of(method), name_of(stepper));
      Options options = with(method, stepper);
      double errors[2];
      for (int i = 0; i < 2; ++i) {
        // So large for order 8 that its errors are not those of rounding.
        const int steps = (stepper == Stepper::dop853 ? 5 : 20) << i;
        options.h = t_end / steps;
        const Solution solution = swing(options);
        check_report(solution);
        CHECK(solution.report.integration.steps == steps);
        CHECK(choice(solution, "method").value == name_of(method));
        CHECK(choice(solution, "stepper").value == name_of(stepper));
        errors[i] = end_error(solution);
      }
      // Of errors that are not yet the leading term, with the rounding of 40 steps.
      CHECK(errors[1] < errors[0] * std::pow(2, 0.5 - order_of(method, stepper)) + 1e-14);
    }
  }
}

TEST_CASE("every method with every stepper keeps its tolerance, or is refused", "[solve]") {
  for (Method method : ivp::all_methods()) {
    if (!ivp::takes_every_stepper(method)) continue;  // A formula of its own.
    for (Stepper stepper : ivp::all_steppers()) {
      CAPTURE(name_of(method), name_of(stepper));
      Options options = with(method, stepper);
      options.rtol = 1e-7;
      if (!estimates(stepper)) {
        CHECK_THROWS_WITH(swing(options), contains_text(name_of(stepper)) &&
                                              contains_text("does not estimate errors") &&
                                              contains_text("give h"));
        continue;
      }
      const Solution solution = swing(options);
      check_report(solution);
      // Local errors are at most rtol |z| + atol, |z| < 4; L = sqrt(g) enlarges them by e^{L t}.
      const double allowed =
          static_cast<double>(solution.report.integration.steps) * (4e-7 + 1e-9) * 5;
      CHECK(end_error(solution) < allowed);
    }
  }
}

TEST_CASE("every variant goes with its weights, or is refused by name", "[solve]") {
  int solved = 0;
  for (Variant variant : all_variants()) {
    for (Weight weight : all_weights()) {
      CAPTURE(name_of(variant), name_of(weight));
      Options options = with(Method::srm, Stepper::heun);
      options.regularize.variant = variant;
      options.regularize.weight = weight;
      double errors[2], multiplier = 0;
      try {
        for (int i = 0; i < 2; ++i) {
          options.h = t_end / (100 << i);
          const Solution solution = swing(options);
          check_report(solution);
          CHECK(choice(solution, "variant").value == name_of(variant));
          CHECK(choice(solution, "variant").by_user);
          CHECK(solution.carries_By == carries_By(variant));
          errors[i] = end_error(solution);
          // The multiplier is of order 1 then: an error h^2 of x, divided by epsilon. Of order 2
          // where it follows from the state.
          const double factor = variant == Variant::invariant_reduced ? 0.3 : 0.6;
          const double now = multiplier_error(solution, solution.count() - 1);
          if (i > 0) CHECK(now < factor * multiplier);
          multiplier = now;
        }
        ++solved;
        CHECK(errors[1] < errors[0] / 3);  // Order 2 of Heun's formula, and of 3 iterates.
      } catch (const InvalidOption& refused) {
        CHECK_THAT(refused.what(), contains_text("variant = ") || contains_text("weight = "));
      }
    }
  }
  CHECK(solved == 1 + 3 * 3);  // singular has one weight, three variants have all but shifted.
}

TEST_CASE("left to itself it reduces the index and takes dop853", "[solve]") {
  const Solution solution = ivp::solve(Pendulum{.g0 = 9.81, .t_end = 1}, Options{.rtol = 1e-9});
  check_report(solution);
  CHECK(end_error(solution) < 1e-7);
  CHECK(choice(solution, "method").value == "s-both2");
  CHECK_FALSE(choice(solution, "method").by_user);
  CHECK(choice(solution, "stepper").value == "dop853");
  CHECK(choice(solution, "rtol").by_user);
  CHECK_FALSE(choice(solution, "atol").by_user);
  CHECK_THAT(solution.report.full(), contains_text("one matrix") && contains_text("order 8"));
  CHECK(solution.table().names == std::vector<std::string>{"t", "q1", "q2", "v1", "v2", "lambda1"});
  // From the state itself, lambda = v.v - g y.
  for (int i = 0; i < solution.count(); ++i) CHECK(multiplier_error(solution, i) < 1e-6);
}

TEST_CASE("the motion of the pendulum backward returns to its start", "[solve]") {
  const Pendulum pendulum;
  const Vec<4> end = pendulum.z_exact(1);
  for (Method method : ivp::all_methods()) {
    if (!ivp::takes_every_stepper(method)) continue;
    CAPTURE(name_of(method));
    Options options = with(method, Stepper::dop853);
    options.rtol = 1e-10;
    options.times = {0.25, 0.5};
    options.dense = true;
    const bool damps =
        method == Method::srm || method == Method::baumgarte || method == Method::stabilized_ode;
    if (damps) {
      CHECK_THROWS_WITH(ivp::solve(pendulum, end, {1, 0}, options),
                        contains_text("span: its end lies before its begin") &&
                            contains_text(name_of(method)) && contains_text("s-both2"));
      continue;
    }
    const Solution solution = ivp::solve(pendulum, end, {1, 0}, options);
    INFO(solution.report.full());
    CHECK(solution.report.usable());
    CHECK(solution.t == std::vector<double>{1, 0.5, 0.25, 0});
    CHECK((solution.end() - pendulum.start()).norm() < 1e-8);
    CHECK((solution.state(1) - pendulum.z_exact(0.5)).norm() < 1e-8);
    CHECK((solution.at(0.3) - pendulum.z_exact(0.3)).norm() < 1e-7);
  }
}

TEST_CASE("multipliers of a problem reduced before it is regularized follow from states",
          "[solve]") {
  Options options = with(Method::srm, Stepper::heun);
  options.h = 0.01;
  options.regularize.variant = Variant::invariant_reduced;
  std::vector<double> seen;
  options.sink = [&seen](const ivp::Output& output) {
    seen.push_back(output.multiplier[0]);
    return true;
  };
  const Solution solution = swing(options);
  CHECK(solution.report.warnings.empty());
  CHECK(solution.multipliers == seen);
  REQUIRE(solution.count() == 51);
  for (int i = 0; i < solution.count(); ++i) {
    const Vec<4> z = solution.state(i);
    // lambda = v.v - g y on the circle; states are off it by an error of the method.
    const Vec<2> v = z.tail<2>();
    CHECK(solution.multiplier(i)[0] == Approx(v.squaredNorm() - 9.81 * z[1]).epsilon(1e-3));
  }
  options.multipliers = false;
  options.sink = [](const ivp::Output& output) { return output.multiplier == nullptr; };
  const Solution without = swing(options);
  CHECK(without.report.usable());
  CHECK(without.ny == 0);
}

TEST_CASE("sweeps over the interval give the bits of the step-local order", "[solve]") {
  for (Stepper stepper : ivp::all_steppers()) {
    for (Variant variant : {Variant::singular, Variant::invariant, Variant::baumgarte_form}) {
      CAPTURE(ivp::name_of(stepper), name_of(variant));
      Options options = with(Method::srm, stepper);
      options.h = 0.007;  // Does not divide the interval.
      options.every = 3;
      options.regularize.variant = variant;
      options.regularize.exact_start = 1;
      const Solution local = swing(options);
      options.regularize.order = ivp::Order::sweeps;
      Solution swept = swing(options);
      CHECK(local.report.usable());
      CHECK(swept.t == local.t);
      CHECK(swept.states == local.states);
      CHECK(swept.multipliers == local.multipliers);
      CHECK(swept.carries_By == local.carries_By);
      const IntegrationReport &a = swept.report.integration, &b = local.report.integration;
      CHECK(a.steps == b.steps);
      CHECK(a.energy_change == b.energy_change);
      CHECK(a.drift_position == Approx(b.drift_position).epsilon(1e-12).margin(1e-15));
      CHECK(a.drift_velocity == Approx(b.drift_velocity).epsilon(1e-12).margin(1e-15));
      CHECK(a.smallest_step == b.smallest_step);
      CHECK(a.largest_step == b.largest_step);
    }
  }
}

TEST_CASE("sweeps give out, stop and end as steps do", "[solve]") {
  Options options = with(Method::srm, Stepper::heun);
  options.h = 0.01;
  for (ivp::Order order : {ivp::Order::step_local, ivp::Order::sweeps}) {
    options.regularize.order = order;
    Options other = options;
    other.most_steps = 7;
    Solution solution = swing(other);
    CHECK(solution.report.termination == Termination::too_many_steps);
    CHECK(solution.report.integration.steps == 7);
    CHECK(solution.report.integration.reached == Approx(0.07));
    CHECK(solution.count() == 8);
    other = options;
    other.keep = false;
    other.multipliers = false;
    long seen = 0;
    other.sink = [&seen](const ivp::Output& output) {
      CHECK(output.step == seen);
      CHECK(output.multiplier == nullptr);
      return ++seen < 20;
    };
    solution = swing(other);
    CHECK(solution.report.termination == Termination::stopped);
    CHECK(seen == 20);
    CHECK(solution.t == std::vector<double>{19 * 0.01});
    CHECK(solution.ny == 0);
    other = options;
    other.monitor = false;
    solution = swing(other);
    CHECK(solution.report.integration.drift_position == 0);
    CHECK_FALSE(solution.report.integration.has_energy);
    other = options;
    other.every = 0;
    CHECK(swing(other).t == std::vector<double>{0, t_end});
  }
}

TEST_CASE("sweeps refuse what they cannot do", "[solve]") {
  const auto check = [](const std::string& reason, auto change) {
    Options options = with(Method::srm, Stepper::heun);
    options.h = 0.01;
    options.regularize.order = ivp::Order::sweeps;
    change(options);
    CHECK_THROWS_WITH(swing(options), contains_text("order = sweeps") && contains_text(reason) &&
                                          contains_text("step-local"));
  };
  check("no events", [](Options& options) {
    options.events = {{.name = "any", .function = [](double t, const VecX&) { return t; }}};
  });
  check("no dense output", [](Options& options) { options.dense = true; });
  check("no dense output", [](Options& options) { options.times = {0.1}; });
  check("fixed h", [](Options& options) {
    options.stepper = Stepper::dopri5;
    options.h.reset();
  });
}

TEST_CASE("multipliers are known between steps, for every method", "[solve]") {
  for (Method method : {Method::srm, Method::s_both2}) {
    for (Stepper stepper : ivp::all_steppers()) {
      for (Variant variant : {Variant::singular, Variant::invariant}) {
        CAPTURE(name_of(method), name_of(stepper), name_of(variant));
        Options options = with(method, stepper);
        options.regularize.variant = variant;
        // No layer at the start that steps would have to resolve.
        options.regularize.exact_start = 2;
        options.h = t_end / 100;
        const Solution nodes = swing(options);
        for (int i = 0; i < 37; ++i) options.times.push_back(0.01 + 0.0131 * i);
        const Solution between = swing(options);
        CHECK(between.report.warnings.empty());
        CHECK(between.report.integration.drift_position ==
              Approx(nodes.report.integration.drift_position).margin(1e-15));
        REQUIRE(between.count() == 39);
        double at_nodes = 0, inside = 0;
        for (int i = 0; i < nodes.count(); ++i) {
          at_nodes = std::max(at_nodes, multiplier_error(nodes, i));
        }
        for (int i = 0; i < between.count(); ++i) {
          inside = std::max(inside, multiplier_error(between, i));
        }
        // The dense output of dop853 is of a lower order than the ends of its steps.
        const double more = stepper == Stepper::dop853 ? 10 : 2;
        CHECK(inside < more * at_nodes + 1e-6);
      }
    }
  }
}

TEST_CASE("events, dense output and progress pass through the front door", "[solve]") {
  const Pendulum pendulum;
  const double lowest = pendulum.period() / 4;
  for (Method method : {Method::srm, Method::s_both2}) {
    CAPTURE(name_of(method));
    Options options;
    options.method = method;
    options.rtol = 1e-8;
    options.dense = true;
    options.events = {{.name = "lowest",
                       .function = [](double, const VecX& z) { return z[0]; },
                       .then = ivp::Event::Then::stop}};
    Solution solution = swing(options, 2);
    INFO(solution.report.full());
    CHECK(solution.report.usable());
    CHECK_THAT(solution.report.message, contains_text("lowest"));
    REQUIRE(solution.occurrences.size() == 1);
    CHECK(solution.t.back() == Approx(lowest).epsilon(1e-6));
    CHECK_FALSE(solution.occurrences[0].rising);
    CHECK((solution.at(0.2) - pendulum.z_exact(0.2)).norm() < 1e-6);
    CHECK(std::isfinite(solution.multiplier(solution.count() - 1)[0]));
    CHECK(multiplier_error(solution, solution.count() - 1) < 1e-3);
    options.events.clear();
    options.progress = [](const ivp::Progress&) { return false; };
    options.largest_step = 1e-4;  // Long enough for the clock of progress().
    options.dense = false;
    options.every = 0;
    solution = swing(options, 1000);
    CHECK(solution.report.termination == Termination::stopped);
    CHECK_THAT(solution.report.message, contains_text("progress"));
  }
}

TEST_CASE("numbers that do not go together are refused with the way out", "[solve]") {
  const auto refused = [](const std::string& what, auto change) {
    Options options;
    change(options);
    CAPTURE(what);
    CHECK_THROWS_AS(swing(options), InvalidOption);
    CHECK_THROWS_WITH(swing(options), contains_text(what));
  };
  refused("stages = 4 with stepper = dop853", [](Options& options) {
    options.stepper = Stepper::dop853;
    options.stages = 4;
  });
  refused("stages = 4: dop853 has stages of its own", [](Options& options) { options.stages = 4; });
  refused("stages = 2 with stepper = gauss: only an odd number", [](Options& options) {
    options.stepper = Stepper::gauss;
    options.stages = 2;
  });
  refused("stages", [](Options& options) {
    options.stepper = Stepper::radau;
    options.stages = 99;
  });
  refused("gamma", [](Options& options) { options.method = Method::stabilized_ode; });
  refused("atol_each has 3 entries", [](Options& options) { options.atol_each = {1, 1, 1}; });
  refused("times[0] = 3: must be in [0, 0.5]", [](Options& options) { options.times = {3}; });
  refused("h = 0.01 with epsilon = 0.001: heun is stable for h <= 2 epsilon", [](Options& options) {
    options.method = Method::srm;
    options.h = 0.01;
    options.regularize.epsilon = 1e-3;
  });
  refused("second_step = half-fresh", [](Options& options) {
    options.stabilization.second_step = ivp::SecondStep::half_fresh;
  });
  for (const Interval span : {Interval{0, 0}, Interval{0, NAN}, Interval{-INFINITY, 0}}) {
    CHECK_THROWS_WITH(ivp::solve(Pendulum(), {1, 0, 0, 0}, span),
                      contains_text("span = [") && contains_text("two different ends"));
  }
}

TEST_CASE("a start off the constraints is refused, or moved", "[solve]") {
  const Pendulum pendulum;
  const Vec<4> off(1.1, 0, 0.3, 0);
  CHECK_THROWS_AS(ivp::solve(pendulum, off, {0, 1}), InvalidProblem);
  CHECK_THROWS_WITH(ivp::solve(pendulum, off, {0, 1}), contains_text("|g| = 0.105 in row 1") &&
                                                           contains_text("0.33 in row 1") &&
                                                           contains_text("repair_start = true"));
  const Solution solution = ivp::solve(pendulum, off, {0, 1}, {.repair_start = true});
  INFO(solution.report.full());
  CHECK(solution.report.usable());
  CHECK_THAT(solution.report.warnings.at(0),
             contains_text("position by 0.1") && contains_text("velocity by 0.3"));
  CHECK((solution.state(0) - pendulum.start()).norm() < 1e-12);
  const Vec<4> nowhere(NAN, 0, 0, 0);
  for (bool repair : {false, true}) {
    CHECK_THROWS_WITH(ivp::solve(pendulum, nowhere, {0, 1}, {.repair_start = repair}),
                      contains_text("not finite") && contains_text("start"));
  }
  // G = q^T = 0 is no direction to move into.
  CHECK_THROWS_AS(ivp::solve(pendulum, {0, 0, 0, 0}, {0, 1}, {.repair_start = true}),
                  InvalidProblem);
}
