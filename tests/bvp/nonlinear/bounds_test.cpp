// Bounds of x, within which f is evaluated whatever the iterates of Newton's method do.

#include <atomic>
#include <cmath>
#include <limits>
#include <random>

#include "bvp/solve.hpp"
#include "core/adapt/problem_from_functions.hpp"
#include "tests/bvp/effort.hpp"
#include "tests/catch.hpp"

namespace daewave::bvp {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

/// y'' = k sqrt(y), y(0) = y(1) = 1. With k = 12 / s^2 and s < 1/2, y = (1 - t / s)^4 up to s, and
/// zero from there to 1 - s. [Aris]
struct DeadCore {
  using State = Vec<2>;
  double s = 0.45, guessed = 0;
  Interval interval() const { return {0, 1}; }
  State f(const State& x, double) const { return {x[1], 12 / (s * s) * std::sqrt(x[0])}; }
  Vec<2> conditions(const State& left, const State& right) const {
    return {left[0] - 1, right[0] - 1};
  }
  State guess(double) const { return {guessed, 0}; }
  double y(double t) const { return std::pow(std::max(0.0, 1 - std::min(t, 1 - t) / s), 4); }
};
struct BoundedDeadCore : DeadCore {
  State lower() const { return {0, -infinite}; }
};

/// y'' = ln y + q(t), y(0), y(1) given; y = exp(-a t) and more.
struct Logarithm {
  using State = Vec<2>;
  double a = 5;
  Interval interval() const { return {0, 1}; }
  double y(double t) const { return std::exp(-a * t); }
  State f(const State& x, double t) const {
    return {x[1], std::log(x[0]) + a * t + a * a * std::exp(-a * t)};
  }
  Vec<2> conditions(const State& left, const State& right) const {
    return {left[0] - y(0), right[0] - y(1)};
  }
};
struct BoundedLogarithm : Logarithm {
  State lower() const { return {0, -infinite}; }
};

/// y'' = -k / y + q(t), y(0) = y(1) = 1: y = 1 + c t (1 - t), which comes close to 0.
struct Reciprocal {
  using State = Vec<2>;
  double c = -3.6, strength = 0.02;
  Interval interval() const { return {0, 1}; }
  double y(double t) const { return 1 + c * t * (1 - t); }
  State f(const State& x, double t) const {
    return {x[1], strength / y(t) - strength / x[0] - 2 * c};
  }
  Vec<2> conditions(const State& left, const State& right) const {
    return {left[0] - 1, right[0] - 1};
  }
};
struct BoundedReciprocal : Reciprocal {
  State lower() const { return {0, -infinite}; }
};

/// A part of something, 0 < y < 1: y'' = ln (y / (1 - y)) + q(t), y = 1 / (1 + exp(-a (t - 1/2))).
struct Fraction {
  using State = Vec<2>;
  double a = 12;
  Interval interval() const { return {0, 1}; }
  double y(double t) const { return 1 / (1 + std::exp(-a * (t - 0.5))); }
  State f(const State& x, double t) const {
    const double s = y(t);
    return {x[1], std::log(x[0] / (1 - x[0])) - a * (t - 0.5) + a * a * s * (1 - s) * (1 - 2 * s)};
  }
  Vec<2> conditions(const State& left, const State& right) const {
    return {left[0] - y(0), right[0] - y(1)};
  }
};
struct BoundedFraction : Fraction {
  State lower() const { return {0, -infinite}; }
  State upper() const { return {1, infinite}; }
};

template <class P>
double largest_error(const P& problem, const Solution& solution) {
  double most = 0;
  for (int i = 0; i <= 500; ++i) {
    most = std::max(most, std::abs(solution.x(i / 500.0)[0] - problem.y(i / 500.0)));
  }
  return most;
}

template <class P>
void check_found(const P& problem, double tolerance, const testing::Cost& recorded) {
  const Solution solution = solve(problem, {.tolerance = tolerance});
  CAPTURE(tolerance, solution.report.full());
  REQUIRE(solution.report.usable());
  CHECK(largest_error(problem, solution) <= 2 * tolerance);
  CHECK(solution.report.error.x <= tolerance);
  CAPTURE(text_of(testing::cost_of(solution)));
  CHECK(are_alike(recorded, testing::cost_of(solution)));
}

}  // namespace

