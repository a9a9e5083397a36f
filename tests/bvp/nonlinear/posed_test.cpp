// What collocation sees of a problem and its options: states with more than x in them, what turns
// them round, sizes, bounds, guesses, members of a family.

#include "bvp/nonlinear/posed.hpp"

#include <cmath>

#include "bvp/solve.hpp"
#include "core/error.hpp"
#include "problems/boundary_motion.hpp"
#include "tests/bvp/made_up_solution.hpp"
#include "tests/catch.hpp"

namespace daewave::bvp {
namespace {

/// y'' = -k y, which is linear in y and not in (y, k).
struct VibratingString {
  using State = Vec<2>;
  double k = 8, end = 1;
  Interval interval() const { return {0, end}; }
  State f(const State& x, double) const { return {x[1], -k * x[0]}; }
  VecX conditions(const State& left, const State& right) const {
    return VecX{{left[0], right[0], left[1] - 1}};
  }
  State guess(double t) const { return {t * (1 - t), 1 - 2 * t}; }
};

ProblemFamily strings(bool unknown, bool of_one_length = true) {
  ProblemFamily family;
  family.member = [=](const VecX& p) {
    BoundaryProblem problem =
        boundary_problem_of(VibratingString{.k = p[0], .end = of_one_length ? 1 : p[0] / 8});
    problem.is_linear = true;
    return problem;
  };
  family.p = VecX{{8.0}};
  family.names = {"k"};
  if (unknown) family.unknown = {0};
  return family;
}

ProblemFamily alone(const BoundaryProblem& problem) {
  ProblemFamily family;
  family.member = [problem](const VecX&) { return problem; };
  return family;
}

BoundaryProblem swing() {
  problems::PendulumBetween pendulum;
  pendulum.t_end = 0.4;
  return boundary_problem_of(pendulum);
}

}  // namespace

TEST_CASE("a problem that is linear in x is not in x and an unknown parameter", "[posed]") {
  CHECK(Posed(strings(false), {}).problem().is_linear);
  CHECK_FALSE(Posed(strings(true), {}).problem().is_linear);
}

TEST_CASE("in the time that runs from the end velocities are turned, inside as at the ends",
          "[posed]") {
  BoundaryProblem problem = swing();
  problem.inside = {0.5 * problem.interval.end};
  problem.further_conditions = [](const Observed& of) { return VecX(of.inside[0].head(1)); };
  problem.conditions = [all = problem.conditions](const VecX& left, const VecX& right) {
    return VecX(all(left, right).head(1));
  };
  const Posed posed(alone(problem), {.alpha1 = 0.0});
  const auto& turned = posed.problem().reversed.turned;
  REQUIRE(turned);
  const VecX there = turned(VecX{{1, 2, 3, 4, 5, 6, 7, 8}});
  CHECK(there == VecX{{1, 2, -3, -4, 5, 6, -7, -8}});
}

TEST_CASE("errors of parameters are measured by the tolerance, whatever those of x are",
          "[posed]") {
  const Options options{.tolerance = 1e-4, .tolerances = {.relative = 1e-7, .absolute = 1e-8}};
  const Posed posed(strings(true), options);
  const ComponentSizes& sizes = posed.problem().sizes.x;
  REQUIRE(sizes.are_given());
  REQUIRE(sizes.absolute().size() == 3);
  // Units of all are compared with one tolerance.
  const double unit = sizes.relative()[2] / sizes.relative()[0];
  CHECK(unit == Approx(1e-4 / 1e-7));
  CHECK(sizes.relative()[1] == sizes.relative()[0]);
  CHECK(sizes.absolute()[2] / sizes.relative()[0] == Approx(1e-4 / 1e-7));
}

TEST_CASE("margins at bounds are parts of the largest distance of the guess", "[posed]") {
  BoundaryProblem problem = boundary_problem_of(VibratingString{});
  problem.conditions = [](const VecX& left, const VecX& right) {
    return VecX{{left[0], right[0]}};
  };
  problem.lower = VecX{{-1, -INFINITY}};
  // 1 from the bound at the begin, 10 at the end.
  problem.guess = [](double t) { return VecX{{9 * t, 0}}; };
  const Posed posed(alone(problem), {});
  REQUIRE(posed.problem().bounds);
  CHECK(posed.problem().bounds->low()[0] == Approx(-1 + 10 * StateBounds::widest));
}

TEST_CASE("a solution is a guess for what is carried where that is of the same variant",
          "[posed]") {
  const BoundaryProblem problem = swing();
  const Solution before = solve(problem, {.tolerance = 1e-4, .variant = Variant::invariant});
  REQUIRE(before.report.usable());
  const auto carried = [&](Variant variant) {
    const Posed posed(alone(problem), {.from = before, .variant = variant});
    REQUIRE(posed.problem().start);
    return posed.problem().start->curve().values().carried.norm();
  };
  CHECK(carried(Variant::invariant) > 0);
  CHECK(carried(Variant::baumgarte_form) == 0);
}

TEST_CASE("members of a family for other unknowns must be alike", "[posed]") {
  const Posed alike(strings(true), {});
  CHECK_NOTHROW(alike.problem().member(VecX{{0, 0, 9}}));
  const Posed others(strings(true, false), {});
  CHECK_NOTHROW(others.problem().member(VecX{{0, 0, 8}}));
  CHECK_THROWS_WITH(others.problem().member(VecX{{0, 0, 9}}),
                    contains_text("k = 9: another kind, size, interval"));
}

TEST_CASE("parameters are not found where there is no solution", "[posed]") {
  const Posed posed(strings(true), {});
  Report report;
  report.termination = Termination::not_converged;
  const Solution none = posed.solution(Solution(nullptr, report));
  REQUIRE(none.report.parameters.size() == 1);
  CHECK_FALSE(none.report.parameters[0].found);
  CHECK(none.parameters[0] == 8);
}

}  // namespace daewave::bvp
