// Nodes that stay: of every mesh of nonlinear problems, of solves from solutions, and of branches.

#include <algorithm>
#include <cmath>

#include "bvp/mesh/fixed_nodes.hpp"
#include "bvp/solve.hpp"
#include "core/error.hpp"
#include "problems/boundary_motion.hpp"
#include "tests/catch.hpp"

namespace daewave::bvp {
namespace {

/// y'' = y^3 - Y(t)^3 + Y''(t) with Y = sin t + 2 (t - c)^2 behind c: f jumps there.
struct Switched {
  using State = Vec<2>;
  double c = 0.3;
  double p = 1;  ///< Of y^3.
  double Y(double t) const { return std::sin(t) + (t < c ? 0 : 2 * (t - c) * (t - c)); }
  State f(const State& x, double t) const {
    const double cubes = x[0] * x[0] * x[0] - std::pow(Y(t), 3);
    return {x[1], p * cubes - std::sin(t) + (t < c ? 0 : 4)};
  }
  Interval interval() const { return {0, 1}; }
  Vec<2> conditions(const State& left, const State& right) const {
    return {left[0] - Y(0), right[0] - Y(1)};
  }
};

double error_of(const Solution& solution, const Switched& problem) {
  double most = 0;
  for (int i = 0; i <= 500; ++i) {
    const double t = i / 500.0;
    most = std::max(most, std::abs(solution.x(t)[0] - problem.Y(t)));
  }
  return most;
}

bool has(const Solution& solution, const std::vector<double>& nodes) {
  return solution.has_values() && nodes_among(nodes, solution.mesh()) == nodes;
}

}  // namespace

TEST_CASE("fixed nodes are nodes of the mesh, whatever mesh was asked for", "[nonlinear][fixed]") {
  const Switched problem;
  const std::vector<double> fixed{0.3, 0.417, 0.9};
  for (const std::optional<double> tolerance :
       {std::optional<double>(), std::optional(1e-4), std::optional(1e-9)}) {
    for (const int intervals : {0, 1, 2, 40}) {
      for (const bool uniform : {false, true}) {
        CAPTURE(tolerance.value_or(0), intervals, uniform);
        Options options{.tolerance = tolerance, .fixed_nodes = fixed};
        if (intervals > 0 && uniform) options.mesh = uniform_mesh(0, 1, intervals);
        if (intervals > 0 && !uniform) options.intervals = intervals;
        const Solution solution = solve(problem, options);
        INFO(solution.report.brief());
        REQUIRE(solution.report.usable());
        CHECK(has(solution, fixed));
        CHECK(solution.fixed_nodes == fixed);
        if (tolerance) CHECK(error_of(solution, problem) <= *tolerance);
        CHECK_THAT(solution.report.explain(), contains_text("0.3, 0.417, 0.9"));
      }
    }
  }
}

TEST_CASE("a node where f jumps makes a mesh that was given as good as of smooth f",
          "[nonlinear][fixed]") {
  const Switched problem;
  const Solution without = solve(problem, {.stages = 4, .intervals = 4});
  const Solution with = solve(problem, {.stages = 4, .intervals = 4, .fixed_nodes = {0.3}});
  CHECK(error_of(without, problem) > 1e-4);
  CHECK(error_of(with, problem) < 1e-7);
  // The nodes of a mesh that was given stay too.
  const Mesh mesh({0, 0.28, 0.5, 0.75, 1});
  const Solution given = solve(problem, {.stages = 4, .mesh = mesh, .fixed_nodes = {0.3}});
  CHECK(has(given, {0.28, 0.3, 0.5, 0.75}));
  CHECK(given.mesh().intervals() == 5);
}

TEST_CASE("all schemes take fixed nodes where f jumps", "[nonlinear][fixed]") {
  const Switched problem;
  for (const Scheme scheme : {Scheme::gauss, Scheme::radau, Scheme::lobatto}) {
    for (const double tolerance : {1e-4, 1e-8}) {
      CAPTURE(name_of(scheme), tolerance);
      const Solution solution =
          solve(problem, {.tolerance = tolerance, .scheme = scheme, .fixed_nodes = {0.3}});
      INFO(solution.report.brief());
      REQUIRE(solution.report.usable());
      // A stage of radau on it would see behind it, so that the node is before it.
      CHECK((has(solution, {0.3}) || has(solution, {std::nextafter(0.3, 0)})));
      CHECK(error_of(solution, problem) <= tolerance);
    }
  }
}

TEST_CASE("a solution to start from need not have the fixed nodes, and hands on its jumps",
          "[nonlinear][fixed]") {
  const Switched problem;
  const Solution found = solve(problem, {.tolerance = 1e-7});
  REQUIRE(found.report.usable());
  REQUIRE(found.fixed_nodes.size() == 1);
  CHECK(found.fixed_nodes[0] == Approx(0.3).epsilon(1e-14));
  for (const double tolerance : {1e-3, 1e-8}) {
    const Solution again =
        solve(problem, {.tolerance = tolerance, .fixed_nodes = {0.41, 0.87}, .from = found});
    INFO(again.report.brief());
    REQUIRE(again.report.usable());
    CHECK(has(again, {0.41, 0.87}));
    CHECK(has(again, found.fixed_nodes));
    CHECK(error_of(again, problem) <= tolerance);
    // Where it did not jump a node that was fixed is forgotten with the option.
    const Solution third = solve(problem, {.tolerance = tolerance, .from = again});
    CHECK(third.fixed_nodes == found.fixed_nodes);
    const Solution at_mesh = solve(
        problem, {.tolerance = tolerance, .intervals = 2, .fixed_nodes = {0.41}, .from = found});
    CHECK(has(at_mesh, {0.41}));
  }
  // A jump elsewhere: the old one stays for one solve at the most.
  Switched other = problem;
  other.c = 0.55;
  const Solution moved = solve(other, {.tolerance = 1e-7, .from = found});
  REQUIRE(moved.report.usable());
  const Solution settled = solve(other, {.tolerance = 1e-7, .from = moved});
  REQUIRE(settled.fixed_nodes.size() == 1);
  CHECK(settled.fixed_nodes[0] == Approx(0.55).epsilon(1e-14));
}

TEST_CASE("fixed nodes and jumps are nodes of every solution of a branch",
          "[nonlinear][continuation][fixed]") {
  constexpr double c = 0.3137;
  ProblemFamily family;
  family.member = [](const VecX& p) {
    Switched problem;
    problem.p = p[0];
    problem.c = c;
    return boundary_problem_of(problem);
  };
  family.p = VecX{{1}};
  family.names = {"p"};
  for (const bool arclength : {false, true}) {
    int points = 0;
    const auto observer = [&](const BranchPoint& point) {
      ++points;
      CHECK(has(point.solution, {0.62}));
      const auto& mesh = point.solution.mesh();
      double nearest = 1;
      for (const double t : mesh.nodes()) nearest = std::min(nearest, std::abs(t - c));
      CHECK(nearest <= 1e-15);
      CHECK(point.solution.fixed_nodes.size() == 2);
      return true;
    };
    const Branch branch = follow(family, {.to = 4, .arclength = arclength, .observer = observer},
                                 {.tolerance = 1e-6, .fixed_nodes = {0.62}});
    INFO(branch.report.brief());
    REQUIRE(branch.report.usable());
    CHECK(points > 2);
  }
}

TEST_CASE("times inside are nodes of every mesh, and fixed nodes join them", "[nonlinear][fixed]") {
  BoundaryProblem problem = boundary_problem_of(Switched{});
  problem.conditions = [](const VecX& left, const VecX&) { return VecX{{left[0]}}; };
  problem.inside = {0.77};
  const double Y = Switched{}.Y(0.77);
  problem.further_conditions = [Y](const Observed& of) { return VecX{{of.inside[0][0] - Y}}; };
  for (const double tolerance : {1e-3, 1e-6, 1e-9}) {
    for (const int intervals : {0, 1, 3, 200}) {
      CAPTURE(tolerance, intervals);
      Options options{.tolerance = tolerance, .fixed_nodes = {0.3, 0.77, 0.8}};
      if (intervals > 0) options.intervals = intervals;
      const Solution solution = solve(problem, options);
      INFO(solution.report.brief());
      REQUIRE(solution.report.usable());
      CHECK(has(solution, {0.3, 0.77, 0.8}));
      CHECK(solution.x(0.77)[0] == Approx(Y).margin(1e-12));
      CHECK(error_of(solution, Switched{}) <= tolerance);
    }
  }
}

TEST_CASE("a fixed node stays beside times at which constraints become dependent",
          "[nonlinear][fixed]") {
  const problems::CrankBetween crank;
  const Solution free = solve(crank, {.tolerance = 1e-5});
  INFO(free.report.brief());
  REQUIRE(free.report.usable());
  const double length = crank.interval().length(), middle = crank.interval().begin + length / 2;
  for (const double off : {-0.01, 0.002, 1e-5, 0.0}) {
    const double t = middle + off * length;
    const Solution fixed = solve(crank, {.tolerance = 1e-5, .fixed_nodes = {t}});
    CAPTURE(off);
    INFO(fixed.report.brief());
    CHECK(has(fixed, {t}));
    CHECK((fixed.x(t) - free.x(t)).cwiseAbs().maxCoeff() < 1e-3);
  }
}

TEST_CASE("fixed nodes that cannot be are refused", "[nonlinear][fixed]") {
  const Switched problem;
  const auto refuses = [&](std::vector<double> fixed, const char* words) {
    CHECK_THROWS_WITH(solve(problem, {.fixed_nodes = fixed}), contains_text(words));
    CHECK_THROWS_AS(solve(problem, {.fixed_nodes = fixed}), InvalidOption);
  };
  refuses({0.5, 0.4}, "fixed_nodes[1] = 0.4: they must be finite and increase");
  refuses({0.5, 0.5}, "fixed_nodes[1] = 0.5");
  refuses({NAN}, "fixed_nodes[0] = nan");
  refuses({0}, "fixed_nodes: 0 must be inside the interval, (0, 1)");
  refuses({0.2, 1.5}, "fixed_nodes: 1.5 must be inside");
  refuses({0.5, std::nextafter(0.5, 1)}, "are the same but for rounding");
  CHECK_THROWS_WITH(solve(problem, {.fixed_nodes = {0.2, 0.4}, .max_intervals = 2}),
                    contains_text("2 of them are nodes of 3 intervals"));
}

}  // namespace daewave::bvp
