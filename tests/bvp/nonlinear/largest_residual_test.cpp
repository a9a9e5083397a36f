// The largest residual: against numbers by hand, and as a tolerance of its own.

#include "bvp/nonlinear/largest_residual.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "bvp/equations/iterate_systems.hpp"
#include "bvp/equations/singular_term.hpp"
#include "bvp/solve.hpp"
#include "core/adapt/problem_of.hpp"
#include "tests/catch.hpp"

namespace daewave::bvp {
namespace {

/// x' = (0, rate): a line has the same residual everywhere.
struct Steady {
  using State = Vec<2>;
  double rate = 0;
  Interval interval() const { return {0, 1}; }
  State f(const State&, double) const { return {0, rate}; }
  Vec<2> conditions(const State& left, const State&) const { return left; }
};

/// x' = (cos 8 pi t, 0): 1 where quarters of the interval meet, -1 in the middle of each.
struct Waves {
  using State = Vec<2>;
  Interval interval() const { return {0, 1}; }
  State f(const State&, double t) const { return {std::cos(8 * EIGEN_PI * t), 0}; }
  Vec<2> conditions(const State& left, const State&) const { return left; }
};

/// Slopes (first, second) on four intervals, but for the first of the last one.
CollocationCurve lines(double first, double second, double of_last) {
  const Mesh mesh = uniform_mesh(0, 1, 4);
  CollocationValues values;
  values.x.setZero(2, 5);
  values.slopes = VecX{{first, second}}.replicate(1, 4);
  values.slopes(0, 3) = of_last;
  values.carried.resize(0, 4);
  return {mesh, collocation(Scheme::gauss, 1), values};
}

/// x = t by the multiplier y = -1: x' = -y, 0 = x - t.
struct HeldOnLine {
  using State = Vec<1>;
  using Multiplier = Vec<1>;
  Interval interval() const { return {0, 1}; }
  State f(const State&, double) const { return State(0.0); }
  Mat<1, 1> B(const State&, double) const { return Mat<1, 1>(1.0); }
  Multiplier g(const State& x, double t) const { return Multiplier(x[0] - t); }
  Mat<1, 1> G(const State&, double) const { return Mat<1, 1>(1.0); }
  Multiplier g_t(const State&, double) const { return Multiplier(-1.0); }
};

/// y'' = -exp(y), y = 0 at 0 and 1.
struct Exponential {
  using State = Vec<2>;
  Interval interval() const { return {0, 1}; }
  State f(const State& x, double) const { return {x[1], -std::exp(x[0])}; }
  Vec<2> conditions(const State& left, const State& right) const { return {left[0], right[0]}; }
};

/// x = (|t - at|, t + |t - 2 at / 3| / 2), whose slopes jump.
struct TwoJumps {
  using State = Vec<2>;
  double at = 0.5;
  Interval interval() const { return {0, 1}; }
  State exact(double t) const { return {std::abs(t - at), t + 0.5 * std::abs(t - 2 * at / 3)}; }
  State f(const State& x, double t) const {
    // Where it jumps the first is what lies between.
    const double first = t < at ? -1 : t > at ? 1 : 0, second = 1 + (t < 2 * at / 3 ? -0.5 : 0.5);
    const State off = exact(t) - x;
    return {first + off[0] + off[0] * off[1], second + std::sin(off[0])};
  }
  Vec<2> conditions(const State& left, const State& right) const {
    return {right[0] - (1 - at), left[1] - at / 3};
  }
};

/// x = |t - at|^(3/2): its slope has a root, beside which no mesh that follows errors is fine
/// enough.
struct Root {
  using State = Vec<1>;
  double at = 0.5;
  Interval interval() const { return {0, 1}; }
  double exact(double t) const { return std::pow(std::abs(t - at), 1.5); }
  State f(const State& x, double t) const {
    const double slope = 1.5 * std::sqrt(std::abs(t - at));
    return State((t < at ? -slope : slope) - (x[0] - exact(t)));
  }
  Vec<1> conditions(const State& left, const State&) const { return State(left[0] - exact(0)); }
};

double at_many_points(const Solution& solution) {
  constexpr int points = 3000;
  double largest = 0;
  for (int p = 0; p <= points; ++p) {
    const double t = static_cast<double>(p) / points;
    const Vec<2> wanted = Exponential{}.f(solution.x(t), t), slope = solution.slope(t);
    const Vec<2> off = (slope - wanted).array() / (1 + wanted.array().abs());
    largest = std::max(largest, off.norm());
  }
  return largest;
}

}  // namespace

TEST_CASE("the largest residual is that of the worst interval, relative to 1 + |F| by component",
          "[nonlinear][residual]") {
  const auto still = problem_of(Steady{}), moving = problem_of(Steady{.rate = 3});
  const auto of_still = ordinary_system(*still), of_moving = ordinary_system(*moving);
  CHECK(largest_residual(*of_still, lines(0, 0, 0)) == 0);
  CHECK(largest_residual(*of_still, lines(3, 4, 3)) == Approx(5));
  CHECK(largest_residual(*of_still, lines(3, 4, 12)) == Approx(std::sqrt(160.0)));
  CHECK(largest_residual(*of_moving, lines(0, 3 + 4, 0)) == Approx(1));
  const auto nowhere = problem_of(Steady{.rate = std::numeric_limits<double>::quiet_NaN()});
  CHECK(std::isinf(largest_residual(*ordinary_system(*nowhere), lines(0, 0, 0))));
}

TEST_CASE("a residual is that of what the curve carries", "[nonlinear][residual]") {
  const auto problem = problem_of(HeldOnLine{});
  const auto system = iterate_system(*problem, {.alpha1 = 0});
  REQUIRE(system->carried() == 1);
  const Mesh mesh = uniform_mesh(0, 1, 4);
  CollocationValues values;
  values.x = VecX(Eigen::Map<const VecX>(mesh.nodes().data(), 5)).transpose();
  values.slopes.setOnes(1, 4);
  const auto residual_with = [&](double carried) {
    values.carried.setConstant(1, 4, carried);
    return largest_residual(*system, {mesh, collocation(Scheme::gauss, 1), values});
  };
  CHECK(residual_with(-1) == Approx(0).margin(1e-12));
  CHECK(residual_with(-0.5) == Approx(0.5 / 1.5));
  CHECK(residual_with(-3) == Approx(2.0 / 4));
}

TEST_CASE("the largest residual is that of the worst point of an interval",
          "[nonlinear][residual]") {
  const auto waves = problem_of(Waves{});
  const auto system = ordinary_system(*waves);
  CHECK(largest_residual(*system, lines(1, 0, 1)) == Approx(1));
  CHECK(largest_residual(*system, lines(-1, 0, -1)) == Approx(1).epsilon(1e-3));
}

TEST_CASE("at its begin a singular term has the residual of what is beside it",
          "[nonlinear][residual]") {
  // x' = -2 x / t + (0, 3) along x = 0: there (I - S) x' = f, of which x' is a third.
  const auto problem = problem_of(Steady{.rate = 3});
  const auto term = std::make_shared<const SingularTerm>(MatX(-2 * MatX::Identity(2, 2)), 0, 2);
  const auto system = with_singular_term(ordinary_system(*problem), term);
  const VecX largest = largest_residuals(*system, lines(0, 0, 0), {}, term.get());
  REQUIRE(largest.size() == 4);
  CHECK(largest[0] == Approx(3.0 / (1 + 1)));
  for (int i = 1; i < 4; ++i) CHECK(largest[i] == Approx(3.0 / (1 + 3)));
}

TEST_CASE("a residual that has a tolerance is within it, and without one it is not",
          "[nonlinear][residual]") {
  for (const double tolerance : {1e-3, 1e-7, 1e-9}) {
    CAPTURE(tolerance);
    const Solution plain = solve(Exponential{}, {.tolerance = 1e-3, .stages = 3});
    const Solution solution =
        solve(Exponential{}, {.tolerance = 1e-3, .stages = 3, .residual_tolerance = tolerance});
    CAPTURE(solution.report.brief());
    REQUIRE(solution.report.usable());
    const auto problem = problem_of(Exponential{});
    const auto system = ordinary_system(*problem);
    const double found = largest_residual(*system, solution.values().curve());
    CHECK(found <= tolerance);
    CHECK(at_many_points(solution) <= 1.2 * tolerance);
    CHECK(at_many_points(solution) >= 0.5 * found);
    if (tolerance < 1e-3) {
      CHECK(at_many_points(plain) > 3 * tolerance);
      CHECK(solution.mesh().intervals() > plain.mesh().intervals());
    }
  }
}

TEST_CASE("a residual that no mesh brings below its tolerance ends the solve, with the reason",
          "[nonlinear][residual]") {
  const Solution limited =
      solve(Exponential{},
            {.tolerance = 1e-3, .stages = 3, .max_intervals = 20, .residual_tolerance = 1e-9});
  CHECK(limited.report.termination == Termination::tolerance_not_met);
  CHECK_THAT(limited.report.message, contains_text("max_intervals allows no finer mesh"));
  CHECK_THAT(limited.report.advice, contains_text("loosen residual_tolerance"));
  CHECK(limited.has_values());
  const Solution rounding = solve(Exponential{}, {.tolerance = 1e-6, .residual_tolerance = 1e-18});
  CHECK(rounding.report.termination == Termination::tolerance_not_met);
  CHECK_THAT(rounding.report.message, contains_text("it falls no further on finer meshes"));
}

TEST_CASE("a right side that jumps has nodes at its jumps where the residual has a tolerance",
          "[nonlinear][residual]") {
  for (const Scheme scheme : {Scheme::gauss, Scheme::radau, Scheme::lobatto}) {
    for (const double at : {0.123, 0.3, 0.51063946223023104, 0.7, 0.90541732669334174}) {
      for (const double tolerance : {1e-3, 1e-5, 1e-7}) {
        const TwoJumps problem{at};
        const Solution solution = solve(
            problem, {.tolerance = tolerance, .scheme = scheme, .residual_tolerance = tolerance});
        CAPTURE(name_of(scheme), at, tolerance, solution.report.full());
        CHECK(solution.report.usable());
        REQUIRE(solution.has_values());
        CHECK(solution.mesh().intervals() < 60);
        double largest = 0;
        for (int p = 0; p <= 500; ++p) {
          const double t = p / 500.0;
          largest = std::max(largest, (solution.x(t) - problem.exact(t)).cwiseAbs().maxCoeff());
        }
        CHECK(largest < tolerance);
      }
    }
  }
}

TEST_CASE("a residual beside a root of the right side is met by intervals that become short there",
          "[nonlinear][residual]") {
  for (const double at : {0.207, 0.481, 0.597, 0.899}) {
    for (const double tolerance : {1e-4, 1e-7}) {
      const Root problem{at};
      const Solution solution =
          solve(problem, {.tolerance = tolerance, .residual_tolerance = tolerance});
      CAPTURE(at, tolerance, solution.report.full());
      CHECK(solution.report.usable());
      REQUIRE(solution.has_values());
      CHECK(solution.mesh().intervals() < 400);
      const auto equations = problem_of(problem);
      CHECK(largest_residual(*ordinary_system(*equations), solution.values().curve()) <= tolerance);
      for (int p = 0; p <= 500; ++p) {
        const double t = p / 500.0;
        if (std::abs(solution.x(t)[0] - problem.exact(t)) > tolerance) FAIL_CHECK("wrong at " << t);
      }
    }
  }
}

}  // namespace daewave::bvp
