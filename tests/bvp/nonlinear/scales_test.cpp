// Differences that know the sizes of components, and changes that are rounding.

#include <cmath>
#include <numbers>

#include "bvp/equations/batch_differences.hpp"
#include "bvp/solve.hpp"
#include "bvp/statement/forward_differences.hpp"
#include "tests/catch.hpp"

namespace daewave::bvp {
namespace {

/// y'' = 2 y^3, y(0) = 1, y(1) = 1/2: y = 1 / (1 + t); in units of its own for y and y'.
struct ReciprocalInUnits {
  using State = Vec<2>;
  double y_unit = 1, slope_unit = 1, guessed = 0, guessed_slope = guessed;
  Interval interval() const { return {0, 1}; }
  State f(const State& x, double) const {
    const double y = x[0] / y_unit;
    return {y_unit / slope_unit * x[1], 2 * slope_unit * y * y * y};
  }
  Vec<2> conditions(const State& left, const State& right) const {
    return {left[0] / y_unit - 1, right[0] / y_unit - 0.5};
  }
  State guess(double) const { return {guessed, guessed_slope}; }
};

void check_found(const ReciprocalInUnits& problem) {
  const Solution solution = solve(problem, {.tolerance = 1e-8});
  CAPTURE(problem.y_unit, problem.slope_unit, problem.guessed, solution.report.full());
  REQUIRE(solution.report.usable());
  for (const double t : {0.0, 0.3, 0.5, 1.0}) {
    CHECK(solution.x(t)[0] / problem.y_unit == Approx(1 / (1 + t)).epsilon(1e-7));
    CHECK(solution.x(t)[1] / problem.slope_unit == Approx(-1 / ((1 + t) * (1 + t))).epsilon(1e-6));
  }
}

/// e y'' + t y' = -e pi^2 cos pi t - pi t sin pi t: a layer at 0. [CM] number 6
struct TurningPoint {
  using State = Vec<2>;
  double e = 1e-6;
  Interval interval() const { return {-1, 1}; }
  State f(const State& x, double t) const {
    constexpr double pi = std::numbers::pi;
    const double right = -e * pi * pi * std::cos(pi * t) - pi * t * std::sin(pi * t);
    return {x[1], (right - t * x[1]) / e};
  }
  Vec<2> conditions(const State& left, const State& right) const { return {left[0] + 2, right[0]}; }
  double y_exact(double t) const {
    return std::cos(std::numbers::pi * t) +
           std::erf(t / std::sqrt(2 * e)) / std::erf(1 / std::sqrt(2 * e));
  }
};

/// x = 10 sin w t beside a slope in units of its own.
struct SwingInUnits {
  using State = Vec<2>;
  double w = 1, unit = 1;
  Interval interval() const { return {0, 1}; }
  State f(const State& x, double) const { return {w / unit * x[1], -w * unit * x[0]}; }
  Mat<2, 2> f_x(const State&, double) const { return Mat<2, 2>{{0, w / unit}, {-w * unit, 0}}; }
  Vec<2> conditions(const State& left, const State& right) const {
    return {left[0], right[0] - 10 * std::sin(w)};
  }
  State guess(double) const { return {0, 0}; }
};

/// A point on a circle, x = (cos s, sin s), held by y = (1 + s) / time, s being t / time.
struct LedPoint {
  using State = Vec<2>;
  using Multiplier = Vec<1>;
  double time = 1;
  Interval interval() const { return {0, time}; }
  State f(const State&, double t) const {
    const double s = t / time, c = std::cos(s), d = std::sin(s);
    return State{-d + c * (1 + s), c + d * (1 + s)} / time;
  }
  State B(const State& x, double) const { return x; }
  Multiplier g(const State& x, double) const { return Multiplier{(x.squaredNorm() - 1) / 2}; }
  Mat<1, 2> G(const State& x, double) const { return x.transpose(); }
  Multiplier g_t(const State&, double) const { return Multiplier{0}; }
  Vec<1> conditions(const State& left, const State&) const { return Vec<1>{left[1]}; }
  State guess(double t) const { return {1, 0.5 * t / time}; }
  State place(double t) const { return {std::cos(t / time), std::sin(t / time)}; }
};

/// The same motion by forces, between two heights, held by y = (1 + s) / time^2.
struct ThrownPoint {
  using Position = Vec<2>;
  using Multiplier = Vec<1>;
  double time = 1;
  Interval interval() const { return {0, time}; }
  Mat<2, 2> M(const Position&) const { return Mat<2, 2>::Identity(); }
  Position f(const Position&, const Position&, double t) const {
    const double s = t / time;
    return Position{std::cos(s), std::sin(s)} * s / (time * time);
  }
  Multiplier g(const Position& q, double) const { return Multiplier{(q.squaredNorm() - 1) / 2}; }
  Mat<1, 2> G(const Position& q, double) const { return q.transpose(); }
  Multiplier g_t(const Position&, double) const { return Multiplier{0}; }
  Multiplier curvature(const Position&, const Position& v, double) const {
    return Multiplier{v.squaredNorm()};
  }
  Vec<2> conditions(const Vec<4>& left, const Vec<4>& right) const {
    return {left[1], right[1] - std::sin(1.0)};
  }
  Vec<4> guess(double t) const { return {1, 0.84 * t / time, 0, 0.84 / time}; }
  Position place(double t) const { return {std::cos(t / time), std::sin(t / time)}; }
};

template <class P>
void check_in_any_unit() {
  const Solution expected = solve(P{}, {.tolerance = 1e-4});
  REQUIRE(expected.report.usable());
  for (const double time : {10.0, 1e3, 1e6, 1e9}) {
    const P problem{time};
    const Solution solution = solve(problem, {.tolerance = 1e-4});
    CAPTURE(time, solution.report.full());
    REQUIRE(solution.report.usable());
    CHECK_FALSE(solution.carries_By());
    CHECK(solution.mesh().intervals() == expected.mesh().intervals());
    for (const double part : {0.0, 0.4, 1.0}) {
      const double t = part * time;
      CHECK((solution.x(t).template head<2>() - problem.place(t)).cwiseAbs().maxCoeff() < 1e-8);
    }
  }
}

/// x' = - x + cos t + sin t, as noisy as what is made of a table or of differences.
struct NoisyDecay {
  using State = Vec<1>;
  double noise = 1e-10;
  Interval interval() const { return {0, 1}; }
  State f(const State& x, double t) const {
    return State{-x[0] + std::cos(t) + std::sin(t) + noise * std::sin(1e18 * x[0] + 1e3 * t)};
  }
  Mat<1, 1> f_x(const State&, double) const { return Mat<1, 1>{-1}; }
  Vec<1> conditions(const State& left, const State&) const { return Vec<1>{left[0]}; }
  State guess(double) const { return State{0}; }
};

}  // namespace

TEST_CASE("errors of large components are seen beside small ones", "[nonlinear]") {
  for (const double unit : {1.0, 1e-3, 1e-5, 1e-9}) {
    for (const double w : {1.0, 2.0, 5.0, 9.0}) {
      for (const double tolerance : {1e-3, 1e-4, 1e-6, 1e-8}) {
        const SwingInUnits swing{.w = w, .unit = unit};
        const Solution solution = solve(swing, {.tolerance = tolerance});
        CAPTURE(unit, w, tolerance, solution.report.full());
        REQUIRE(solution.report.usable());
        double off = 0;
        for (int i = 0; i <= 1000; ++i) {
          off = std::max(off, std::abs(solution.x(1e-3 * i)[0] - 10 * std::sin(1e-3 * w * i)));
        }
        CHECK(off <= 11 * tolerance);
      }
    }
  }
}

TEST_CASE("noise of a problem's functions is told from a guess that is too far", "[nonlinear]") {
  for (const double noise : {1e-12, 1e-10, 1e-9}) {
    const Solution solution = solve(NoisyDecay{.noise = noise}, {.tolerance = 1e-8});
    CAPTURE(noise, solution.report.full());
    REQUIRE(solution.report.usable());
    for (const double t : {0.2, 0.7, 1.0}) CHECK(std::abs(solution.x(t)[0] - std::sin(t)) <= 1e-8);
  }
  // What is above the tolerance is told.
  const Solution rough = solve(NoisyDecay{.noise = 1e-6}, {.tolerance = 1e-8});
  CHECK_FALSE(rough.report.usable());
  CHECK_FALSE(rough.report.advice.empty());
}

TEST_CASE("a guess that vanishes does not kill Newton's method", "[nonlinear]") {
  for (const double guess : {0.0, 1e-300, 1e-87, 1e-20, 1e-12}) {
    check_found({.guessed = guess});
  }
}

TEST_CASE("a guess of which one component is rounding tells nothing of units", "[nonlinear]") {
  for (const double rounding : {1e-17, 1e-25, 1e-100, 0.0}) {
    check_found({.guessed = 2e-3, .guessed_slope = rounding});
    check_found({.guessed = rounding, .guessed_slope = 2e-3});
  }
}

TEST_CASE("components of 1e-9 and 1e5 beside each other are found", "[nonlinear]") {
  check_found({.y_unit = 1e-9, .slope_unit = 1e5});
  check_found({.y_unit = 1e5, .slope_unit = 1e-9});
  check_found({.y_unit = 1e9, .slope_unit = 1});
}

TEST_CASE("a turning point with e = 1e-6 is solved to all tolerances", "[nonlinear]") {
  const TurningPoint problem;
  for (const double tolerance : {1e-4, 1e-6, 1e-8, 1e-10}) {
    const Solution solution = solve(problem, {.tolerance = tolerance});
    CAPTURE(tolerance, solution.report.full());
    REQUIRE(solution.report.usable());
    for (int i = -200; i <= 200; ++i) {
      const double s = i / 200.0, t = s * s * s;
      CHECK(std::abs(solution.x(t)[0] - problem.y_exact(t)) <= 10 * tolerance);
    }
  }
}

TEST_CASE("each entry of a difference is taken at the step at which it is seen", "[nonlinear]") {
  // x0 counts in 1e-9 in the first row, and is lost there in the second.
  const auto function = [](const VecX& x, VecX& F) {
    F = Vec<2>(std::pow(x[0] / 1e-9, 2), 1e3 * x[0] + x[1] + 1e5);
    return true;
  };
  const Vec<2> x(1e-9, 1e5), weight(1e-9, 1e5);
  VecX F(2);
  function(x, F);
  MatX J(2, 2);
  REQUIRE(forward_differences(function, x, F, weight, J));
  CHECK(J(0, 0) == Approx(2e9).epsilon(1e-6));
  CHECK(J(1, 0) == Approx(1e3).epsilon(1e-6));
  CHECK(J(0, 1) == 0);
  CHECK(J(1, 1) == Approx(1).epsilon(1e-6));

  constexpr int points = 3, stride = 4;
  const double t[points] = {};
  double many[2 * stride] = {}, rates[2 * stride], columns[4 * stride];
  for (int p = 0; p < points; ++p) {
    many[p] = x[0];
    many[stride + p] = x[1];
  }
  const auto batch = [&](const IteratePoints& at, double* out) {
    for (int p = 0; p < at.count; ++p) {
      VecX one(2);
      function(Vec<2>(at.x[p], at.x[at.stride + p]), one);
      out[p] = one[0];
      out[at.stride + p] = one[1];
    }
    return RowsOfValues{out, at.stride};
  };
  const IteratePoints at{points, stride, t, many, nullptr};
  batch(at, rates);
  BatchDifferences differences;
  std::string failure;
  REQUIRE(differences.columns(at, 2, rates, weight, batch, columns, failure));
  for (int p = 0; p < points; ++p) {
    for (int e = 0; e < 4; ++e) CHECK(columns[e * stride + p] == J.reshaped()[e]);
  }
}

TEST_CASE("the unit of time changes nothing of constraints", "[nonlinear][units]") {
  // What iterates are off was to be damped within one unit: in milliseconds a motion took a hundred
  // times as long and gave no y, in microseconds there was none.
  check_in_any_unit<LedPoint>();
  check_in_any_unit<ThrownPoint>();
}

TEST_CASE("conditions in large units count", "[nonlinear]") {
  // From x = 0 a part of one moves them by less than their rounding.
  const auto function = [](const VecX& x, VecX& r) {
    r = VecX::Constant(1, x[0] / 1e12 - 1);
    return true;
  };
  MatX J(1, 1);
  REQUIRE(forward_differences(function, VecX::Zero(1), VecX::Constant(1, -1), VecX::Ones(1), J, 4));
  CHECK(J(0, 0) == Approx(1e-12).epsilon(1e-4));
}

}  // namespace daewave::bvp
