// Forward Euler: what a step is, its order, and what it refuses.

#include "ivp/linear/forward_euler.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include "core/error.hpp"
#include "ivp/linear/step_local_linear.hpp"
#include "tests/catch.hpp"
#include "tests/ivp/initial_value_problems.hpp"

using namespace daewave;

namespace {

ivp::LinearOptions explicit_options(int steps) {
  ivp::LinearOptions options;
  options.explicit_euler = true;
  options.steps = steps;
  return options;
}

/// Largest error of x at t = 10, the initial iterate being exact.
double error_at_end(int steps) {
  const Turning problem;
  ivp::LinearOptions options = explicit_options(steps);
  options.epsilon = 0.5;
  options.iterates = 2;
  options.By_0 = Waveform::function([&](double t) -> VecX { return problem.By_exact(t); });
  const ivp::LinearResult result = ivp::solve(problem, options);
  REQUIRE(result.report.usable());
  return (result.x.col(1) - problem.x_exact(10)).cwiseAbs().maxCoeff();
}

}  // namespace

TEST_CASE("forward Euler moves x by its slope at the left node, then sets B y", "[ivp][AL1-3.16]") {
  const Turning problem{0.1};
  constexpr double epsilon = 0.3, alpha1 = 0.2, h = 0.05;
  ivp::LinearOptions options = explicit_options(2);
  options.epsilon = epsilon;
  options.alpha1 = alpha1;
  options.iterates = 2;
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
  const ivp::LinearResult result = ivp::solve(problem, options);
  REQUIRE(result.report.usable());
  CHECK(result.t_By == Approx(0.1).epsilon(1e-15));
  CHECK((result.x.col(1) - x).norm() < 1e-14);
  CHECK((result.By.col(1) - problem.B(0.1) * y_old[2]).norm() < 1e-14);
}

TEST_CASE("forward Euler has order one", "[ivp]") {
  CHECK(std::log2(error_at_end(4000) / error_at_end(8000)) == Approx(1).margin(0.05));
}

TEST_CASE("with everything open forward Euler takes epsilon from its step", "[ivp]") {
  const ivp::LinearResult result = ivp::solve(Turning{}, explicit_options(10000));
  CAPTURE(result.report.full());
  CHECK(result.report.usable());
  CHECK(result.report.warnings.empty());
  // Order one: h |x''| and what it is amplified by.
  CHECK((result.x.col(result.x.cols() - 1) - Turning{}.x_exact(10)).norm() < 0.01);
}

TEST_CASE("forward Euler refuses steps that the regularization makes unstable", "[ivp]") {
  ivp::LinearOptions options = explicit_options(1000);  // h = 0.01
  options.epsilon = 0.004;
  CHECK_THROWS_WITH(ivp::solve(Turning{}, options),
                    contains_text("must be < 2 (epsilon + alpha1) / alpha2 = 0.008"));
  options.epsilon = 0.006;  // Below h, and stable.
  const ivp::LinearResult stable = ivp::solve(Turning{}, options);
  CHECK(stable.report.usable());
  CHECK(stable.report.history.back().drift < 0.1);
}

TEST_CASE("forward Euler beside a scheme is refused", "[ivp]") {
  ivp::LinearOptions options = explicit_options(10);
  options.scheme = Scheme::radau;
  CHECK_THROWS_AS(ivp::solve(Turning{}, options), InvalidOption);
  options.scheme.reset();
  options.stages = 2;
  CHECK_THROWS_AS(ivp::solve(Turning{}, options), InvalidOption);
}
