// The initial layer repaired from the far end.                               [AL1] section 4.1

#include "bvp/linear/shooting_back.hpp"

#include <random>

#include "core/error.hpp"
#include "problems/al1.hpp"
#include "problems/ap91.hpp"
#include "problems/lin.hpp"
#include "tests/bvp/exact_errors.hpp"
#include "tests/bvp/linear/random_problem.hpp"
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

TEST_CASE("the way back tells the mesh that it takes", "[shooting]") {
  const problems::Al1Example1 problem;
  Options options = midpoint_rule(0.05);
  options.intervals.reset();
  // Steps of 0.01 up to 1/2, of 0.02 beyond.
  std::vector<double> nodes;
  for (int i = 0; i < 50; ++i) nodes.push_back(0.01 * i);
  for (int i = 0; i <= 25; ++i) nodes.push_back(0.5 + 0.02 * i);
  options.mesh = Mesh(nodes);
  const Report report = solve_with_shooting_back(problem, options, along_x1).backward.report;
  INFO(report.full());
  REQUIRE(report.usable());
  CHECK(report.intervals == 75);
  CHECK(report.smallest_step == Approx(0.01));
  CHECK(report.largest_step == Approx(0.02));
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

namespace {

/// [AL1] Example 1 with its constraint in another unit.
struct ConstraintInUnit : problems::Al1Example1 {
  double unit = 1;
  Mat<1, 2> C(double t) const { return unit * Al1Example1::C(t); }
  Vec<1> r(double t) const { return unit * Al1Example1::r(t); }
  Mat<1, 2> C_t(double t) const { return unit * Al1Example1::C_t(t); }
  Vec<1> r_t(double t) const { return unit * Al1Example1::r_t(t); }
};

}  // namespace

TEST_CASE("in any unit of its constraint a solution is moved onto it where the way back begins",
          "[shooting]") {
  ConstraintInUnit problem;
  for (const double unit : {1e-3, 1.0, 1e3}) {
    problem.unit = unit;
    const Solution back = solve_with_shooting_back(problem, midpoint_rule(1e-2), along_x1).backward;
    CAPTURE(unit);
    REQUIRE(back.has_values());
    CHECK((back.x(1.0) - problem.x_exact(1)).norm() < 1e-3);
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

namespace {

/// Free components decay: the way back amplifies by exp(growth).
testing::RandomProblem decaying(unsigned seed, double growth) {
  std::mt19937 generator(seed);
  const auto uniform = [&](double low, double high) {
    return low + (high - low) * (static_cast<double>(generator()) / 4294967296.0);
  };
  testing::RandomProblem problem;
  problem.m = 1;
  problem.n = 2 + static_cast<int>(seed % 3);
  problem.length = uniform(1, 4);
  problem.turning = uniform(0.2, 2);
  for (int i = 0; i < problem.n - problem.m; ++i) {
    problem.modes.push_back(-(i == 0 ? growth : uniform(0.2, 1) * growth) / problem.length);
  }
  const auto wave = [&] {
    testing::RandomFunction one;
    one.amplitude = uniform(0.5, 1);
    one.frequency = uniform(0.5, 4);
    one.phase = uniform(0, 6);
    return one;
  };
  for (int i = 0; i < problem.n; ++i) problem.z.push_back(wave());
  problem.y.push_back(wave());
  problem.beside = MatX::NullaryExpr(1, problem.n, [&] { return uniform(-1, 1); });
  problem.oblique = MatX::NullaryExpr(problem.n - 1, 1, [&] { return uniform(-0.3, 0.3); });
  problem.rows = problem.columns = {1};
  return problem;
}

Options radau_with(double epsilon) {
  Options options;
  options.scheme = Scheme::radau;
  options.stages = 4;
  options.intervals = 200;
  options.epsilon = epsilon;
  options.alpha1 = 0.0;
  options.iterates = 4;
  return options;
}

}  // namespace

TEST_CASE(
    "whatever the way back amplifies, the best of both solves is no worse than the forward one",
    "[shooting]") {
  /// What a new start leaves, and whether the way back may be believed: of each first seed.
  struct Left {
    double open;
    bool usable;
  };
  const std::vector<Left> left = {{2.150e-03, true},  {0.000e+00, true}, {0.000e+00, true},
                                  {0.000e+00, true},  {0.000e+00, true}, {0.000e+00, true},
                                  {0.000e+00, false}, {1.556e-07, true}, {1.301e-05, true},
                                  {4.358e-05, true},  {1.404e-04, true}, {4.399e-04, true},
                                  {1.351e-03, true},  {8.775e-03, true}};
  auto recorded = left.begin();
  for (const double epsilon : {0.1, 1e-2}) {
    for (const double growth : {1.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.7}) {
      for (unsigned seed = 0; seed < 3; ++seed) {
        CAPTURE(epsilon, growth, seed);
        const auto problem = decaying(seed, growth);
        const ShootingBack result = solve_with_shooting_back(problem, radau_with(epsilon));
        if (seed == 0) {
          CAPTURE(result.redone_open, result.backward.report.usable());
          CHECK(result.redone_open == Approx(recorded->open).epsilon(0.03).margin(1e-9));
          CHECK(result.backward.report.usable() == recorded->usable);
          ++recorded;
        }
        const testing::Errors forward = testing::errors_of(result.forward, problem);
        const testing::Errors best = testing::errors_of(result.best(), problem);
        CAPTURE(forward.By, best.By, result.forward_open, result.redone_open);
        CHECK(best.By <= forward.By);
        CHECK(best.x <= forward.x);
        // Errors that were amplified do not pass for convergence.
        if (result.backward.has_values() && result.backward.report.usable()) {
          CHECK(testing::errors_of(result.backward, problem).relative_By() < 4);
        }
        // Where the layer is thin the way back is wanted only close to it.
        if (epsilon == 1e-2 && growth < 12) CHECK(best.By < 0.05 * forward.By);
        // What is told of the layer is right but for a small factor.
        CHECK(result.forward_open * (1 + forward.By_largest) > 0.5 * forward.By);
        CHECK(result.forward_open * (1 + forward.By_largest) < 3 * forward.By);
        if (&result.best() == &result.forward) {
          const bool told = !result.redone.has_values() ||
                            result.redone.report.full().find("no better than the forward solve") !=
                                std::string::npos;
          CHECK(told);
          CHECK_THAT(result.forward.report.advice, contains_text("a smaller epsilon"));
        }
      }
    }
  }
}

TEST_CASE("what is left after shooting back is held against the tolerance", "[shooting]") {
  int met = 0, not_met = 0;
  for (const double epsilon : {0.1, 0.03, 1e-2}) {
    const auto problem = decaying(1, 5);
    for (const double tolerance : {1e-2, 3e-4, 1e-5, 1e-6, 1e-7}) {
      Options options = radau_with(epsilon);
      options.tolerance = tolerance;
      const ShootingBack result = solve_with_shooting_back(problem, options);
      REQUIRE(result.redone.has_values());
      const ErrorEstimate& estimate = result.redone.report.error;
      CAPTURE(epsilon, tolerance, result.redone_open, result.redone.report.full());
      if (result.redone_open > result.forward_open) continue;
      const double most = std::max({estimate.x, estimate.By, result.redone_open});
      if (result.redone.report.usable()) CHECK(most <= tolerance);
      if (most <= tolerance) CHECK(result.redone.report.usable());
      ++(result.redone.report.usable() ? met : not_met);
    }
  }
  CHECK(met > 2);
  CHECK(not_met > 2);
}

TEST_CASE("where the way back does not repair a layer, why and a way out are told", "[shooting]") {
  const auto problem = decaying(1, 30);
  Options options{.tolerance = 1e-6, .stages = 4, .epsilon = 0.1, .alpha1 = 0.0};
  const Solution open = solve(problem, options);
  INFO(open.report.full());
  CHECK(open.report.termination == Termination::iterates_exhausted);
  CHECK_THAT(open.report.full(), contains_text("shooting back: "));
  CHECK_THAT(open.report.advice, contains_text("a smaller epsilon"));
  CHECK_THAT(open.report.advice, !contains_text("more iterates"));
  options.epsilon = 1e-4;
  CHECK(solve(problem, options).report.usable());
}

TEST_CASE("a forward solve without a layer is not spoilt", "[shooting]") {
  for (const double growth : {5.0, 9.0, 11.0, 13.0}) {
    for (unsigned seed = 0; seed < 6; ++seed) {
      CAPTURE(growth, seed);
      const auto problem = decaying(seed, growth);
      Options options = radau_with(0.1);
      const VecX off = VecX::Constant(problem.n, 1e-3);
      options.By_0 = Waveform::function(
          [problem, off](double t) -> VecX { return problem.By_exact(t) + off; });
      const ShootingBack result = solve_with_shooting_back(problem, options);
      const testing::Errors forward = testing::errors_of(result.forward, problem);
      const testing::Errors best = testing::errors_of(result.best(), problem);
      CHECK(forward.By < 1e-2);
      CHECK(best.By <= 1.5 * forward.By);
    }
  }
}

TEST_CASE("the backward pass has as many iterates as are asked for", "[shooting]") {
  const problems::Al1Example1 problem;
  Options options = midpoint_rule(1e-2);
  const auto iterates = [&](const ShootingBackOptions& shooting) {
    return solve_with_shooting_back(problem, options, shooting).backward.iterates();
  };
  CHECK(iterates({}) == 3);
  CHECK(iterates({.iterates = 5}) == 5);
  options.iterates.reset();
  CHECK(iterates({.iterates = 2}) == 2);
  // Left open they end where B y at the begin no longer changes.
  const ShootingBack open = solve_with_shooting_back(problem, options);
  CHECK(open.backward.report.usable());
  CHECK(open.backward.iterates() > 3);
  CHECK_THROWS_WITH(shoot_back(open.forward, options, {.iterates = 0}),
                    contains_text("iterates = 0") && contains_text("must be >= 1"));
}

TEST_CASE("a limit of amplification that was lifted does not pass for convergence", "[shooting]") {
  Options options;
  options.scheme = Scheme::radau;
  options.intervals = 400;
  options.epsilon = 1e-2;
  options.max_amplification = 1e60;
  const problems::Lin problem{60};
  const ShootingBack result = solve_with_shooting_back(problem, options);
  INFO(result.backward.report.full());
  REQUIRE(result.backward.has_values());
  CHECK(testing::errors_of(result.backward, problem).By > 1e3);
  CHECK(result.backward.report.termination == Termination::tolerance_not_met);
  CHECK_THAT(result.backward.report.message, contains_text("differs from that of the forward"));
  REQUIRE(result.backward.report.warnings.size() == 1);
  CHECK_THAT(result.backward.report.warnings[0], contains_text("which max_amplification = 1e+60"));
  CHECK(testing::errors_of(result.best(), problem).By <=
        testing::errors_of(result.forward, problem).By);
}

}  // namespace daewave::bvp
