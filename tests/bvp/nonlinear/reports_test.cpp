// What is told of a nonlinear solve: on one mesh, of its parameters and conditions, and where it is
// refused.

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "bvp/continuation/follow.hpp"
#include "bvp/solve.hpp"
#include "core/derivatives/autodiff.hpp"
#include "core/error.hpp"
#include "tests/bvp/made_up_solution.hpp"
#include "tests/catch.hpp"

namespace daewave::bvp {
namespace {

/// y'' = -k y on [0, 1], y(0) = 0, y(1) = 1: y = sin(w t) / sin(w), w^2 = k.
struct Swing {
  using State = Vec<2>;
  double k = 2;
  Interval interval() const { return {0, 1}; }
  State f(const State& x, double) const { return {x[1], -k * x[0]}; }
  Vec<2> conditions(const State& left, const State& right) const { return {left[0], right[0] - 1}; }
};

/// x1' = -x2 w, x2' = x1 w, 0 = w^3 + w - 2: w = 1.
struct Turning {
  using State = Vec<2>;
  using Algebraic = Vec<1>;
  Interval interval() const { return {0, 1}; }
  State f(const State& x, const Algebraic& w, double) const { return {-x[1] * w[0], x[0] * w[0]}; }
  Algebraic r(const State&, const Algebraic& w, double) const {
    return Algebraic{w[0] * w[0] * w[0] + w[0] - 2};
  }
  Vec<2> conditions(const State& left, const State& right) const {
    return {left[0] - 1, right[1] - std::sin(1.0)};
  }
};

ProblemFamily swings(std::vector<int> unknown) {
  ProblemFamily family;
  family.member = [](const VecX& p) {
    BoundaryProblem problem = boundary_problem_of(Swing{p[1]});
    problem.conditions = [p](const VecX& left, const VecX& right) -> VecX {
      return Vec<3>(left[0], right[0] - p[0], left[1] - 1);
    };
    return problem;
  };
  family.p = Vec<2>(0.5, 2);
  family.names = {"end", "k"};
  family.unknown = std::move(unknown);
  return family;
}

}  // namespace

TEST_CASE("a solve on a mesh that is given tells that mesh, and no error", "[nonlinear][report]") {
  const Mesh mesh({0, 0.1, 0.4, 1});
  const Solution solution = solve(Swing{}, {.stages = 4, .mesh = mesh});
  const Report& report = solution.report;
  REQUIRE(report.usable());
  CHECK(solution.mesh().nodes() == mesh.nodes());
  CHECK(report.intervals == 3);
  CHECK(report.smallest_step == Approx(0.1));
  CHECK(report.largest_step == Approx(0.6));
  CHECK(report.nx == 2);
  CHECK(report.ny == 0);
  CHECK(report.history.empty());
  CHECK_FALSE(report.error.available);
  CHECK_THAT(report.message,
             contains_text("Newton iteration(s) on the mesh given; no tolerance was "
                           "asked, so the error is not estimated"));
  CHECK(report.seconds.total > 0);
  CHECK(solution.parameters.size() == 0);
  CHECK(report.parameters.empty());
  CHECK(report.conditioning.available);
  CHECK(report.conditioning.boundary > 0.1);
  CHECK(report.conditioning.boundary < 10);
}

TEST_CASE("seconds are told by phase, of all meshes, attempts and steps", "[nonlinear][report]") {
  const auto check = [](const Report& report) {
    const Seconds& seconds = report.seconds;
    CAPTURE(report.brief(), seconds.condense, seconds.factorize, seconds.solve, seconds.total);
    REQUIRE(report.usable());
    CHECK(seconds.condense > 0);
    CHECK(seconds.factorize > 0);
    CHECK(seconds.solve > 0);
    CHECK(seconds.condense + seconds.factorize + seconds.solve <= seconds.total);
  };
  check(solve(Swing{}, {.intervals = 10}).report);
  check(solve(Swing{}, {.tolerance = 1e-10}).report);
  check(solve(Turning{}, {.tolerance = 1e-6}).report);
  const Branch branch =
      follow(swings({0}), {.parameter = "k", .to = 4}, {.tolerance = 1e-8, .intervals = 500});
  check(branch.report);
  // Of all its steps, though the last one told of itself alone.
  CHECK(branch.report.seconds.condense > branch.last.report.seconds.condense);
}

TEST_CASE("each mesh that is solved on is shown, the last one too", "[nonlinear][report]") {
  std::vector<int> intervals;
  Options options{.tolerance = 1e-9};
  options.on_each_mesh = [&intervals](const Solution& seen) {
    intervals.push_back(seen.mesh().intervals());
    CHECK(seen.has_values());
  };
  const Solution solution = solve(Swing{}, options);
  REQUIRE(solution.report.usable());
  REQUIRE(intervals.size() >= 2);
  CHECK(intervals.front() == 6);
  CHECK(std::find(intervals.begin(), intervals.end(), solution.mesh().intervals()) !=
        intervals.end());
  CHECK_THAT(solution.report.message, contains_text("error estimate") &&
                                          contains_text("within tolerance 1.0e-09") &&
                                          contains_text("Newton iteration(s)"));
}

TEST_CASE("parameters are told by name, known ones and those that were found",
          "[nonlinear][report]") {
  const Solution solution = solve(swings({0}), {.tolerance = 1e-8});
  REQUIRE(solution.report.usable());
  // y = sin(w t) / w.
  const double w = std::sqrt(2.0);
  REQUIRE(solution.parameters.size() == 2);
  CHECK(solution.parameters[0] == Approx(std::sin(w) / w).epsilon(1e-7));
  CHECK(solution.parameters[1] == 2);
  REQUIRE(solution.report.parameters.size() == 2);
  CHECK(solution.report.parameters[0].name == "end");
  CHECK(solution.report.parameters[0].value == solution.parameters[0]);
  CHECK(solution.report.parameters[0].found);
  CHECK(solution.report.parameters[1].name == "k");
  CHECK_FALSE(solution.report.parameters[1].found);
  CHECK(solution.report.nx == 2);
  CHECK(solution.nx() == 2);
}

TEST_CASE("constraints are held against the parameter that was found, not the one to begin with",
          "[nonlinear][report]") {
  // x1' = x2, x2' = -x1, x3' = -y, 0 = x3 - p x1: x1 = sin t, and p = 2 as x3 is 2 sin t at the
  // end.
  struct Scaled {
    using State = Vec<3>;
    using Multiplier = Vec<1>;
    double p = 1;
    Interval interval() const { return {0, 1}; }
    State f(const State& x, double) const { return {x[1], -x[0], 0}; }
    Vec<3> B(const State&, double) const { return {0, 0, 1}; }
    Vec<1> g(const State& x, double) const { return Vec<1>{x[2] - p * x[0]}; }
    Mat<1, 3> G(const State&, double) const { return {-p, 0, 1}; }
    Vec<1> g_t(const State&, double) const { return Vec<1>{0.0}; }
    VecX conditions(const State& left, const State& right) const {
      return Vec<3>(left[0], left[1] - 1, right[2] - 2 * std::sin(1.0));
    }
    State guess(double t) const { return {t, 1, t}; }
  };
  ProblemFamily family;
  family.member = [](const VecX& p) { return boundary_problem_of(Scaled{p[0]}); };
  family.p = VecX{{1}};
  family.unknown = {0};
  for (const Options& options : {Options{.tolerance = 1e-6}, Options{.intervals = 20}}) {
    const Solution solution = solve(family, options);
    INFO(solution.report.full());
    REQUIRE(solution.report.usable());
    CHECK(solution.parameters[0] == Approx(2).epsilon(1e-6));
    CHECK(std::abs(solution.constraint_residual(0.7)[0]) < 1e-5);
  }
}

TEST_CASE("where a solve fails a parameter to lead to it is named, if there is a known one",
          "[nonlinear][report]") {
  const auto advice = [](std::vector<int> unknown) {
    ProblemFamily family = swings(std::move(unknown));
    const auto member = family.member;
    const auto count = static_cast<Eigen::Index>(family.unknown.size());
    family.member = [member, count](const VecX& p) {
      BoundaryProblem problem = member(p);
      // Conditions that nothing satisfies.
      problem.conditions = [count](const VecX& left, const VecX&) {
        return VecX(VecX::Constant(2 + count, 1 + left[0] * left[0]));
      };
      return problem;
    };
    const Solution solution = solve(family, {.tolerance = 1e-4});
    CHECK_FALSE(solution.report.usable());
    return solution.report.advice;
  };
  CHECK_THAT(advice({}), contains_text("bvp::follow(family, {.parameter = \"end\", .to = 0.5})"));
  CHECK_THAT(advice({0}), contains_text("bvp::follow(family, {.parameter = \"k\", .to = 2})"));
  CHECK(advice({0, 1}).find("bvp::follow(family") == std::string::npos);
}

TEST_CASE("what is posed with other sizes than the problem has is refused with both numbers",
          "[nonlinear][refused]") {
  CHECK_THROWS_WITH(solve(Swing{}, {.tolerance = 1e-14}), contains_text("below that is rounding"));
  CHECK_THROWS_WITH(
      solve(Swing{}, {.from = testing::made_up(testing::straight(uniform_mesh(0, 1, 2), 1, 1))}),
      contains_text("from: a solution with 1 entries of x, where there are 2"));
  BoundaryProblem three = boundary_problem_of(Swing{});
  three.conditions = [](const VecX& left, const VecX&) { return VecX(Vec<3>(left[0], 0, 0)); };
  CHECK_THROWS_WITH(
      solve(three),
      contains_text("3 conditions with the 0 of the constraints: there must be 2, one for each"));
  ProblemFamily family = swings({0, 1});
  CHECK_THROWS_WITH(solve(family), contains_text("there must be 4, one for each of 2 of x and 2 "
                                                 "parameter(s); further_conditions count"));
  BoundaryProblem seen = boundary_problem_of(Swing{});
  seen.inside = {0.5};
  seen.conditions = [](const VecX& left, const VecX&) { return VecX(left.head(1)); };
  seen.further_conditions = [](const Observed& of) { return VecX(of.inside[0].head(1)); };
  CHECK_THROWS_WITH(solve(seen, {.scheme = Scheme::lobatto}),
                    contains_text("scheme = lobatto: has stages on both sides"));
  CHECK_NOTHROW(solve(seen, {.scheme = Scheme::radau}));
  BoundaryProblem algebraic = boundary_problem_of(Turning{});
  algebraic.guess_algebraic = [](double) { return VecX(VecX::Ones(2)); };
  CHECK_THROWS_WITH(solve(algebraic), contains_text("guess_algebraic: has 2 entries, w has 1"));
}

TEST_CASE("unknowns of index 1 start where they are told to, or where another solution has them",
          "[nonlinear]") {
  BoundaryProblem problem = boundary_problem_of(Turning{});
  problem.guess_algebraic = [](double) { return VecX(VecX::Constant(1, 0.8)); };
  const Solution solution = solve(problem, {.tolerance = 1e-8});
  REQUIRE(solution.report.usable());
  CHECK(solution.report.ny == 1);
  for (const double t : {0.0, 0.37, 1.0}) {
    CHECK(solution.multiplier(t)[0] == Approx(1).epsilon(1e-10));
    CHECK(solution.y(t).value()[0] == Approx(1).epsilon(1e-10));
    CHECK(solution.x(t)[0] == Approx(std::cos(t)).margin(1e-8));
    CHECK(std::abs(solution.constraint_residual(t)[0]) < 1e-9);
    CHECK(solution.By(t).size() == 0);
  }
  CHECK_FALSE(solution.carries_By());
  problem.guess_algebraic = nullptr;
  const Solution again = solve(problem, {.tolerance = 1e-8, .from = solution});
  REQUIRE(again.report.usable());
  CHECK(again.multiplier(0.5)[0] == Approx(1).epsilon(1e-10));
  const Table table = solution.table(3);
  CHECK(table.names == std::vector<std::string>{"t", "x1", "x2", "y1"});
  REQUIRE(table.rows() == 3);
  CHECK(table.columns[0] == std::vector<double>{0, 0.5, 1});
  for (int row = 0; row < 3; ++row) {
    const auto r = static_cast<std::size_t>(row);
    CHECK(table.columns[1][r] == Approx(std::cos(table.columns[0][r])).epsilon(1e-7));
  }
  CHECK(solution.table().columns[0] == solution.mesh().nodes());
}

}  // namespace daewave::bvp
