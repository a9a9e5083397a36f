// Orders of iterates of linear problems, whose exact initial iterate is known.

#include <algorithm>
#include <cmath>
#include <vector>

#include "ivp/solve.hpp"
#include "tests/catch.hpp"
#include "tests/ivp/linear_runs.hpp"

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
  const LinearRun run(problem);
  const Collocation formula = collocation(scheme, stages);
  ivp::SrmStep step = run.step({.variant = Variant::singular_linear, .epsilon = epsilon}, formula,
                               1, [&](double t, VecX& By) { By = problem.By_exact(t); });
  std::vector<double> wave(static_cast<std::size_t>(stages + 1) * 4);
  step.leave(wave.data());
  Errors largest;
  const Mesh mesh = uniform_mesh(0, 2, steps);
  REQUIRE(step_along(step, mesh, run.start, [&](int i) {
    if (step.t() < 1) return;
    const double t_By = mesh.node(i) + formula.c[stages - 1] * mesh.step(i);
    const Vec<4> By = Eigen::Map<const Vec<4>>(wave.data() + 4 * (stages - 1));
    const double ex = (step.state() - problem.x_exact(step.t())).cwiseAbs().maxCoeff();
    const double ey = (By - problem.By_exact(t_By)).cwiseAbs().maxCoeff();
    largest.x = std::max(largest.x, ex);
    largest.By = std::max(largest.By, ey);
  }));
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

TEST_CASE("orders in h for h << epsilon", "[srm][AL1-4.8]") {
  const Expected expected =
      GENERATE(Expected{Scheme::radau, 1, 200, 1, 1}, Expected{Scheme::radau, 2, 40, 3, 3},
               Expected{Scheme::radau, 3, 16, 5, 5}, Expected{Scheme::gauss, 1, 100, 2, 2},
               Expected{Scheme::gauss, 2, 30, 4, 3});
  check_orders(expected, 0.5);
}

TEST_CASE("orders in h for epsilon << h", "[srm][AL1-4.8]") {
  const Expected expected =
      GENERATE(Expected{Scheme::radau, 1, 200, 1, 1}, Expected{Scheme::radau, 2, 40, 3, 2},
               Expected{Scheme::radau, 3, 16, 5, 3}, Expected{Scheme::gauss, 1, 100, 2, 1},
               Expected{Scheme::gauss, 2, 30, 2, 1});
  check_orders(expected, 1e-10);
}

TEST_CASE("each iterate gains a factor epsilon", "[srm][AL1-3.1]") {
  // From the exact value at the begin, so that no layer hides the order.
  const auto error = [](double epsilon, int iterates) {
    const LinearRun run(Turning{2});
    ivp::SrmStep step = run.step({.variant = Variant::singular_linear, .epsilon = epsilon},
                                 collocation(Scheme::radau, 3), iterates,
                                 [&](double, VecX& By) { By = Turning{}.By_exact(0); });
    REQUIRE(step_along(step, uniform_mesh(0, 2, 400), run.start, [](int) {}));
    return (step.state() - Turning{}.x_exact(2)).cwiseAbs().maxCoeff();
  };
  for (int iterates = 1; iterates <= 3; ++iterates) {
    CAPTURE(iterates);
    const double order = std::log2(error(8e-3, iterates) / error(4e-3, iterates));
    CHECK(order == Approx(iterates).margin(0.25));
  }
}

TEST_CASE("an exact start leaves no initial layer", "[srm][AL1-4.2]") {
  const Al1Example2 problem;
  const LinearRun run(problem);
  const auto first_error = [&](int exact_start) {
    double error = 0;
    ivp::Options options{.method = ivp::Srm{.variant = Variant::singular_linear,
                                            .epsilon = 0.05,
                                            .iterates = 2,
                                            .exact_start = exact_start,
                                            .formula = {ivp::Stepper::radau}},
                         .h = 1e-3};
    options.sink = [&](const ivp::Output& out) {
      if (out.step == 0) return true;
      const Eigen::Map<const Vec<2>> By(out.multiplier);
      error = (By - problem.By_exact(out.t)).cwiseAbs().maxCoeff();
      return false;
    };
    ivp::solve(*run.problem, run.start, run.span, options);
    return error;
  };
  CHECK(first_error(-1) > 0.9);
  // By_exact changes by |sin t| < 1e-3 within the first step.
  CHECK(first_error(0) < 1e-3);
}
