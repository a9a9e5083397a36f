// Nodes that stay, of every mesh of linear problems.

#include "bvp/mesh/fixed_nodes.hpp"

#include <algorithm>
#include <cmath>

#include "bvp/linear/shooting_back.hpp"
#include "bvp/solve.hpp"
#include "core/derivatives/linear_derivatives.hpp"
#include "core/error.hpp"
#include "problems/al1.hpp"
#include "tests/catch.hpp"

namespace daewave::bvp {
namespace {

/// x = (cos t + 2 (t - c)+, sin t), y = exp(-t), and 1 more behind c: q jumps there, and B y.
struct Jumping {
  double c = 0.3;
  double x1(double t) const { return std::cos(t) + (t < c ? 0 : 2 * (t - c)); }
  double y(double t) const { return std::exp(-t) + (t < c ? 0 : 1); }
  Interval interval() const { return {0, 1}; }
  Mat<2, 2> A(double) const { return Mat<2, 2>{{-1, 0}, {1, 0}}; }
  Vec<2> B(double) const { return {0, 1}; }
  Vec<2> q(double t) const {
    return {-std::sin(t) + (t < c ? 0 : 2) + x1(t), std::cos(t) - x1(t) + y(t)};
  }
  Mat<1, 2> C(double) const { return {0, 1}; }
  Vec<1> r(double t) const { return Vec<1>{-std::sin(t)}; }
  Boundary boundary() const { return {MatX{{0, 0}}, MatX{{1, 0}}, VecX{{x1(1)}}}; }
};

struct ErrorsOfJumping {
  double x = 0, By = 0;
};

/// Not closer to c than rounding of times there.
ErrorsOfJumping errors_of(const Solution& solution, const Jumping& problem) {
  ErrorsOfJumping errors;
  for (int i = 0; i <= 1000; ++i) {
    const double t = (i + 0.5) / 1001;
    errors.x = std::max(errors.x, std::abs(solution.x(t)[0] - problem.x1(t)));
    errors.By = std::max(errors.By, std::abs(solution.By(t)[1] - problem.y(t)));
  }
  return errors;
}

/// But for rounding: stages of radau lie on nodes, so that these are before the jump.
bool has_all(const Solution& solution, const std::vector<double>& nodes) {
  return solution.has_values() && std::all_of(nodes.begin(), nodes.end(), [&](double t) {
           const std::vector<double>& all = solution.mesh().nodes();
           return std::any_of(all.begin(), all.end(),
                              [&](double node) { return std::abs(node - t) <= 1e-16; });
         });
}

}  // namespace

TEST_CASE("fixed nodes are nodes of every mesh of a linear problem", "[fixed]") {
  const std::vector<double> fixed{0.3, 0.417, 0.9};
  const std::optional<double> none;
  for (const std::optional<double> tolerance : {none, std::optional(1e-4), std::optional(1e-9)}) {
    for (const int intervals : {0, 1, 2, 300}) {
      for (const bool uniform : {false, true}) {
        for (const bool differentiable : {false, true}) {
          CAPTURE(tolerance.value_or(0), intervals, uniform, differentiable);
          Options options{.tolerance = tolerance, .fixed_nodes = fixed};
          if (intervals > 0 && uniform) options.mesh = uniform_mesh(0, 1, intervals);
          if (intervals > 0 && !uniform) options.intervals = intervals;
          const Solution solution = differentiable ? solve(with_differences(Jumping{}), options)
                                                   : solve(Jumping{}, options);
          INFO(solution.report.brief());
          REQUIRE(solution.report.usable());
          CHECK(has_all(solution, fixed));
          CHECK(solution.fixed_nodes.size() == fixed.size());
          CHECK(nodes_among(solution.fixed_nodes, solution.mesh()) == solution.fixed_nodes);
          CHECK_THAT(solution.report.explain(), contains_text("0.3, 0.417, 0.9"));
          if (!tolerance) continue;
          const ErrorsOfJumping errors = errors_of(solution, Jumping{});
          CHECK(errors.x <= 3 * *tolerance);
          CHECK(errors.By <= 3 * *tolerance);
        }
      }
    }
  }
}

TEST_CASE("a node where a coefficient jumps makes a given mesh as good as of a smooth one",
          "[fixed]") {
  const auto problem = with_differences(Jumping{});
  const ErrorsOfJumping without =
      errors_of(solve(problem, {.stages = 4, .intervals = 5}), Jumping{});
  const ErrorsOfJumping with =
      errors_of(solve(problem, {.stages = 4, .intervals = 5, .fixed_nodes = {0.3}}), Jumping{});
  CHECK(without.x > 1e-3);
  CHECK(with.x < 1e-7);
  CHECK(with.By < 1e-6);
}

TEST_CASE("jumps that are found are told, and are nodes of what is shot back",
          "[fixed][shooting]") {
  for (const bool told : {false, true}) {
    Options options{.tolerance = 1e-6};
    if (told) options.fixed_nodes = {0.62};
    const ShootingBack result = solve_with_shooting_back(Jumping{}, options);
    INFO(result.forward.report.brief());
    REQUIRE(result.forward.report.usable());
    INFO(result.backward.report.brief());
    REQUIRE(result.backward.report.usable());
    REQUIRE(result.redone.report.usable());
    const std::vector<double>& fixed = result.forward.fixed_nodes;
    CHECK(fixed.size() == (told ? 2 : 1));
    CHECK(fixed[0] == Approx(0.3).epsilon(1e-14));
    if (told) CHECK(fixed[1] == 0.62);
    for (const Solution* solution : {&result.forward, &result.backward, &result.redone}) {
      CHECK(has_all(*solution, fixed));
      CHECK(solution->fixed_nodes == fixed);
    }
  }
}

TEST_CASE("a fixed node is not moved away from a singular stage", "[fixed][singular]") {
  // Stages of the midpoint rule lie on t = 1/2, right of the node that would be moved.
  const problems::Al1Example1 example;
  Options options{
      .scheme = Scheme::midpoint, .intervals = 101, .singular = SingularHandling::move_node};
  const Mesh uniform = uniform_mesh(0, 1, 101);
  const auto moved = [&](const Solution& solution) {
    std::vector<double> nodes;
    for (int i = 0; i <= 101; ++i) {
      if (!has_all(solution, {uniform.node(i)})) nodes.push_back(uniform.node(i));
    }
    return nodes;
  };
  CHECK(moved(solve(example, options)) == std::vector<double>{uniform.node(51)});
  options.fixed_nodes = {uniform.node(51)};
  CHECK(moved(solve(example, options)) == std::vector<double>{uniform.node(50)});
  options.fixed_nodes = {uniform.node(50), uniform.node(51)};
  const Solution stays = solve(example, options);
  CHECK(moved(stays).empty());
  CHECK(stays.report.usable());
  CHECK_THAT(stays.report.singular_points[0].passed_by, contains_text("limit"));
}

TEST_CASE("fixed nodes that a linear problem cannot have are refused", "[fixed]") {
  const auto refuses = [&](std::vector<double> fixed, const char* words) {
    CHECK_THROWS_WITH(solve(Jumping{}, {.fixed_nodes = fixed}), contains_text(words));
    CHECK_THROWS_AS(solve(Jumping{}, {.fixed_nodes = fixed}), InvalidOption);
  };
  refuses({0.5, 0.4}, "fixed_nodes[1] = 0.4: they must be finite and increase");
  refuses({INFINITY}, "fixed_nodes[0] = inf");
  refuses({1}, "fixed_nodes: 1 must be inside the interval, (0, 1)");
  refuses({0.5, std::nextafter(0.5, 1)}, "are the same but for rounding");
  CHECK_THROWS_WITH(solve(Jumping{}, {.fixed_nodes = {0.2, 0.4}, .max_intervals = 2}),
                    contains_text("2 of them are nodes of 3 intervals"));
}

}  // namespace daewave::bvp
