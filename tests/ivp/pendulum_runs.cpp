#include "tests/ivp/pendulum_runs.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "ivp/solve.hpp"
#include "tests/catch.hpp"

namespace daewave::testing {

using ivp::Method;
using ivp::Options;
using ivp::Solution;
using ivp::Stepper;
using problems::Pendulum;

Options with(Method method, Stepper stepper) {
  // Rates far below 1/h: nothing is stiff.
  if (auto* baumgarte = std::get_if<ivp::Baumgarte>(&method)) {
    baumgarte->alpha1 = baumgarte->alpha0 = 4;
  }
  if (auto* stabilized = std::get_if<ivp::StabilizedOde>(&method)) stabilized->gamma = 4;
  formula_of(method)->stepper = stepper;
  Options options;
  options.method = method;
  return options;
}

ivp::Srm& srm(Options& options) { return std::get<ivp::Srm>(options.method); }

Solution swing(const Options& options, double end) {
  return swing_from(Pendulum().start(), {0, end}, options);
}

Solution swing_from(const Vec<4>& start, const Interval& span, const Options& options) {
  return ivp::solve(Pendulum(), start, span, options);
}

Solution swing_as_given(const Pendulum& pendulum, const Options& options) {
  return ivp::solve(pendulum, options);
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

const Choice& choice(const Solution& solution, const std::string& name) {
  for (const Choice& one : solution.report.choices) {
    if (one.name == name) return one;
  }
  FAIL("no choice of " << name);
  return solution.report.choices.front();
}

void check_report(const Solution& solution) {
  const Pendulum pendulum;
  const Report& report = solution.report;
  const IntegrationReport& went = report.integration;
  INFO(report.full());
  if (report.termination == Termination::iterates_exhausted) {
    // Rightly: a step so coarse leaves more than 1e-3 of what moves least.
    CHECK(end_error(solution) > 1e-3 * solution.motion.range().minCoeff());
    CHECK_FALSE(report.advice.empty());
  } else {
    CHECK(report.usable());
  }
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
  CHECK(names.count("stepper") + names.count("nodes of windows") == 1);
}

}  // namespace daewave::testing
