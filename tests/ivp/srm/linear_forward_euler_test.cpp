// Forward Euler: what a step is, its order, and what it refuses.

#include <cmath>
#include <vector>

#include "core/error.hpp"
#include "ivp/solve.hpp"
#include "tests/catch.hpp"
#include "tests/ivp/linear_runs.hpp"

using namespace daewave;

namespace {

const ivp::ExplicitTableau& forward_euler() { return ivp::tableau(ivp::Stepper::forward_euler); }

/// Largest error of x at t = 10, the initial iterate being exact.
double error_at_end(int steps) {
  const Turning problem;
  const LinearRun run(problem);
  ivp::SrmStep step =
      run.step({.variant = Variant::singular_linear, .epsilon = 0.5}, forward_euler(), 2,
               [&](double t, VecX& By) { By = problem.By_exact(t); });
  REQUIRE(step_along(step, uniform_mesh(0, 10, steps), run.start, [](int) {}));
  return (step.state() - problem.x_exact(10)).cwiseAbs().maxCoeff();
}

template <class P>
ivp::Solution solve(const LinearRun<P>& run, const ivp::Srm& srm, double h) {
  return ivp::solve(*run.problem, run.start, run.span, {.method = srm, .h = h});
}

}  // namespace

TEST_CASE("forward Euler moves x by its slope at the left node, then sets B y", "[srm][AL1-3.16]") {
  const Turning problem{0.1};
  constexpr double epsilon = 0.3, alpha1 = 0.2, h = 0.05;
  // For a normal vector B = C^T of length 1, B E C = P = B C and B y = B y_number.
  const auto y_of = [&](const Vec<2>& x, double t, double y_old) {
    const Vec<1> Cx_r = problem.C(t) * x + problem.r(t);
    const Vec<1> free = problem.C(t) * (problem.A(t) * x + problem.q(t)) + problem.C_t(t) * x;
    return (epsilon * y_old + alpha1 * free[0] + Cx_r[0]) / (epsilon + alpha1);
  };
  std::vector<double> y_old(3, 0.0);
  Vec<2> x;
  for (int s = 0; s < 2; ++s) {
    x = problem.x_exact(0);
    std::vector<double> y(3);
    y[0] = y_of(x, 0, y_old[0]);
    for (int i = 0; i < 2; ++i) {
      const double t = i * h, t_next = (i + 1) * h;
      x += h * (problem.A(t) * x - problem.B(t) * y[i] + problem.q(t));
      y[i + 1] = y_of(x, t_next, y_old[i + 1]);
    }
    y_old = y;
  }
  const LinearRun run(problem);
  ivp::SrmStep step = run.step({.variant = Variant::direct, .epsilon = epsilon, .alpha1 = alpha1},
                               forward_euler(), 2);
  REQUIRE(step_along(step, uniform_mesh(0, 0.1, 2), run.start, [](int) {}));
  CHECK((step.state() - x).norm() < 1e-14);
  CHECK(std::abs(step.iterate(2).carried[0] - y_old[2]) < 1e-14);
}

TEST_CASE("forward Euler has order one", "[srm]") {
  CHECK(std::log2(error_at_end(4000) / error_at_end(8000)) == Approx(1).margin(0.05));
}

TEST_CASE("with everything open forward Euler takes epsilon from its step", "[srm]") {
  const LinearRun run(Turning{});
  const ivp::Solution solution = solve(run, {.formula = {ivp::Stepper::forward_euler}}, 1e-3);
  CAPTURE(solution.report.full());
  CHECK(solution.report.usable());
  CHECK(solution.report.warnings.empty());
  // Order one: h |x''| and what it is amplified by.
  CHECK((solution.end() - Turning{}.x_exact(10)).norm() < 0.01);
}

TEST_CASE("forward Euler refuses steps that the regularization makes unstable", "[srm]") {
  const LinearRun run(Turning{});
  ivp::Srm srm{.epsilon = 0.004, .formula = {ivp::Stepper::forward_euler}};
  CHECK_THROWS_WITH(solve(run, srm, 0.01), contains_text("take h = 0.00792"));
  srm.epsilon = 0.006;  // Below h, and stable.
  const ivp::Solution stable = solve(run, srm, 0.01);
  CHECK(stable.report.usable());
  CHECK(stable.report.integration.drift_position < 0.1);
}

TEST_CASE("stages beside forward Euler are refused", "[srm]") {
  const LinearRun run(Turning{});
  CHECK_THROWS_AS(solve(run, {.formula = {ivp::Stepper::forward_euler, 2}}, 1), InvalidOption);
}