TEST_CASE("roots and logarithms of iterates that leave their domain are kept from it", "[bounds]") {
  CHECK_FALSE(solve(Logarithm{}, {.tolerance = 1e-6}).report.usable());
  CHECK_FALSE(solve(Reciprocal{}, {.tolerance = 1e-6}).report.usable());
  CHECK_FALSE(solve(Fraction{}, {.tolerance = 1e-6}).report.usable());
  CHECK_FALSE(solve(DeadCore{}, {.tolerance = 1e-6}).report.usable());
  const std::vector<testing::Cost> costs = {
      {6, 7, 2.43e-08, 1}, {6, 7, 6.00e-12, 1}, {6, 7, 4.32e-05, 1}, {5, 0, 6.83e-06, 1},
      {4, 8, 7.69e-08, 1}, {6, 7, 2.48e-12, 1}, {10, 8, 8.50e-08, 1}, {11, 0, 1.09e-07, 1},
      {7, 7, 1.45e-10, 1}, {6, 7, 2.90e-16, 1}, {20, 9, 4.15e-10, 1}};
  auto recorded = costs.begin();
  for (const double tolerance : {1e-4, 1e-6, 1e-9}) {
    check_found(BoundedLogarithm{}, tolerance, *recorded++);
    check_found(BoundedReciprocal{}, tolerance, *recorded++);
    check_found(BoundedFraction{}, tolerance, *recorded++);
    if (tolerance > 1e-8) check_found(BoundedDeadCore{}, tolerance, *recorded++);
  }
}

TEST_CASE("a solution that stays on a bound is found and told", "[bounds]") {
  DeadCore without{.s = 0.3};
  CHECK_FALSE(solve(without, {.tolerance = 1e-6}).report.usable());
  const std::vector<testing::Cost> costs = {
      {20, 0, 4.04e-07, 1}, {20, 0, 4.04e-07, 1}, {20, 0, 4.04e-07, 1}};
  auto recorded = costs.begin();
  for (const double guessed : {0.0, 1.0, -1.0}) {
    BoundedDeadCore core;
    core.s = 0.3;
    core.guessed = guessed;
    const Solution solution = solve(core, {.tolerance = 1e-6});
    CAPTURE(guessed, solution.report.full());
    REQUIRE(solution.report.usable());
    CAPTURE(text_of(testing::cost_of(solution)));
    CHECK(are_alike(*recorded++, testing::cost_of(solution)));
    CHECK(largest_error(core, solution) <= 1e-6);
    REQUIRE(solution.report.warnings.size() == 1);
    CHECK(solution.report.warnings[0].find("x1 >= 0: the solution is on this bound") == 0);
  }
}

TEST_CASE("bounds that exclude the solution are told by name", "[bounds]") {
  BoundaryProblem line = boundary_problem_of(BoundedLogarithm{});
  line.upper = Vec<2>(0.8, infinite);
  const Solution above = solve(line, {.tolerance = 1e-6});
  CAPTURE(above.report.full());
  CHECK(above.report.termination == Termination::not_converged);
  CHECK(above.report.message.find("x1 <= 0.8: the solution leaves this bound") == 0);
  CHECK_FALSE(above.report.advice.empty());
  line.upper[0] = 0.9999;
  const Solution slightly = solve(line, {.tolerance = 1e-6});
  CAPTURE(slightly.report.full());
  CHECK_FALSE(slightly.report.usable());
  CHECK(slightly.report.message.find("x1 <= 0.9999: the solution leaves this bound") == 0);
  line.upper.resize(0);
  line.lower = Vec<2>(0.1, -infinite);
  CHECK(solve(line, {.tolerance = 1e-6}).report.message.find("x1 >= 0.1") == 0);
  line.lower = Vec<2>(0, -0.3);
  const Solution below = solve(line, {.tolerance = 1e-6});
  CAPTURE(below.report.full());
  CHECK(below.report.message.find("x2 >= -0.3: the solution leaves this bound") == 0);
}

TEST_CASE("where too much depends on f at a bound the tolerance is not met", "[bounds]") {
  // y'' = k y^0.1 is as good as discontinuous.
  struct Steep {
    using State = Vec<2>;
    Interval interval() const { return {0, 1}; }
    State f(const State& x, double) const { return {x[1], 40 * std::pow(x[0], 0.1)}; }
    Vec<2> conditions(const State& left, const State& right) const {
      return {left[0] - 1, right[0] - 1};
    }
    State lower() const { return {0, -infinite}; }
  };
  const Solution solution = solve(Steep{}, {.tolerance = 1e-9});
  CAPTURE(solution.report.full());
  CHECK(solution.report.termination == Termination::tolerance_not_met);
  CHECK(solution.report.message.find("f at a bound matters more") == 0);
  CHECK(solution.report.error.tolerance == 1e-9);
  CHECK(solution.has_values());
}

