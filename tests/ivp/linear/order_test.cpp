#include <cmath>

#include "ivp/linear/step_local_linear.hpp"
#include "tests/catch.hpp"
#include "tests/ivp/initial_value_problems.hpp"

using namespace daewave;

namespace {

struct Errors {
  double x = 0;
  double By = 0;
};

/// Errors of a problem whose projector is oblique and turns: where it does neither, some orders are
/// higher. Those of B y are at the last stage, which is a node for radau and gains its order of x
/// for h << epsilon. Largest over the last half of the interval, where a start of lower order is
/// forgotten. The exact initial iterate makes every iterate exact but for the discretization.
Errors errors(Scheme scheme, int stages, double epsilon, int steps) {
  const LinFromLeft problem{{2}};
  ivp::LinearOptions options;
  options.scheme = scheme;
  options.stages = stages;
  options.epsilon = epsilon;
  options.steps = steps;
  options.iterates = 1;
  options.By_0 = Waveform::function([&](double t) -> VecX { return problem.By_exact(t); });
  Errors largest;
  const ivp::LinearResult result = ivp::solve(problem, options, [&](const ivp::LinearStep& step) {
    if (step.t < 1) return true;
    const double ex = (step.x - problem.x_exact(step.t)).cwiseAbs().maxCoeff();
    const double ey = (step.By - problem.By_exact(step.t_By)).cwiseAbs().maxCoeff();
    largest.x = std::max(largest.x, ex);
    largest.By = std::max(largest.By, ey);
    return true;
  });
  REQUIRE(result.report.usable());
  return largest;
}

struct Expected {
  Scheme scheme;
  int stages;
  int coarse;  // Steps of the coarser of two runs.
  double x, By;
};

void check_orders(const Expected& expected, double epsilon) {
  CAPTURE(name_of(expected.scheme), expected.stages, epsilon);
  const Errors coarse = errors(expected.scheme, expected.stages, epsilon, expected.coarse);
  const Errors fine = errors(expected.scheme, expected.stages, epsilon, 2 * expected.coarse);
  CAPTURE(coarse.x, fine.x, coarse.By, fine.By);
  CHECK(std::log2(coarse.x / fine.x) == Approx(expected.x).margin(0.2));
  CHECK(std::log2(coarse.By / fine.By) == Approx(expected.By).margin(0.2));
}

}  // namespace

TEST_CASE("orders in h for h << epsilon", "[ivp][AL1-4.8]") {
  const Expected expected =
      GENERATE(Expected{Scheme::radau, 1, 200, 1, 1}, Expected{Scheme::radau, 2, 40, 3, 3},
               Expected{Scheme::radau, 3, 16, 5, 5}, Expected{Scheme::gauss, 1, 100, 2, 2},
               Expected{Scheme::gauss, 2, 30, 4, 3});
  check_orders(expected, 0.5);
}

TEST_CASE("orders in h for epsilon << h", "[ivp][AL1-4.8]") {
  const Expected expected =
      GENERATE(Expected{Scheme::radau, 1, 200, 1, 1}, Expected{Scheme::radau, 2, 40, 3, 2},
               Expected{Scheme::radau, 3, 16, 5, 3}, Expected{Scheme::gauss, 1, 100, 2, 1},
               Expected{Scheme::gauss, 2, 30, 2, 1});
  check_orders(expected, 1e-10);
}

TEST_CASE("each iterate gains a factor epsilon", "[ivp][AL1-3.1]") {
  // From the exact value at the begin, so that no layer hides the order.
  const auto error = [](double epsilon, int iterates) {
    ivp::LinearOptions options;
    options.steps = 400;
    options.epsilon = epsilon;
    options.iterates = iterates;
    options.exact_start = true;
    const ivp::LinearResult result = ivp::solve(Turning{2}, options);
    REQUIRE(result.report.usable());
    return (result.x.rightCols(1) - Turning{}.x_exact(2)).cwiseAbs().maxCoeff();
  };
  for (int iterates = 1; iterates <= 3; ++iterates) {
    CAPTURE(iterates);
    const double order = std::log2(error(8e-3, iterates) / error(4e-3, iterates));
    CHECK(order == Approx(iterates).margin(0.25));
  }
}
