// The initial layer repaired from the far end.                               [AL1] section 4.1

#include "bvp/linear/shooting_back.hpp"

#include "core/error.hpp"
#include "problems/al1.hpp"
#include "problems/ap91.hpp"
#include "problems/lin.hpp"
#include "tests/bvp/exact_errors.hpp"
#include "tests/catch.hpp"

namespace daewave::bvp {
namespace {

Options midpoint_rule(double epsilon) {
  Options options;
  options.scheme = Scheme::midpoint;
  options.intervals = 100;
  options.epsilon = epsilon;
  options.alpha1 = 0.0;
  options.iterates = 3;
  return options;
}

// As the independent calculation below does it.
const ShootingBackOptions along_x1{.correct_along = MatX{{1}, {0}}, .blend = false};

}  // namespace

TEST_CASE("the redone solve of [AL1] Example 1 starts without a layer", "[shooting][AL1-4.5]") {
  const problems::Al1Example1 problem;
  struct Line {
    double epsilon;
    double ex[5], ey[5];
  };
  // An independent calculation, three digits; at t = .01, .1, .3, .5 and 1, B y half a step before.
  const std::vector<Line> lines{
      {0.1,
       {9.461e-05, 1.154e-04, 3.100e-05, 2.949e-05, 1.592e-04},
       {3.822e-03, 1.128e-03, 5.978e-05, 2.825e-04, 1.456e-02}},
      {0.05,
       {1.257e-05, 1.330e-05, 1.032e-05, 9.299e-06, 6.309e-05},
       {2.304e-03, 4.144e-04, 5.741e-05, 1.449e-05, 7.763e-03}},
      {0.01,
       {1.201e-05, 6.440e-06, 7.115e-06, 7.060e-06, 1.659e-05},
       {1.773e-03, 2.374e-05, 1.858e-05, 1.352e-05, 1.280e-03}},
      {0.001,
       {1.894e-05, 6.384e-06, 7.076e-06, 7.034e-06, 9.353e-06},
       {2.459e-03, 7.028e-04, 2.008e-05, 1.357e-05, 3.846e-04}},
  };
  const int nodes[] = {1, 10, 30, 50, 100};
  for (const Line& line : lines) {
    const ShootingBack result =
        solve_with_shooting_back(problem, midpoint_rule(line.epsilon), along_x1);
    REQUIRE(result.backward.report.usable());
    REQUIRE(result.redone.report.usable());
    const Solution& solution = result.best();
    for (int k = 0; k < 5; ++k) {
      const int i = nodes[k];
      const double t = solution.mesh().node(i), middle = solution.stage_time(i - 1, 0);
      const double ex = (solution.x_at_node(i) - problem.x_exact(t)).cwiseAbs().maxCoeff();
      const VecX gap = solution.By_at_stage(i - 1, 0) - problem.By_exact(middle);
      CAPTURE(line.epsilon, t);
      CHECK(ex == Approx(line.ex[k]).epsilon(1e-3));
      CHECK(gap.cwiseAbs().maxCoeff() == Approx(line.ey[k]).epsilon(1e-3));
    }
  }
}

TEST_CASE("blending both passes leaves no layer at the end either", "[shooting]") {
  const problems::Al1Example1 problem;
  ShootingBackOptions blended = along_x1;
  blended.blend = true;
  for (const double epsilon : {0.1, 0.05, 0.01}) {
    const auto at_end = [&](const ShootingBackOptions& shooting) {
      const ShootingBack result =
          solve_with_shooting_back(problem, midpoint_rule(epsilon), shooting);
      REQUIRE(result.redone.report.usable());
      const VecX gap = result.redone.By_at_stage(99, 0) - problem.By_exact(0.995);
      return gap.cwiseAbs().maxCoeff();
    };
    // The backward pass alone leaves 0.14 epsilon there, the layer of its constant start.
    CAPTURE(epsilon);
    CHECK(at_end(along_x1) > 0.1 * epsilon);
    CHECK(at_end(blended) < 0.2 * at_end(along_x1));
  }
}

TEST_CASE("the backward pass runs on the forward mesh in forward time, for every scheme",
          "[shooting]") {
  const problems::Al1Example1 problem;
  for (const Scheme scheme : {Scheme::gauss, Scheme::radau, Scheme::lobatto}) {
    Options options = midpoint_rule(1e-2);
    options.scheme = scheme;
    options.stages = 3;
    options.iterates = 4;
    const ShootingBack result = solve_with_shooting_back(problem, options);
    CAPTURE(name_of(scheme));
    INFO(result.backward.report.full());
    REQUIRE(result.backward.report.usable());
    CHECK(result.backward.mesh().begin() == 0);
    CHECK(result.backward.mesh().end() == 1);
    // The layer of the forward solve is of size one. That of the backward pass starts from a
    // constant, wrong in its slope only, |sin 1| = 0.84: epsilon times that at most.
    const testing::Errors backward = testing::errors_of(result.backward, problem);
    const testing::Errors forward = testing::errors_of(result.forward, problem);
    CHECK(forward.By > 0.1);
    CHECK(backward.By < 0.0084);
    CHECK(backward.x < 1e-4);
    // Dense output is that of the turned scheme.
    const double t = 0.3337;
    CHECK((result.backward.x(t) - problem.x_exact(t)).cwiseAbs().maxCoeff() < 1e-4);
    CHECK((result.backward.By(t) - problem.By_exact(t)).cwiseAbs().maxCoeff() < 0.0084);
    REQUIRE(result.redone.report.usable());
    CHECK(testing::errors_of(result.redone, problem).By < 0.0084);
  }
}

TEST_CASE("a terminal value problem that amplifies errors is refused with the reason",
          "[shooting]") {
  Options options;
  options.scheme = Scheme::radau;
  options.intervals = 400;
  options.epsilon = 1e-3;
  const ShootingBack result = solve_with_shooting_back(problems::Lin{100}, options);
  CHECK(result.backward.report.termination == Termination::refused);
  CHECK_FALSE(result.backward.has_values());
  CHECK_THAT(result.backward.report.message,
             contains_text("amplifies errors by 10^") && contains_text("t = 100"));
  CHECK_FALSE(result.redone.has_values());
  CHECK_THAT(result.redone.report.message, contains_text("not run"));
  CHECK(&result.best() == &result.forward);
}

TEST_CASE("shooting back is refused where it makes no sense", "[shooting]") {
  const problems::Al1Example1 problem;
  SECTION("from a solution without a layer") {
    const Solution forward = solve(problems::Ap91{1}, {.intervals = 20, .alpha1 = 1.0});
    REQUIRE(forward.has_values());
    CHECK_THROWS_AS(shoot_back(forward), InvalidOption);
    CHECK_THROWS_WITH(shoot_back(forward),
                      contains_text("alpha1 = 1") && contains_text("no initial layer"));
  }
  SECTION("from no solution") { CHECK_THROWS_AS(shoot_back(Solution{}), InvalidOption); }
  SECTION("along a direction of another shape") {
    const Solution forward = solve(problem, midpoint_rule(0.1));
    for (const MatX& along : {MatX(MatX::Ones(3, 1)), MatX(MatX::Ones(2, 2)), MatX(1, 2)}) {
      CHECK_THROWS_AS(shoot_back(forward, {}, {.correct_along = along}), InvalidOption);
      CHECK_THROWS_WITH(shoot_back(forward, {}, {.correct_along = along}),
                        contains_text("must be nx x ny = 2 x 1"));
    }
  }
  SECTION("along a direction the constraint does not see") {
    const Solution forward = solve(problem, midpoint_rule(0.1));
    const MatX along{{1}, {-1}};
    CHECK_THROWS_WITH(shoot_back(forward, {}, {.correct_along = along}),
                      contains_text("C D is singular") && contains_text("t = 1"));
  }
}

}  // namespace daewave::bvp
