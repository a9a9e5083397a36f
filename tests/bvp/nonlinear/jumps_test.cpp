// Right sides that jump in t, or have a narrow peak there: no claimed success that is none.

#include <algorithm>
#include <cmath>

#include "bvp/solve.hpp"
#include "problems/boundary_motion.hpp"
#include "tests/catch.hpp"

namespace daewave::bvp {
namespace {

/// y'' = (t < c ? 10 : -5) - y^2, y(0) = y(1) = 0.
struct Jump {
  using State = Vec<2>;
  static constexpr int nx = 2;
  double c;
  double force(double t) const { return t < c ? 10 : -5; }
  State f(const State& x, double t) const { return {x[1], force(t) - x[0] * x[0]}; }
  Interval interval() const { return {0, 1}; }
  VecX conditions(const State& left, const State& right) const { return VecX{{left[0], right[0]}}; }
};

/// (y, y') at the end from y(0) = 0 and y'(0), by a formula of order 4 that stops at the jump.
Vec<2> shot(const Jump& problem, double slope) {
  Vec<2> x{0, slope};
  const double ends[] = {0, problem.c, 1};
  for (int part = 0; part < 2; ++part) {
    constexpr int steps = 1000;
    const double h = (ends[part + 1] - ends[part]) / steps;
    const double inside = 0.5 * (ends[part] + ends[part + 1]);
    for (int i = 0; i < steps; ++i) {
      const Vec<2> k1 = problem.f(x, inside), k2 = problem.f(x + h / 2 * k1, inside);
      const Vec<2> k3 = problem.f(x + h / 2 * k2, inside), k4 = problem.f(x + h * k3, inside);
      x += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    }
  }
  return x;
}

/// y'(0), by the secant method from `near`.
double slope_at_begin(const Jump& problem, double near) {
  double before = near, here = near + 1e-3, f_before = shot(problem, before)[0];
  for (int i = 0; i < 30; ++i) {
    const double f_here = shot(problem, here)[0];
    if (f_here == f_before) break;
    const double next = here - f_here * (here - before) / (f_here - f_before);
    before = here;
    f_before = f_here;
    here = next;
  }
  return here;
}

/// y'' = -y + exp(-((t - c) / d)^2) / d: a kick of sqrt(pi).
struct Kick {
  using State = Vec<2>;
  static constexpr int nx = 2;
  double c, d;
  State f(const State& x, double t) const {
    const double s = (t - c) / d;
    return {x[1], -x[0] + std::exp(-s * s) / d};
  }
  Interval interval() const { return {0, 1}; }
  VecX conditions(const State& left, const State& right) const { return VecX{{left[0], right[0]}}; }
  /// By variation of constants; the sine is smooth, its mean under the kick known.
  double slope_at_begin() const {
    return -std::sqrt(std::acos(-1.0)) * std::exp(-d * d / 4) * std::sin(1 - c) / std::sin(1.0);
  }
};

/// y = sin 2 t + height (t - c)^order where t > c, of y'' = y^3 + q.
struct Kinked {
  using State = Vec<2>;
  double c = 0.4, height = 1;
  int order = 3;
  double more(double t, int derivative) const {
    if (t < c) return 0;
    double factor = height;
    for (int i = 0; i < derivative; ++i) factor *= order - i;
    return factor * std::pow(t - c, order - derivative);
  }
  State x_exact(double t) const {
    return {std::sin(2 * t) + more(t, 0), 2 * std::cos(2 * t) + more(t, 1)};
  }
  State f(const State& x, double t) const {
    const double known = x_exact(t)[0];
    return {x[1], x[0] * x[0] * x[0] - known * known * known - 4 * std::sin(2 * t) + more(t, 2)};
  }
  Interval interval() const { return {0, 1}; }
  Vec<2> conditions(const State& left, const State& right) const {
    return {left[0] - x_exact(0)[0], right[0] - x_exact(1)[0]};
  }
};

/// y'' = -4 y where y < level, with a stiffer spring beyond; linear on both sides.
struct Stop {
  using State = Vec<2>;
  double level = 0.5, stiffness = 10;
  State f(const State& x, double) const {
    return {x[1], -4 * x[0] - stiffness * std::max(0.0, x[0] - level)};
  }
  Interval interval() const { return {0, 0.6}; }
  Vec<2> conditions(const State& left, const State&) const { return {left[0], left[1] - 2}; }
  /// Until y = level, and from there on, not yet back at it.
  Vec<2> x_exact(double t) const {
    const double at = std::asin(level) / 2;
    if (t <= at) return {std::sin(2 * t), 2 * std::cos(2 * t)};
    const double rate = std::sqrt(4 + stiffness), rest = stiffness * level / (4 + stiffness);
    const double a = level - rest, b = 2 * std::cos(2 * at) / rate, s = rate * (t - at);
    return {rest + a * std::cos(s) + b * std::sin(s), rate * (b * std::cos(s) - a * std::sin(s))};
  }
};

template <class P>
double largest_error(const P& problem, const Solution& solution) {
  Vec<2> error(0, 0), size(1, 1);
  for (int i = 0; i <= 1000; ++i) {
    const double t = problem.interval().end * i / 1000.0;
    const Vec<2> exact = problem.x_exact(t), found = solution.x(t);
    error = error.cwiseMax((found - exact).cwiseAbs());
    size = size.cwiseMax((exact.cwiseAbs().array() + 1).matrix());
  }
  return error.cwiseQuotient(size).maxCoeff();
}

}  // namespace

TEST_CASE("where a derivative of f jumps there is a node, and the mesh beside it stays coarse",
          "[nonlinear][jump]") {
  for (const int order : {3, 4}) {
    for (const double c : {0.13, 0.4, 0.777}) {
      for (const double height : {3.0, 0.1}) {
        for (const double tolerance : {1e-6, 1e-8, 1e-10}) {
          const Kinked problem{c, height, order};
          const Solution solution = solve(problem, {.tolerance = tolerance});
          CAPTURE(order, c, height, tolerance, solution.report.brief());
          REQUIRE(solution.report.usable());
          CHECK(largest_error(problem, solution) <= tolerance);
          CHECK(solution.mesh().intervals() <= 40);
        }
      }
    }
  }
}

TEST_CASE("a kink that the state decides on is met to the tolerance", "[nonlinear][jump]") {
  for (const double level : {0.3, 0.5, 0.8}) {
    for (const double stiffness : {1.0, 10.0}) {
      for (const double tolerance : {1e-4, 1e-6, 1e-8}) {
        const Stop problem{level, stiffness};
        const Solution solution = solve(problem, {.tolerance = tolerance});
        CAPTURE(level, stiffness, tolerance, solution.report.brief());
        REQUIRE(solution.report.usable());
        CHECK(largest_error(problem, solution) <= tolerance);
        CHECK(solution.mesh().intervals() <= 100);
      }
    }
  }
}

TEST_CASE("f that jumps anywhere is met to the tolerance", "[nonlinear][jump]") {
  for (const double tolerance : {1e-4, 1e-6, 1e-8}) {
    for (int i = 1; i <= 20; ++i) {
      const double places[] = {1.0 / 3, 0.25, 0.1, 0.3, 0.5};
      const Jump problem{i <= 5 ? places[i - 1] : (i - 5) / 16.5};
      const Solution solution = solve(problem, {.tolerance = tolerance});
      INFO("jump at " << problem.c << " to " << tolerance << ": " << solution.report.brief());
      REQUIRE(solution.report.usable());
      const double slope = solution.x(0)[1], exact = slope_at_begin(problem, slope);
      CHECK(std::abs(slope - exact) <= tolerance * (1 + std::abs(exact)));
      CHECK(solution.mesh().intervals() <= 200);
    }
  }
}

TEST_CASE("a kick between all stages of the first meshes is seen", "[nonlinear][jump]") {
  for (const double tolerance : {1e-4, 1e-6}) {
    for (const double d : {1e-3, 3e-4}) {
      for (const double c : {0.1034, 0.7071}) {
        const Kick problem{c, d};
        const Solution solution = solve(problem, {.tolerance = tolerance});
        INFO("kick of width " << d << " at " << c << " to " << tolerance << ": "
                              << solution.report.brief());
        REQUIRE(solution.report.usable());
        CHECK(std::abs(solution.x(0)[1] - problem.slope_at_begin()) <= 10 * tolerance);
      }
    }
  }
}

TEST_CASE("an epsilon that is too large is not called converged where constraints are missed",
          "[nonlinear][epsilon]") {
  const problems::PendulumBetween problem;
  for (const double epsilon : {1e8, 1e10}) {
    for (const double tolerance : {1e-4}) {
      const Solution solution = solve(problem, {.tolerance = tolerance, .epsilon = epsilon});
      INFO("epsilon = " << epsilon << ": " << solution.report.brief());
      if (!solution.report.usable()) {
        CHECK_FALSE(solution.report.advice.empty());
        continue;
      }
      const Interval interval = problem.interval();
      for (int i = 0; i <= 20; ++i) {
        const double t = interval.begin + interval.length() * i / 20;
        const VecX exact = problem.exact(t);
        CHECK((solution.x(t) - exact).cwiseAbs().maxCoeff() <=
              10 * tolerance * (1 + exact.cwiseAbs().maxCoeff()));
      }
    }
  }
}

TEST_CASE("iterates that have not settled tell what they may still change",
          "[nonlinear][epsilon]") {
  problems::PendulumBetween problem;
  problem.t_end = 0.4;
  const Solution solution =
      solve(problem, {.tolerance = 1e-6, .variant = Variant::invariant, .epsilon = 0.1});
  INFO(solution.report.brief());
  REQUIRE(solution.report.termination == Termination::iterates_exhausted);
  CHECK(solution.report.error.iterates > 1e-6);
  CHECK_THAT(solution.report.message, contains_text("iterates; more of them may change it by "));
  CHECK_THAT(solution.report.full(), contains_text("\niterates may still change x by "));
  // Those that have settled tell it too.
  const Solution settled = solve(problem, {.tolerance = 1e-6});
  REQUIRE(settled.report.usable());
  CHECK(settled.report.error.iterates > 0);
  CHECK(settled.report.error.iterates <= 1e-6);
  CHECK_THAT(settled.report.full(), contains_text("\niterates may still change x by "));
  // Where their number was given they are what was asked for.
  const Solution given = solve(problem, {.tolerance = 1e-3, .iterates = 3});
  CHECK(given.report.error.iterates == 0);
}

TEST_CASE("a swing that a straight line tells nothing of is found by faster decay of constraints",
          "[nonlinear]") {
  problems::PendulumBetween problem;
  problem.t_end = 2.5;
  const Solution solution = solve(problem, {.tolerance = 1e-6});
  CAPTURE(solution.report.full());
  REQUIRE(solution.report.usable());
  CHECK_THAT(solution.report.full(), contains_text("alpha2 = 4 was taken"));
  const VecX left = solution.x(0), right = solution.x(problem.t_end);
  CHECK(problem.conditions(left, right).cwiseAbs().maxCoeff() < 1e-5);
  for (const double t : {0.0, 0.7, 1.4, 2.5}) {
    CHECK(solution.x(t).head(2).norm() == Approx(left.head(2).norm()).epsilon(1e-5));
  }
}

}  // namespace daewave::bvp
