#include <algorithm>
#include <cmath>
#include <limits>

#include "bvp/solve.hpp"
#include "core/error.hpp"
#include "problems/al1.hpp"
#include "problems/lin.hpp"
#include "tests/bvp/exact_errors.hpp"
#include "tests/catch.hpp"

namespace daewave::bvp {
namespace {

const problems::Lin problem{10};

Solution solve_with(Scheme scheme, int stages, int intervals) {
  return solve(problem, {.scheme = scheme, .stages = stages, .intervals = intervals});
}

/// Largest errors of x and B y at points that are neither nodes nor stages.
testing::Errors dense_errors(const Solution& solution) {
  testing::Errors errors;
  for (int i = 0; i < 777; ++i) {
    const double t = 10 * (i + 0.31) / 777;
    errors.x = std::max(errors.x, (solution.x(t) - problem.x_exact(t)).cwiseAbs().maxCoeff());
    errors.By = std::max(errors.By, (solution.By(t) - problem.By_exact(t)).cwiseAbs().maxCoeff());
  }
  return errors;
}

}  // namespace

TEST_CASE("between the nodes x has order k + 1 and B y order k", "[dense]") {
  for (const auto& [scheme, stages] : {std::pair(Scheme::gauss, 2),
                                       {Scheme::gauss, 3},
                                       {Scheme::radau, 3},
                                       {Scheme::lobatto, 4}}) {
    const testing::Errors coarse = dense_errors(solve_with(scheme, stages, 80));
    const testing::Errors fine = dense_errors(solve_with(scheme, stages, 160));
    CAPTURE(name_of(scheme), stages, coarse.x, fine.x, coarse.By, fine.By);
    CHECK(testing::observed_order(coarse.x, fine.x) > stages + 1 - 0.3);
    CHECK(testing::observed_order(coarse.By, fine.By) > stages - 0.3);
    CHECK(fine.x < 1e-3);
  }
}

TEST_CASE("dense output meets nodes and stages", "[dense]") {
  for (const Scheme scheme : all_schemes()) {
    const Solution solution =
        solve_with(scheme, stage_range(scheme).least + (scheme != Scheme::midpoint), 60);
    REQUIRE(solution.report.usable());
    const double largest = 2;  // |x| and |B y| of this problem.
    for (int i = 0; i <= 60; ++i) {
      const double t = solution.mesh().node(i);
      CHECK(solution.x(t) == solution.x_at_node(i));
      if (i == 60) break;
      // Continuous from the left: the polynomial ends where the next node is.
      const VecX before = solution.x(std::nextafter(solution.mesh().node(i + 1), 0));
      CHECK((before - solution.x_at_node(i + 1)).cwiseAbs().maxCoeff() < 1e-12 * largest);
      for (int j = 0; j < solution.scheme().stages; ++j) {
        const VecX gap = solution.By(solution.stage_time(i, j)) - solution.By_at_stage(i, j);
        // At a node that is a stage of both sides either side's value is right.
        if (j == 0 && solution.scheme().starts_at_node()) continue;
        CHECK(gap.cwiseAbs().maxCoeff() < 1e-11 * largest);
      }
    }
  }
}

TEST_CASE("x' is the derivative of x on steps of any length", "[dense]") {
  const Mesh mesh({0, 0.1, 0.5, 0.6, 2, 3.5, 3.6, 5, 7, 7.2, 10});
  for (const double tolerance : {0.0, 1e-6}) {
    Options options{.mesh = mesh};
    if (tolerance > 0) options.tolerance = tolerance;
    const Solution solution = solve(problem, options);
    REQUIRE(solution.has_values());
    for (int i = 0; i < solution.mesh().intervals(); ++i) {
      const double h = solution.mesh().step(i), t = solution.mesh().node(i) + 0.3 * h;
      const double d = 1e-4 * h;
      const VecX difference = (solution.x(t + d) - solution.x(t - d)) / (2 * d);
      CAPTURE(tolerance, t);
      CHECK((solution.slope(t) - difference).cwiseAbs().maxCoeff() < 1e-6);
    }
  }
}

TEST_CASE("y and the constraint residual follow from x and B y", "[dense]") {
  const Solution solution = solve_with(Scheme::gauss, 3, 100);
  for (const double t : {0.0, 0.05, 3.3, 9.99, 10.0}) {
    REQUIRE(solution.y(t).has_value());
    const VecX y = solution.y(t).value();
    REQUIRE(y.size() == 1);
    CHECK((problem.B(t) * y - solution.By(t)).cwiseAbs().maxCoeff() < 1e-3);
    CHECK(y[0] == Approx(std::sin(1.5 * t)).margin(1e-2));
    const VecX residual = problem.C(t) * solution.x(t) + problem.r(t);
    CHECK((solution.constraint_residual(t) - residual).isZero(1e-14));
  }
}

TEST_CASE("outside the interval there is nothing", "[dense]") {
  const Solution solution = solve_with(Scheme::gauss, 2, 20);
  for (const double t : {-1e-3, 10.001, std::numeric_limits<double>::quiet_NaN()}) {
    CHECK_THROWS_AS(solution.x(t), InvalidOption);
    CHECK_THROWS_AS(solution.By(t), InvalidOption);
    CHECK_THROWS_AS(solution.waveform()(t, 4), InvalidOption);
  }
}

TEST_CASE("a solution without values says so", "[dense]") {
  const Solution none;
  CHECK_FALSE(none.has_values());
  CHECK_THROWS_AS(none.x(0), Error);
  CHECK_THROWS_WITH(none.mesh(), contains_text("no values") && contains_text("not called"));
}

TEST_CASE("the waveform of a solution starts another one where it ended", "[dense]") {
  const Solution first = solve(problem, {.intervals = 80, .epsilon = 1e-3, .iterates = 6});
  const Solution again =
      solve(problem, {.intervals = 80, .epsilon = 1e-3, .iterates = 1, .By_0 = first.waveform()});
  REQUIRE(again.report.usable());
  CHECK(again.report.history[0].change <= 1.1 * first.report.history.back().change + 1e-12);
}

TEST_CASE("a table has the columns of x, B y, y and the drift", "[dense]") {
  const Solution solution = solve_with(Scheme::gauss, 2, 20);
  const Table nodes = solution.table(), points = solution.table(7);
  const std::vector<std::string> names{"t",   "x1",  "x2",  "x3", "x4",   "By1",
                                       "By2", "By3", "By4", "y1", "drift"};
  CHECK(nodes.names == names);
  CHECK(nodes.rows() == 21);
  REQUIRE(points.rows() == 7);
  CHECK(points.column("t").front() == 0);
  CHECK(points.column("t").back() == 10);
  CHECK(nodes.column("x3")[20] == solution.x_at_node(20)[2]);
  CHECK(points.column("By2")[3] == solution.By(5)[1]);
  CHECK(nodes.column("drift")[7] == std::abs(solution.constraint_residual(3.5)[0]));
  for (const int wrong : {-1, 1}) CHECK_THROWS_AS(solution.table(wrong), InvalidOption);
  // y is not a number where it does not exist.
  const Table singular = solve(problems::Al1Example1{}, {.intervals = 20}).table(3);
  CHECK(std::isnan(singular.column("y1")[1]));
  CHECK_FALSE(std::isnan(singular.column("By2")[1]));
}

}  // namespace daewave::bvp
