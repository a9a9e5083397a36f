// B y right up to the begin of the interval, where iterates with alpha1 = 0 leave it as it was.

#include "bvp/linear/initial_layer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bvp/mesh/left_by_iterates.hpp"
#include "bvp/solve.hpp"
#include "problems/al1.hpp"
#include "problems/ap91.hpp"
#include "problems/lin.hpp"
#include "tests/bvp/exact_errors.hpp"
#include "tests/catch.hpp"
#include "tests/core/singular_coefficients.hpp"

namespace daewave::bvp {
namespace {

/// Largest error of x and B y anywhere, the begin included, relative to 1 + the largest value.
template <class P>
double largest_error(const Solution& solution, const P& problem) {
  const Mesh& mesh = solution.mesh();
  double x = 0, By = 0, x_size = 1, By_size = 1;
  for (int i = 0; i < mesh.intervals(); ++i) {
    for (int j = 0; j <= 7; ++j) {
      const double t = std::min(mesh.end(), mesh.node(i) + mesh.step(i) * j / 7);
      const VecX x_exact = problem.x_exact(t), By_exact = problem.By_exact(t);
      x_size = std::max(x_size, 1 + x_exact.cwiseAbs().maxCoeff());
      By_size = std::max(By_size, 1 + By_exact.cwiseAbs().maxCoeff());
      x = std::max(x, (solution.x(t) - x_exact).cwiseAbs().maxCoeff());
      By = std::max(By, (solution.By(t) - By_exact).cwiseAbs().maxCoeff());
    }
  }
  return std::max(x / x_size, By / By_size);
}

template <class P>
void meets(const P& problem, Options options, double tolerance) {
  options.tolerance = tolerance;
  const Solution solution = solve(problem, options);
  INFO(solution.report.full());
  REQUIRE(solution.report.usable());
  CHECK(largest_error(solution, problem) <= tolerance);
}

}  // namespace

TEST_CASE("an epsilon of any size leaves no layer where a tolerance was asked", "[shooting]") {
  for (const double epsilon : {2e-2, 1e-2, 3e-3, 1e-3, 1e-4}) {
    for (const double tolerance : {1e-3, 1e-4, 1e-6}) {
      // The layer decays like exp(-t / (2 epsilon)), and the way back needs as much again.
      if (epsilon == 2e-2 && tolerance < 1e-4) continue;
      CAPTURE(epsilon, tolerance);
      const Options options{.epsilon = epsilon, .alpha1 = 0.0};
      meets(problems::Al1Example1{}, options, tolerance);
      meets(problems::Al1Example2{}, options, tolerance);
      meets(problems::Al1Example3{}, options, tolerance);
      meets(problems::Ap91{1}, options, tolerance);
      for (const testing::SingularKind& kind : testing::singular_kinds(0.5)) {
        CAPTURE(kind.name);
        meets(testing::singular_dae(kind, {0, 1}), options, tolerance);
      }
    }
  }
}

TEST_CASE("no layer is left where the way back from the end amplifies by any factor",
          "[shooting]") {
  for (const double epsilon : {3e-2, 1e-2, 1e-3}) {
    // A mode that grows forward, and two that grow by e^100 on the whole way back.
    const problems::Lin problem{100};
    const Solution solution = solve(problem, {.tolerance = 1e-6,
                                              .epsilon = epsilon,
                                              .alpha1 = 0.0,
                                              .By_0 = Waveform::constant(VecX::Constant(4, 1.0))});
    CAPTURE(epsilon);
    INFO(solution.report.full());
    REQUIRE(solution.report.usable());
    CHECK(largest_error(solution, problem) <= 1e-6);
  }
}

TEST_CASE("schemes with a stage at the begin find B y there", "[shooting][lobatto]") {
  for (const double tolerance : {1e-4, 1e-6}) {
    const Options options{.scheme = Scheme::lobatto, .alpha1 = 0.0};
    meets(problems::Al1Example1{}, options, tolerance);
    meets(problems::Al1Example3{}, options, tolerance);
    meets(problems::Ap91{1}, options, tolerance);
  }
}

namespace {

/// An error beyond the tolerance is no convergence.
template <class P>
void claims_nothing_wrong(const P& problem, const Options& options) {
  const Solution solution = solve(problem, options);
  INFO(solution.report.full());
  if (solution.report.usable()) {
    CHECK(largest_error(solution, problem) <= *options.tolerance);
  } else {
    CHECK_FALSE(solution.report.advice.empty());
  }
}

}  // namespace

TEST_CASE("as many iterates as were given are no solution where they leave a layer", "[shooting]") {
  const problems::Al1Example1 problem;
  for (const double epsilon : {1e-3, 1e-4, 1e-5}) {
    for (const double tolerance : {1e-3, 1e-4, 1e-5, 1e-6}) {
      for (const int iterates : {1, 2, 3, 5}) {
        CAPTURE(epsilon, tolerance, iterates);
        const Options options{
            .tolerance = tolerance, .epsilon = epsilon, .alpha1 = 0.0, .iterates = iterates};
        claims_nothing_wrong(problem, options);
        claims_nothing_wrong(problems::Al1Example2{}, options);
        claims_nothing_wrong(problems::Al1Example3{}, options);
        claims_nothing_wrong(problems::Ap91{1}, options);
        claims_nothing_wrong(problems::Lin{2}, options);
      }
    }
  }
  // With shooting back the same number is enough.
  meets(problem, {.epsilon = 1e-3, .iterates = 4, .shooting_back = true}, 1e-6);
}

TEST_CASE("few iterates are enough where the way back repairs the layer that they leave",
          "[shooting]") {
  for (const int iterates : {1, 2}) {
    CAPTURE(iterates);
    Options options{.epsilon = 1e-3, .alpha1 = 0.0, .iterates = iterates, .shooting_back = true};
    meets(problems::Al1Example1{}, options, 1e-3);
    options.tolerance = 1e-3;
    options.shooting_back = false;
    CHECK_FALSE(solve(problems::Al1Example1{}, options).report.usable());
  }
}

TEST_CASE("a round on the way back that leaves more than was left before is not kept",
          "[shooting]") {
  for (const int intervals : {20, 100}) {
    const Solution solution =
        solve(problems::Al1Example1{}, {.intervals = intervals, .epsilon = 0.1, .alpha1 = 0.0});
    REQUIRE(solution.has_values());
    const LinearData& data = linear_data(solution);
    const double left = relative(left_open(data, StartedAt::begin), By_sizes(data));
    CAPTURE(intervals, left, solution.report.warnings);
    REQUIRE(solution.report.warnings.size() == 1);
    CHECK_THAT(solution.report.warnings[0], contains_text("shooting back: B y may be off by") &&
                                                contains_text(fmt::format("{:.1e} before", left)));
  }
}

TEST_CASE("where rounds end because iterates are too few no other reason is told", "[shooting]") {
  for (const double tolerance : {1e-5, 1e-7}) {
    const Solution solution = solve(problems::Al1Example1{}, {.tolerance = tolerance,
                                                              .epsilon = 3e-2,
                                                              .alpha1 = 0.0,
                                                              .iterates = 3,
                                                              .shooting_back = true});
    CAPTURE(tolerance, solution.report.full());
    CHECK(solution.report.termination == Termination::iterates_exhausted);
    CHECK(solution.report.warnings.empty());
    CHECK_THAT(solution.report.advice, contains_text("more iterates"));
  }
}

namespace {

/// x = (sin 30 t, cos 20 t), y = 1 + sin 25 t; no derivatives of the constraint, so alpha1 = 0.
struct BesideLongSteps {
  Interval interval() const { return {0, 0.25}; }
  Boundary boundary() const { return {MatX{{0, 1}}, MatX{{0, 0}}, VecX{{1}}}; }
  Mat<2, 2> A(double t) const { return Mat<2, 2>{{3, -8}, {8 * std::sin(9 * t), 2}}; }
  Vec<2> B(double t) const { return {1.5 + 0.3 * std::cos(9 * t), 0.4}; }
  Mat<1, 2> C(double t) const { return {1.4 + 0.2 * std::sin(9 * t), 0.3}; }
  Vec<1> r(double t) const { return -C(t) * x_exact(t); }
  Vec<2> q(double t) const {
    const Vec<2> slope{30 * std::cos(30 * t), -20 * std::sin(20 * t)};
    return slope - A(t) * x_exact(t) + By_exact(t);
  }
  Vec<2> x_exact(double t) const { return {std::sin(30 * t), std::cos(20 * t)}; }
  Vec<2> By_exact(double t) const { return B(t) * (1 + std::sin(25 * t)); }
};

}  // namespace

TEST_CASE("what one iterate leaves at the begin of steps much longer than its layer is told",
          "[shooting]") {
  const BesideLongSteps problem;
  for (const double tolerance : {1e-4, 1e-6, 1e-8, 3e-10}) {
    for (const int iterates : {1, 2, 3}) {
      CAPTURE(tolerance, iterates);
      const Options options{.tolerance = tolerance, .iterates = iterates};
      claims_nothing_wrong(problem, options);
      // It falls by epsilon / h with each: two are enough.
      if (iterates > 1) CHECK(solve(problem, options).report.usable());
    }
  }
  const Solution one = solve(problem, {.tolerance = 3e-10, .iterates = 1});
  CHECK(one.report.termination == Termination::iterates_exhausted);
  CHECK(largest_error(one, problem) > 100 * 3e-10);
  CHECK_THAT(one.report.advice, contains_text("more iterates") && contains_text("leave iterates"));
}

TEST_CASE("what iterates leave of a layer is a part of it on long steps, and most on short ones",
          "[shooting]") {
  const Collocation radau = collocation(Scheme::radau, 3), gauss = collocation(Scheme::gauss, 3);
  // The sum of 1 / c is 9.
  CHECK(open_over_change(radau, 1e-3, 1, 2) == Approx(1 / (1 - 0.027)));
  CHECK(open_over_change(radau, 1e-12, 1, 2) == Approx(1));
  CHECK(open_over_change(radau, 1, 1, 2) == open_over_change(2));
  CHECK(open_over_change(gauss, 1e-12, 1, 2) == open_over_change(2));
  CHECK(left_over_change(0, 1) == 1);
  CHECK(left_over_change(1e-3, 1) == Approx(1 / 0.999));
  CHECK(left_over_change(0.999, 1) == Approx(20));
  CHECK(left_over_change(2, 1) == 2);
}

TEST_CASE("shooting back can be left out", "[shooting]") {
  const problems::Al1Example1 problem;
  const Options options{.tolerance = 1e-4, .epsilon = 1e-2, .alpha1 = 0.0, .shooting_back = false};
  const Solution solution = solve(problem, options);
  CHECK(solution.report.termination == Termination::iterates_exhausted);
  CHECK(largest_error(solution, problem) > 0.1);
  CHECK_THAT(solution.report.advice, contains_text("shooting_back = true"));
}

TEST_CASE("on a given mesh too a layer is repaired", "[shooting]") {
  const problems::Al1Example1 problem;
  for (const Scheme scheme : {Scheme::radau, Scheme::gauss}) {
    Options options{.scheme = scheme, .stages = 4, .intervals = 50, .epsilon = 1e-2, .alpha1 = 0.0};
    const Solution repaired = solve(problem, options);
    options.shooting_back = false;
    const Solution plain = solve(problem, options);
    CAPTURE(name_of(scheme));
    INFO(repaired.report.full());
    CHECK(largest_error(plain, problem) > 0.1);
    CHECK(largest_error(repaired, problem) < 1e-5);
    // Once more of it would leave 5e-6 by radau, 7e-6 by gauss: what left less is kept.
    const LinearData& data = linear_data(repaired);
    CHECK(relative(left_open(data, StartedAt::begin), By_sizes(data)) < 4e-6);
  }
}

TEST_CASE("what a layer is told to leave is what it leaves", "[shooting]") {
  const problems::Al1Example1 problem;
  for (const int iterates : {2, 3, 5, 8, 12}) {
    const Solution solution = solve(problem, {.scheme = Scheme::radau,
                                              .stages = 5,
                                              .intervals = 400,
                                              .epsilon = 1e-2,
                                              .alpha1 = 0.0,
                                              .iterates = iterates});
    const LinearData& data = linear_data(solution);
    const MatX open = left_open(data, StartedAt::begin);
    const double error = std::abs(solution.By(0)[1] - problem.By_exact(0)[1]);
    CAPTURE(iterates, error);
    CHECK(open(1, 0) == Approx(error).epsilon(0.15));
    // Further away it is exp(-tau / 2) of it at the most, and what is told is no less than the
    // error.
    for (int i = 0; i < 400; i += 7) {
      const double here = (solution.By_at_stage(i, 0) - problem.By_exact(solution.stage_time(i, 0)))
                              .cwiseAbs()
                              .maxCoeff();
      CHECK(here <= open(1, i) + 1e-4);
    }
  }
}

}  // namespace daewave::bvp
