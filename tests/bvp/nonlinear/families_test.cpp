// Problems that depend on parameters: members, unknown parameters of problems of every kind,
// integrals, states inside the interval, and solutions as guesses.

#include <cmath>
#include <numbers>

#include "bvp/solve.hpp"
#include "core/derivatives/autodiff.hpp"
#include "core/error.hpp"
#include "problems/bent_beams.hpp"
#include "problems/boundary_layers.hpp"
#include "problems/boundary_motion.hpp"
#include "problems/index_one.hpp"
#include "problems/swirling_flow.hpp"
#include "tests/catch.hpp"

namespace daewave::bvp {
namespace {

constexpr double pi = std::numbers::pi;

/// y'' = -k y.
struct String {
  using State = Vec<2>;
  double k = 1;
  Interval interval() const { return {0, 1}; }
  State f(const State& x, double) const { return {x[1], -k * x[0]}; }
  VecX conditions(const State& left, const State& right) const {
    return VecX{{left[0], right[0], left[1] - 1}};
  }
  State guess(double t) const { return {t * (1 - t), 1 - 2 * t}; }
};

/// A family of one parameter from a struct for each value of it.
template <class Make>
ProblemFamily family_in(const char* name, double value, bool unknown, Make make) {
  ProblemFamily family;
  family.member = [make](const VecX& p) { return boundary_problem_of(make(p[0])); };
  family.p = VecX{{value}};
  family.names = {name};
  if (unknown) family.unknown = {0};
  return family;
}

/// The elastica of problems/bent_beams.hpp with its force as what it is.
struct Bent {
  using State = Vec<4>;
  double force = -20;
  Interval interval() const { return {0, 0.5}; }
  State f(const State& s, double) const {
    return {std::cos(s[2]), std::sin(s[2]), s[3], force * std::cos(s[2])};
  }
  VecX conditions(const State& left, const State& right) const {
    return VecX{{left[0], left[1], left[3], right[1], right[2] + pi / 2}};
  }
  State guess(double t) const { return {t, 0.2 * t, 1 - 4 * t, -4}; }
};

/// Example 6.1 of [AL2] with x1' + c x1 more in its first equation, where c is 0 in truth.
struct Driven : problems::Al2Example61Boundary {
  double c = 0;
  State f(const State& x, double t) const {
    State slope = problems::Al2Example61Boundary::f(x, t);
    slope[0] += c * x[0];
    return slope;
  }
  VecX conditions(const State& left, const State& right) const {
    return VecX{{left[1] - z_exact(0)[1], right[1] - z_exact(1)[1]}};
  }
};

/// The swing of PendulumBetween whose gravity is unknown, and its first speed known instead.
struct SwingOfGravity : problems::Pendulum {
  problems::PendulumBetween truth() const {
    problems::PendulumBetween known;
    known.t_end = 0.4;
    return known;
  }
  Interval interval() const { return {0, 0.4}; }
  VecX conditions(const Vec<4>& left, const Vec<4>& right) const {
    const auto known = truth();
    return VecX{{left[1] - known.exact(0)[1], right[0] - known.exact(0.4)[0],
                 right[3] - known.exact(0.4)[3]}};
  }
  Vec<4> guess(double t) const { return truth().guess(t); }
};

double largest_error(const Solution& solution, const std::function<VecX(double)>& exact) {
  double most = 0;
  const double begin = solution.mesh().begin(), length = solution.mesh().end() - begin;
  for (int i = 0; i <= 100; ++i) {
    const double t = begin + std::min(length, length * i / 100);
    most = std::max(most, (solution.x(t) - exact(t)).cwiseAbs().maxCoeff());
  }
  return most;
}

}  // namespace

TEST_CASE("a family with known parameters is its member", "[families]") {
  const auto family = family_in("e", 1e-2, false, [](double e) {
    problems::LayerAtBegin layer;
    layer.e = e;
    return layer;
  });
  const Solution solution = solve(family, {.tolerance = 1e-8});
  const Solution member = solve(problems::LayerAtBegin{.e = 1e-2}, {.tolerance = 1e-8});
  REQUIRE(solution.report.usable());
  CHECK(solution.x_at_nodes() == member.x_at_nodes());
  REQUIRE(solution.parameters.size() == 1);
  CHECK(solution.parameters[0] == 1e-2);
  REQUIRE(solution.report.parameters.size() == 1);
  CHECK_FALSE(solution.report.parameters[0].found);
  CHECK_THAT(solution.report.full(), contains_text("with e = 0.01"));
}

TEST_CASE("an eigenvalue is an unknown parameter", "[families]") {
  const auto family = family_in("k", 8.0, true, [](double k) { return String{k}; });
  const Solution solution = solve(family, {.tolerance = 1e-9});
  INFO(solution.report.full());
  REQUIRE(solution.report.usable());
  CHECK(solution.parameters[0] == Approx(pi * pi).epsilon(1e-9));
  CHECK(solution.nx() == 2);
  CHECK(solution.report.nx == 2);
  CHECK(solution.table().names.size() == 3);
  CHECK(largest_error(solution, [](double t) {
          return VecX{{std::sin(pi * t) / pi, std::cos(pi * t)}};
        }) < 1e-8);
  CHECK_THAT(solution.report.full(), contains_text("found: k = 9.8696044"));
}

TEST_CASE("the force of an elastica is found as a parameter and as a state alike", "[families]") {
  const auto family = family_in("F", -20, true, [](double force) { return Bent{force}; });
  const Solution solution = solve(family, {.tolerance = 1e-9});
  INFO(solution.report.full());
  REQUIRE(solution.report.usable());
  CHECK(solution.parameters[0] == Approx(-21.5490874435).epsilon(1e-10));
  CHECK(solution.x(0)[2] == Approx(0.710521980046).epsilon(1e-9));
  const Solution as_state = solve(problems::Elastica{}, {.tolerance = 1e-9});
  CHECK(as_state.x(0.3).head(4).isApprox(solution.x(0.3), 1e-8));
}

TEST_CASE("parameters of problems of index 1, 2 and 3 are found", "[families]") {
  SECTION("index 1") {
    // How far z begins: that of the solution known is found again.
    const Solution known = solve(problems::IndexOneLayer{}, {.tolerance = 1e-10});
    REQUIRE(known.report.usable());
    const double slope = known.x(0)[1];
    ProblemFamily family;
    family.p = VecX{{5.0}};
    family.unknown = {0};
    family.member = [slope](const VecX& p) {
      BoundaryProblem problem = boundary_problem_of(problems::IndexOneLayer{});
      problem.conditions = [slope, end = p[0]](const VecX& left, const VecX& right) {
        return VecX{{left[0] + left[1] + 0.15, right[0] - end, left[1] - slope}};
      };
      return problem;
    };
    const Solution solution = solve(family, {.tolerance = 1e-9, .from = known});
    INFO(solution.report.full());
    REQUIRE(solution.report.usable());
    CHECK(solution.parameters[0] == Approx(6.5).epsilon(1e-7));
  }
  SECTION("index 2") {
    const auto family = family_in("c", 0.3, true, [](double c) {
      Driven driven;
      driven.c = c;
      return driven;
    });
    const Solution solution = solve(family, {.tolerance = 1e-8});
    INFO(solution.report.full());
    REQUIRE(solution.report.usable());
    CHECK(std::abs(solution.parameters[0]) < 1e-7);
    CHECK(largest_error(solution,
                        [](double t) { return VecX(problems::Al2Example61{}.z_exact(t)); }) < 1e-7);
    // Without alpha1, shooting back runs from the end.
    const Solution back = solve(family, {.tolerance = 1e-5, .alpha1 = 0});
    INFO(back.report.full());
    REQUIRE(back.report.usable());
    CHECK(std::abs(back.parameters[0]) < 1e-4);
  }
  SECTION("index 3") {
    const auto family = family_in("g", 8.5, true, [](double gravity) {
      SwingOfGravity swing;
      swing.g0 = gravity;
      return with_autodiff(swing);
    });
    const Solution solution = solve(family, {.tolerance = 1e-8});
    INFO(solution.report.full());
    REQUIRE(solution.report.usable());
    CHECK(solution.parameters[0] == Approx(9.81).epsilon(1e-7));
    const auto truth = SwingOfGravity{}.truth();
    CHECK(largest_error(solution, [&](double t) { return VecX(truth.exact(t)); }) < 1e-6);
  }
}

TEST_CASE("an integral is a condition", "[families]") {
  // The eigenfunction of norm 1 instead of slope 1.
  ProblemFamily family;
  family.p = VecX{{8.0}};
  family.names = {"k"};
  family.unknown = {0};
  family.member = [](const VecX& p) {
    BoundaryProblem problem = boundary_problem_of(String{p[0]});
    problem.conditions = [](const VecX& left, const VecX& right) {
      return VecX{{left[0], right[0]}};
    };
    problem.integrand = [](const VecX& x, double) { return VecX{{x[0] * x[0]}}; };
    problem.further_conditions = [](const Observed& of) { return VecX{{of.integrals[0] - 1}}; };
    return problem;
  };
  const Solution solution = solve(family, {.tolerance = 1e-9});
  INFO(solution.report.full());
  REQUIRE(solution.report.usable());
  CHECK(solution.parameters[0] == Approx(pi * pi).epsilon(1e-8));
  CHECK(std::abs(solution.x(0.5)[0]) == Approx(std::sqrt(2)).epsilon(1e-8));
}

TEST_CASE("conditions hold at times inside", "[families]") {
  // y'' = 2 y^3, y = 1 / (1 + t), whose value at 0.3 is given instead of that at the end.
  struct Reciprocal {
    using State = Vec<2>;
    Interval interval() const { return {0, 1}; }
    State f(const State& x, double) const { return {x[1], 2 * x[0] * x[0] * x[0]}; }
    VecX conditions(const State& left, const State&) const { return VecX{{left[0] - 1}}; }
    State guess(double t) const { return {1 - t / 2, -0.5}; }
  };
  BoundaryProblem problem = boundary_problem_of(Reciprocal{});
  problem.inside = {0.3};
  problem.further_conditions = [](const Observed& of) { return VecX{{of.inside[0][0] - 1 / 1.3}}; };
  for (const Scheme scheme : {Scheme::gauss, Scheme::radau}) {
    const Solution solution = solve(problem, {.tolerance = 1e-9, .scheme = scheme, .stages = 4});
    INFO(solution.report.full());
    REQUIRE(solution.report.usable());
    const auto& nodes = solution.mesh().nodes();
    CHECK(std::find(nodes.begin(), nodes.end(), 0.3) != nodes.end());
    CHECK(std::abs(solution.x(0.3)[0] - 1 / 1.3) < 1e-14);
    CHECK(largest_error(solution, [](double t) {
            return VecX{{1 / (1 + t), -1 / ((1 + t) * (1 + t))}};
          }) < 1e-8);
  }
  const Solution coarse = solve(problem, {.intervals = 7});
  CHECK(coarse.mesh().intervals() >= 7);
  CHECK(std::abs(coarse.x(0.3)[0] - 1 / 1.3) < 1e-14);
  CHECK_THROWS_WITH(solve(problem, {.scheme = Scheme::lobatto, .stages = 3}),
                    contains_text("both sides of the times inside"));
}

TEST_CASE("a motion passes a point inside, and its multipliers are those of the motion",
          "[families]") {
  problems::PendulumBetween truth;
  truth.t_end = 0.4;
  for (const bool alpha1 : {true, false}) {
    BoundaryProblem problem = boundary_problem_of(with_autodiff(truth));
    problem.conditions = [truth](const VecX& left, const VecX&) {
      return VecX{{left[1] - truth.exact(0)[1]}};
    };
    problem.inside = {0.1, 0.3};
    problem.further_conditions = [truth](const Observed& of) {
      return VecX{{of.inside[1][0] - truth.exact(0.3)[0]}};
    };
    const Solution solution =
        solve(problem, {.tolerance = alpha1 ? 1e-8 : 1e-4, .alpha1 = alpha1 ? 1.0 : 0.0});
    INFO(solution.report.full());
    REQUIRE(solution.report.usable());
    CHECK(largest_error(solution, [&](double t) { return VecX(truth.exact(t)); }) <
          (alpha1 ? 1e-6 : 2e-3));
    const VecX lambda = *solution.y(0.2);
    CHECK(lambda[0] == Approx(truth.y_exact(0.25)[0]).epsilon(alpha1 ? 1e-6 : 1e-2));
  }
}

TEST_CASE("a solution is a guess: of the next problem, on any mesh and interval", "[families]") {
  problems::SwirlingFlow flow;
  flow.e = 0.05;
  const Solution first = solve(flow, {.tolerance = 1e-6});
  REQUIRE(first.report.usable());
  flow.e = 0.04;
  const Solution next = solve(flow, {.tolerance = 1e-6, .from = first});
  INFO(next.report.full());
  REQUIRE(next.report.usable());
  const Solution fresh = solve(flow, {.tolerance = 1e-6});
  CHECK(next.x(0.25).isApprox(fresh.x(0.25), 1e-5));
  SECTION("multipliers are carried over: the first iterate is the solution") {
    problems::PendulumBetween swing;
    swing.t_end = 0.4;
    const Solution solved = solve(with_autodiff(swing), {.tolerance = 1e-8});
    const Solution again =
        solve(with_autodiff(swing), {.intervals = 40, .from = solved, .iterates = 1});
    const Solution from_x =
        solve(with_autodiff(swing),
              {.intervals = 40, .guess = [&](double t) { return solved.x(t); }, .iterates = 1});
    const double t = again.stage_time(20, 1), lambda = swing.y_exact(swing.from + t)[0];
    CHECK(std::abs((*again.y(t))[0] - lambda) < 1e-7);
    CHECK(std::abs((*from_x.y(t))[0] - lambda) > 1e-5);
  }
  SECTION("another interval stretches it") {
    problems::PendulumBetween swing;
    swing.t_end = 0.4;
    const Solution solved = solve(with_autodiff(swing), {.tolerance = 1e-6});
    swing.t_end = 0.45;
    const Solution longer = solve(with_autodiff(swing), {.tolerance = 1e-6, .from = solved});
    INFO(longer.report.full());
    REQUIRE(longer.report.usable());
    CHECK(largest_error(longer, [&](double t) { return VecX(swing.exact(t)); }) < 1e-5);
  }
}

TEST_CASE("families that cannot be solved are refused with the reason", "[families]") {
  const auto string = [](double k) { return String{k}; };
  auto family = family_in("k", 8.0, true, string);
  family.unknown = {};
  CHECK_THROWS_AS(solve(family), InvalidProblem);  // Three conditions for two of x.
  family.unknown = {1};
  CHECK_THROWS_WITH(solve(family), contains_text("1 is no entry of p"));
  family.unknown = {0, 0};
  CHECK_THROWS_WITH(solve(family), contains_text("twice"));
  family.unknown = {0};
  family.names = {"k", "l"};
  CHECK_THROWS_WITH(solve(family), contains_text("2 of 1 parameters"));
  auto layer = family_in("e", 1e-2, true, [](double e) { return problems::LayerAtBegin{.e = e}; });
  CHECK_THROWS_WITH(solve(layer), contains_text("there must be 3"));
  CHECK_THROWS_WITH(parameter_named(layer, "f"), contains_text("known: e"));
  BoundaryProblem inside = boundary_problem_of(String{});
  inside.inside = {0.5};
  CHECK_THROWS_WITH(solve(inside), contains_text("only further_conditions sees it"));
  inside.further_conditions = [](const Observed&) { return VecX(0); };
  inside.inside = {0.5, 0.2};
  CHECK_THROWS_WITH(solve(inside), contains_text("must increase"));
  const Solution none;
  CHECK_THROWS_WITH(solve(problems::LayerAtBegin{}, {.from = none}), contains_text("no values"));
}

}  // namespace daewave::bvp
