// A solution of index 1 whose unknowns w leap is none, however small the estimate of its error.

#include "bvp/nonlinear/leaps_of_roots.hpp"

#include <cmath>
#include <string>

#include "bvp/solve.hpp"
#include "core/adapt/problem_of.hpp"
#include "tests/catch.hpp"

namespace daewave::bvp {
namespace {

/// y' = w, 0 = y^2 + w^2 - 1, y(0) = 0: y = sin t, to where w = 0 and dr/dw with it.
struct QuarterCircle {
  using State = Vec<1>;
  using Algebraic = Vec<1>;
  double end = 3;
  Interval interval() const { return {0, end}; }
  State f(const State&, const Algebraic& w, double) const { return w; }
  Algebraic r(const State& y, const Algebraic& w, double) const {
    return Algebraic(y[0] * y[0] + w[0] * w[0] - 1);
  }
  Vec<1> conditions(const State& left, const State&) const { return left; }
  State guess(double t) const { return State(std::sin(t)); }
  Algebraic guess_algebraic(double t) const { return Algebraic(std::cos(t)); }
};

/// y' = w, 0 = w - s with s = 1, and -1 from t = 0.4 on; y(0) = 0.
struct SwitchedRoot {
  using State = Vec<1>;
  using Algebraic = Vec<1>;
  Interval interval() const { return {0, 1}; }
  State f(const State&, const Algebraic& w, double) const { return w; }
  Algebraic r(const State&, const Algebraic& w, double t) const {
    return Algebraic(w[0] - (t < 0.4 ? 1 : -1));
  }
  Vec<1> conditions(const State& left, const State&) const { return left; }
};

/// y' = 0, 0 = (w - t) (w - 1 + t), w(0) = 0: two solutions that meet at t = 1/2, w goes through.
struct Crossing {
  using State = Vec<1>;
  using Algebraic = Vec<1>;
  Interval interval() const { return {0, 1}; }
  State f(const State&, const Algebraic& w, double) const { return w; }
  Algebraic r(const State&, const Algebraic& w, double t) const {
    return Algebraic((w[0] - t) * (w[0] - 1 + t));
  }
  Vec<1> conditions(const State& left, const State&) const { return left; }
  Algebraic guess_algebraic(double t) const { return Algebraic(0.99 * t); }
};

/// y' = 0, 0 = (w - t) (w - t + gap): two roots that move, and keep apart.
struct TwoMoving {
  using State = Vec<1>;
  using Algebraic = Vec<1>;
  double gap = 0.1;
  Interval interval() const { return {0, 1}; }
  State f(const State&, const Algebraic&, double) const { return State::Zero(); }
  Algebraic r(const State&, const Algebraic& w, double t) const {
    return Algebraic((w[0] - t) * (w[0] - t + gap));
  }
};

/// y = 0, and w at the stages of ten intervals.
template <class W>
CollocationCurve with_w(const W& w) {
  const Mesh mesh = uniform_mesh(0, 1, 10);
  const Collocation scheme = collocation(Scheme::gauss, 2);
  CollocationValues values;
  values.x.setZero(1, 11);
  values.slopes.setZero(1, 20);
  values.carried.resize(1, 20);
  for (int stage = 0; stage < 20; ++stage) {
    values.carried(0, stage) = w(mesh.node(stage / 2) + scheme.c[stage % 2] * mesh.step(stage / 2));
  }
  return {mesh, scheme, values};
}

}  // namespace

TEST_CASE("a solution of index 1 whose w leaps from root to root is refused",
          "[nonlinear][index1]") {
  for (const double tolerance : {1e-3, 1e-4, 1e-6, 1e-9}) {
    for (const double end : {1.7, 2.0, 3.0}) {
      const Solution solution = solve(QuarterCircle{end}, {.tolerance = tolerance});
      CAPTURE(tolerance, end, solution.report.full());
      CHECK_FALSE(solution.report.usable());
    }
    const Solution before = solve(QuarterCircle{1.5}, {.tolerance = tolerance});
    CAPTURE(tolerance, before.report.full());
    REQUIRE(before.report.usable());
    CHECK(std::abs(before.x(1.5)[0] - std::sin(1.5)) <= tolerance);
  }
}

TEST_CASE("w may jump where its equation does", "[nonlinear][index1]") {
  for (const double tolerance : {1e-4, 1e-8}) {
    const Solution solution = solve(SwitchedRoot{}, {.tolerance = tolerance});
    CAPTURE(tolerance, solution.report.full());
    REQUIRE(solution.report.usable());
    CHECK(std::abs(solution.x(1)[0] - (0.4 - 0.6)) <= tolerance);
    const Solution told = solve(SwitchedRoot{}, {.tolerance = tolerance, .fixed_nodes = {0.4}});
    CAPTURE(told.report.full());
    CHECK(told.report.usable());
  }
}

TEST_CASE("of two roots that cross one may be claimed and is not left", "[nonlinear][index1]") {
  for (const double tolerance : {1e-4, 1e-8}) {
    const Solution solution = solve(Crossing{}, {.tolerance = tolerance});
    CAPTURE(tolerance, solution.report.full());
    if (!solution.report.usable()) continue;
    CHECK(std::abs(solution.x(1)[0] - 0.5) <= tolerance);
  }
}

TEST_CASE("w leaps where it leaves its root, not where it moves as far as another one is away",
          "[nonlinear][index1]") {
  const VecX c = collocation(Scheme::gauss, 2).c;
  // From one stage to the next w moves by the distance of the roots, within an interval or over a
  // node: at the later one the other root is where w was before.
  for (const double gap : {0.1 * (c[1] - c[0]), 0.1 * (1 + c[0] - c[1])}) {
    CAPTURE(gap);
    const auto problem = problem_of(TwoMoving{gap});
    CHECK(leap_of_roots(*problem, with_w([](double t) { return t; })).empty());
    CHECK(leap_of_roots(*problem, with_w([&](double t) { return t - gap; })).empty());
    const std::string leap =
        leap_of_roots(*problem, with_w([&](double t) { return t < 0.5 ? t - gap : t; }));
    CHECK_THAT(leap, contains_text("w leaps from one solution"));
  }
}

}  // namespace daewave::bvp
