// How the end of a run moves with its start and parameters, beside what is known of it and beside
// differences of runs by another method.

#include "ivp/sensitivities.hpp"

#include <cmath>
#include <string>
#include <vector>

#include "catalogue/initial_value_catalogue.hpp"
#include "core/derivatives/autodiff.hpp"
#include "core/error.hpp"
#include "ivp/solve.hpp"
#include "problems/pendulum.hpp"
#include "tests/catch.hpp"

namespace daewave::catalogue {
namespace {

using problems::Pendulum;

/// By two points, along a direction; by stages of another order, brought back by each run itself.
VecX moved_along(const DaeProblem& problem, const VecX& start, const VecX& direction,
                 const Interval& span) {
  const ivp::Options options{.method = ivp::ProjectEachStep{.formula = {ivp::Stepper::dopri5, {}}},
                             .rtol = 1e-13,
                             .repair_start = true,
                             .start_tolerance = 1e-12,
                             .every = 0};
  const auto end = [&](double d) {
    const VecX beside = start + d * direction;
    const ivp::Solution run = ivp::solve(problem, beside, span, options);
    REQUIRE(run.report.usable());
    return run.end();
  };
  constexpr double d = 5e-5;
  // Richardson's extrapolation takes off what is of second order in d.
  const VecX one = (end(d) - end(-d)) / (2 * d), two = (end(2 * d) - end(-2 * d)) / (4 * d);
  return (4 * one - two) / 3;
}

}  // namespace

TEST_CASE("the end moves with its start as differences of another method say",
          "[catalogue][sensitivities]") {
  struct Case {
    const char* name;
    double end;
  };
  for (const Case& one : {Case{"pendulum", 2}, Case{"eich-pendulum", 3}, Case{"two-link-arm-1", 2},
                          Case{"al2-example6.1", 1}, Case{"al2-example6.4", 1}}) {
    CAPTURE(one.name);
    const InitialValueProblemPtr problem = make(*find(one.name));
    const Interval span{problem->interval().begin, one.end};
    const ivp::Sensitivities found =
        ivp::sensitivities(problem->problem(), problem->start(), span, {.rtol = 1e-8});
    REQUIRE(found.solution.report.usable());
    CAPTURE(found.error);
    CHECK(found.error < 1e-6);
    const int n = static_cast<int>(problem->start().size());
    for (int k = 0; k < 2; ++k) {
      VecX direction(n);
      for (int i = 0; i < n; ++i) direction[i] = std::sin(1.0 + 2.7 * i + 1.3 * k);
      const VecX expected = moved_along(problem->problem(), problem->start(), direction, span);
      const VecX gap = found.start * direction - expected;
      CHECK(gap.lpNorm<Eigen::Infinity>() < 1e-6 * expected.lpNorm<Eigen::Infinity>());
    }
  }
}

TEST_CASE("the end of a pendulum moves with gravity as its solution does",
          "[catalogue][sensitivities]") {
  constexpr double end = 3;
  const ivp::Family family = [](const VecX& parameters) {
    const Pendulum pendulum{.g0 = parameters[0]};
    const VecX start = pendulum.start();
    return ivp::Member{problem_of(pendulum), start};
  };
  const Pendulum pendulum;
  const double g = pendulum.g0;
  const ivp::Sensitivities found =
      ivp::sensitivities(family, VecX::Constant(1, g), {0, end}, {.rtol = 1e-8});
  REQUIRE(found.solution.report.usable());
  CHECK(found.error < 1e-6);
  // Positions are functions of sqrt(g) t, velocities sqrt(g) times such functions.
  const Vec<4> z = pendulum.z_exact(end);
  const double lambda = pendulum.y_exact(end)[0], part = end / (2 * g);
  const Vec<4> expected{z[2] * part, z[3] * part, z[2] / (2 * g) - lambda * z[0] * part,
                        z[3] / (2 * g) + (-g - lambda * z[1]) * part};
  const VecX gap = found.parameters.col(0) - expected;
  CHECK(gap.lpNorm<Eigen::Infinity>() < 1e-6 * expected.lpNorm<Eigen::Infinity>());
  // Along the motion the end moves along the motion: S z'(0) = z'(T).
  const Vec<4> at_start{0, 0, 0, -g};
  const Vec<4> at_end{z[2], z[3], -lambda * z[0], -g - lambda * z[1]};
  const VecX along = found.start * at_start - at_end;
  CHECK(along.lpNorm<Eigen::Infinity>() < 1e-6 * at_end.lpNorm<Eigen::Infinity>());
  // Off the constraints nothing moves: the rod is as long as it is.
  CHECK(found.start.col(0).lpNorm<Eigen::Infinity>() < 1e-6);
}

TEST_CASE("sensitivities are refused with a fixed h", "[catalogue][sensitivities]") {
  const InitialValueProblemPtr problem = make(*find("pendulum"));
  CHECK_THROWS_AS(ivp::sensitivities(problem->problem(), problem->start(), {0, 1}, {.h = 0.01}),
                  InvalidOption);
}

}  // namespace daewave::catalogue