TEST_CASE("bounds hold for r of index 1, integrands and unknown parameters too", "[bounds]") {
  // x' = w, 0 = w^3 + w - ln x - q(t), x(1) = exp(-6); x = exp(-6 t).
  struct IndexOne {
    using State = Vec<1>;
    using Algebraic = Vec<1>;
    Interval interval() const { return {0, 1}; }
    static double w(double t) { return -6 * std::exp(-6 * t); }
    State f(const State&, const Algebraic& at, double) const { return at; }
    Algebraic r(const State& x, const Algebraic& at, double t) const {
      const double exact = w(t);
      return Algebraic(at[0] * at[0] * at[0] + at[0] - std::log(x[0]) - 6 * t -
                       exact * exact * exact - exact);
    }
    Mat<1, 1> r_w(const State&, const Algebraic& at, double) const {
      return Mat<1, 1>(3 * at[0] * at[0] + 1);
    }
    VecX conditions(const State&, const State& right) const {
      return VecX{{right[0] - std::exp(-6.0)}};
    }
    State lower() const { return State(0.0); }
  };
  BoundaryProblem one = boundary_problem_of(IndexOne{});
  const Solution found = solve(one, {.tolerance = 1e-6});
  CAPTURE(found.report.full());
  REQUIRE(found.report.usable());
  CHECK(found.x(0)[0] == Approx(1).epsilon(1e-5));
  one.lower.resize(0);
  CHECK_FALSE(solve(one, {.tolerance = 1e-6}).report.usable());

  // y'' = k sqrt(y) with k from the integral of sqrt(y): y = (1 - t / s)^4 with s = 0.8 on [0,
  // 1/2].
  const auto member = [](const VecX& p) {
    BoundedDeadCore core;
    core.s = std::sqrt(12 / p[0]);
    BoundaryProblem problem = boundary_problem_of(core);
    problem.interval = {0, 0.5};
    problem.conditions = [](const VecX& left, const VecX& right) {
      return VecX{{left[0] - 1, right[0] - std::pow(1 - 0.5 / 0.8, 4)}};
    };
    problem.integrand = [](const VecX& x, double) { return VecX{{std::sqrt(x[0])}}; };
    problem.further_conditions = [](const Observed& of) {
      return VecX{{of.integrals[0] - 0.8 / 3 * (1 - std::pow(1 - 0.5 / 0.8, 3))}};
    };
    return problem;
  };
  const Solution family =
      solve(ProblemFamily{.member = member, .p = VecX{{5.0}}, .unknown = {0}}, {.tolerance = 1e-8});
  CAPTURE(family.report.full());
  REQUIRE(family.report.usable());
  CHECK(family.parameters[0] == Approx(12 / 0.64).epsilon(1e-6));
}

TEST_CASE("f is evaluated within its bounds alone", "[bounds]") {
  struct Watched : BoundedFraction {
    std::shared_ptr<std::atomic<int>> outside = std::make_shared<std::atomic<int>>(0);
    State f(const State& x, double t) const {
      if (!(x[0] >= 0 && x[0] <= 1)) ++*outside;
      return BoundedFraction::f(x, t);
    }
    State guess(double t) const { return {-5 + 20 * t, 0}; }
  };
  const Watched problem;
  const Solution solution = solve(problem, {.tolerance = 1e-8});
  CAPTURE(solution.report.full());
  CHECK(solution.report.usable());
  CHECK(*problem.outside == 0);
}

TEST_CASE("bounds that do not bind change nothing", "[bounds]") {
  BoundedFraction fraction;
  fraction.a = 7;
  BoundaryProblem problem = boundary_problem_of(fraction);
  problem.guess = [fraction](double t) { return VecX(Vec<2>(fraction.y(t), 1)); };
  BoundaryProblem without = problem;
  without.lower.resize(0);
  without.upper.resize(0);
  const Solution with = solve(problem, {.tolerance = 1e-8});
  const Solution plain = solve(without, {.tolerance = 1e-8});
  REQUIRE(with.report.usable());
  REQUIRE(plain.report.usable());
  CHECK(with.mesh().nodes() == plain.mesh().nodes());
  CHECK(with.x_at_nodes() == plain.x_at_nodes());
  CHECK(with.report.warnings.empty());
}

TEST_CASE("bounds that make no sense are refused", "[bounds]") {
  BoundaryProblem problem = boundary_problem_of(BoundedFraction{});
  const auto refusal = [&](const VecX& lower, const VecX& upper) -> std::string {
    problem.lower = lower;
    problem.upper = upper;
    try {
      solve(problem);
    } catch (const InvalidProblem& refused) {
      return refused.what();
    }
    return {};
  };
  CHECK(refusal(Vec<1>(0.0), VecX()) == "lower: has 1 entries, x has 2");
  CHECK(refusal(VecX(), Vec<3>(1, 1, 1)) == "upper: has 3 entries, x has 2");
  CHECK(refusal(Vec<2>(0, 0), Vec<2>(1, 0)) == "lower[1] = 0, upper[1] = 0: must leave a range");
  CHECK_FALSE(refusal(Vec<2>(std::nan(""), 0), VecX()).empty());
}

TEST_CASE("known derivatives without end on a bound do no harm", "[bounds]") {
  struct ByHand : BoundedDeadCore {
    Mat<2, 2> f_x(const State& x, double) const {
      return Mat<2, 2>{{0, 1}, {6 / (s * s * std::sqrt(x[0])), 0}};
    }
  };
  ByHand core;
  core.s = 0.3;
  const Solution solution = solve(core, {.tolerance = 1e-6});
  CAPTURE(solution.report.full());
  REQUIRE(solution.report.usable());
  CHECK(largest_error(core, solution) <= 1e-6);
}

}  // namespace daewave::bvp
