// A branch neither ends on another one nor goes on along it.

#include "bvp/continuation/stays_on_branch.hpp"

#include <cmath>
#include <numbers>

#include "bvp/solve.hpp"
#include "tests/bvp/continuation/family_in_e.hpp"
#include "tests/bvp/made_up_solution.hpp"
#include "tests/catch.hpp"

namespace daewave::bvp {
namespace {

using testing::family_in_e;

/// x^3 - x = e: two branches, one up to e = 0.385 and one from -0.385 on, and none between them.
struct TwoBranches {
  using State = Vec<1>;
  double e = -1;
  Interval interval() const { return {0, 1}; }
  State f(const State&, double) const { return State::Zero(); }
  State conditions(const State& left, const State&) const {
    return State(left[0] * left[0] * left[0] - left[0] - e);
  }
  State guess(double) const { return State(e < 0 ? -1.3 : 1.3); }
};

/// p a - a^3 + e = 0 of what is constant, as of a beam that is not quite straight under its load p:
/// one branch from p = -inf with the sign of e, and one that turns at p = 3 (e / 2)^(2/3).
ProblemFamily imperfect_pitchfork(double e, double p, double a) {
  struct Buckling {
    using State = Vec<1>;
    double e, p, a;
    Interval interval() const { return {0, 1}; }
    State f(const State& x, double t) const { return State(x[0] * (1 - 2 * t) / shape(t)); }
    State conditions(const State& left, const State&) const {
      return State(p * left[0] - left[0] * left[0] * left[0] + e);
    }
    State guess(double t) const { return State(a * shape(t)); }
    static double shape(double t) { return 1 + t * (1 - t); }
  };
  return {.member =
              [=](const VecX& of) {
                return boundary_problem_of(Buckling{e, of[0], a});
              },
          .p = VecX{{p}},
          .names = {"p"}};
}

/// x^2 = p^2 + gap^2 from p = -1 on the branch below.
ProblemFamily hyperbola(double gap) {
  struct Constant {
    using State = Vec<1>;
    double gap, p;
    Interval interval() const { return {0, 1}; }
    State f(const State&, double) const { return State(0); }
    State conditions(const State& left, const State&) const {
      return State(left[0] * left[0] - p * p - gap * gap);
    }
    State guess(double) const { return State(-std::hypot(1, gap)); }
  };
  return {.member =
              [=](const VecX& of) {
                return boundary_problem_of(Constant{gap, of[0]});
              },
          .p = VecX{{-1.0}},
          .names = {"p"}};
}

/// u'' + p u - u^2 + e sin(pi t) = 0: below the branch that begins at p there is none for all p,
/// and for e = 0 it crosses u = 0 at pi^2.
ProblemFamily imperfect_transcritical(double e, double p) {
  struct Curve {
    using State = Vec<2>;
    double e, p;
    Interval interval() const { return {0, 1}; }
    State f(const State& x, double t) const {
      return {x[1], -p * x[0] + x[0] * x[0] - e * std::sin(std::numbers::pi * t)};
    }
    State conditions(const State& left, const State& right) const { return {left[0], right[0]}; }
    State guess(double t) const {
      return {-6 * std::sin(std::numbers::pi * t),
              -6 * std::numbers::pi * std::cos(std::numbers::pi * t)};
    }
  };
  return {.member =
              [=](const VecX& of) {
                return boundary_problem_of(Curve{e, of[0]});
              },
          .p = VecX{{p}},
          .names = {"p"}};
}

/// Solutions (first (1 + t), second) on [0, 1].
Solution two_lines(double first, double second) {
  CollocationValues values;
  values.x.resize(2, 5);
  for (int i = 0; i <= 4; ++i) values.x.col(i) << first * (1 + 0.25 * i), second;
  values.slopes.resize(2, 4);
  values.slopes.row(0).setConstant(first);
  values.slopes.row(1).setZero();
  values.carried.resize(0, 4);
  return testing::made_up({uniform_mesh(0, 1, 4), collocation(Scheme::gauss, 1), values});
}

/// Of a step from (1, 1) to (2, 1), with secants in directions that are given, in units of the
/// step: of a tenth of it in front of the last solution, and of as much behind the next one.
struct Along {
  Along(const Vec<2>& at_last, const Vec<2>& at_next)
      : of_last{last, two_lines(1 + 0.1 * at_last[0], 1 + 0.1 * at_last[1]), 0.3},
        of_next{next, two_lines(2 - 0.1 * at_next[0], 1 - 0.1 * at_next[1]), -0.3} {}
  Solution last = two_lines(1, 1), next = two_lines(2, 1);
  Secant of_last, of_next;
};
bool stays_with(const Vec<2>& at_last, const Vec<2>& at_next, bool geometric = false) {
  const Along along(at_last, at_next);
  return stays_on_branch({along.last, along.next, 1e-9}, 3, along.of_last, along.of_next,
                         geometric);
}
bool passes_through(double first, double second, const Vec<2>& at_last, const Vec<2>& at_next) {
  const Along along(at_last, at_next);
  return is_between({along.last, along.next, 1e-9}, 3, along.of_last, along.of_next,
                    two_lines(first, second));
}

}  // namespace

TEST_CASE("a step stays on its branch where the mean of both tangents leads nearly there",
          "[continuation]") {
  CHECK(stays_with({1, 0}, {1, 0}));
  // A parabola is followed exactly, however much it bends.
  CHECK(stays_with({0.2, 0}, {1.8, 0}));
  CHECK(stays_with({1.9, 0}, {0.1, 0}));
  CHECK(stays_with({1, 3}, {1, -3}));
  CHECK(stays_with({-1, 2}, {3, -2}));
  // Off by a quarter of the step.
  CHECK(stays_with({1.24, 0}, {1.24, 0}));
  CHECK(stays_with({0.76, 0}, {0.76, 0}));
  CHECK_FALSE(stays_with({1.26, 0}, {1.26, 0}));
  CHECK_FALSE(stays_with({0.74, 0}, {0.74, 0}));
  CHECK_FALSE(stays_with({1.3, 0}, {1.24, 0}));
  CHECK_FALSE(stays_with({0, 0}, {0, 0}));
  CHECK_FALSE(stays_with({3, 0}, {3, 0}));
  CHECK_FALSE(stays_with({-1, 0}, {1, 0}));
  // Across the step too.
  CHECK_FALSE(stays_with({1, 2}, {1, 2}));
  CHECK_FALSE(stays_with({1, -2}, {1, -2}));
}

TEST_CASE("a long step goes on in the direction of both tangents, and no further than they lead",
          "[continuation]") {
  CHECK(stays_with({0.1, 0}, {1, 0}, true));
  CHECK(stays_with({1, 0}, {0.1, 0}, true));
  CHECK(stays_with({0.7, 0}, {0.1, 0}, true));
  CHECK_FALSE(stays_with({0.6, 0}, {0.6, 0}, true));
  CHECK_FALSE(stays_with({-1, 0}, {1, 0}, true));
  CHECK_FALSE(stays_with({1, 0}, {-1, 0}, true));
}

TEST_CASE("a step stays on its branch where its middle is on the cubic along both tangents",
          "[continuation]") {
  CHECK(passes_through(1.5, 1, {1, 0}, {1, 0}));
  CHECK(passes_through(1.59, 1, {1, 0}, {1, 0}));
  CHECK(passes_through(1.41, 1, {1, 0}, {1, 0}));
  CHECK_FALSE(passes_through(1.61, 1, {1, 0}, {1, 0}));
  CHECK_FALSE(passes_through(1.39, 1, {1, 0}, {1, 0}));
  CHECK_FALSE(passes_through(1.5, 1.2, {1, 0}, {1, 0}));
  // A parabola, and one that turns aside.
  CHECK(passes_through(1.3, 1, {0.2, 0}, {1.8, 0}));
  CHECK_FALSE(passes_through(1.5, 1, {0.2, 0}, {1.8, 0}));
  CHECK(passes_through(1.5, 1.5, {1, 2}, {1, -2}));
  CHECK_FALSE(passes_through(1.5, 1, {1, 2}, {1, -2}));
}

TEST_CASE("a branch ends where it comes to another one, however far a step would go on along that",
          "[continuation]") {
  // a^2 = p, beside a = 0.
  for (const double to : {-0.2, -0.3, -0.5, -1.0, -2.0, -3.7}) {
    const Branch branch = follow(imperfect_pitchfork(0, 1, 1), {.to = to}, {.tolerance = 1e-6});
    CAPTURE(to);
    INFO(branch.report.full());
    CHECK_FALSE(branch.report.usable());
    CHECK(branch.reached > 0);
    CHECK(branch.reached < 0.02);
    CHECK(branch.last.x(0)[0] == Approx(std::sqrt(branch.reached)).epsilon(1e-2));
    CHECK_THAT(branch.report.advice, contains_text("arclength = true"));
  }
}

TEST_CASE("a branch does not leap to another one where it turns", "[continuation]") {
  for (const double to : {0.4, 0.5, 1.0}) {
    const Branch branch = follow(family_in_e<TwoBranches>(-1), {.to = to}, {.tolerance = 1e-6});
    CAPTURE(to);
    INFO(branch.report.full());
    CHECK_FALSE(branch.report.usable());
    CHECK(branch.reached <= 2 / std::sqrt(27.0));
    CHECK(branch.last.x(0)[0] < 0);
    CHECK_THAT(branch.report.advice, contains_text("arclength"));
  }
}

TEST_CASE("a long step does not lead to another branch, but to where this one ends",
          "[continuation]") {
  // Steps to values that the other branch alone has.
  for (const double begin : {-1.0, -0.1}) {
    for (const double step : {0.75, 3.0}) {
      const Branch branch = follow(family_in_e<TwoBranches>(begin),
                                   {.to = begin + 4, .first_step = step}, {.tolerance = 1e-6});
      CAPTURE(begin, step);
      INFO(branch.report.full());
      CHECK_FALSE(branch.report.usable());
      CHECK(branch.last.x(0)[0] < 0);
      CHECK(branch.reached <= 2 / std::sqrt(27.0));
      CHECK(branch.reached >= 0.3);
      CHECK_THAT(branch.report.advice, contains_text("arclength"));
    }
  }
  // Where there is no other one long steps are taken.
  const Branch upper =
      follow(family_in_e<TwoBranches>(0.5), {.to = 3.5, .first_step = 3.0}, {.tolerance = 1e-6});
  CHECK(upper.report.usable());
  CHECK(upper.steps.size() == 2);
}

TEST_CASE("a branch ends at its fold where a solution of another one lies on its line",
          "[continuation]") {
  for (const double e : {0.1, 0.01, 0.001}) {
    const double fold = 3 * std::pow(e / 2, 2.0 / 3);
    for (const double to : {-1.0, 0.0, 0.1 * fold, -5.0}) {
      // That of the sign against e, and the one through small values, which ends at the same fold.
      for (const double a : {-1.0, -e}) {
        const Branch branch = follow(imperfect_pitchfork(e, 1, a), {.to = to}, {.tolerance = 1e-6});
        CAPTURE(e, to, a);
        INFO(branch.report.full());
        CHECK_FALSE(branch.report.usable());
        CHECK(branch.reached >= fold);
        CHECK(branch.last.x(0)[0] < 0);
        CHECK_THAT(branch.report.advice, contains_text("arclength"));
      }
    }
  }
}

TEST_CASE("a branch passes the solutions of another one that is nearer than where it goes",
          "[continuation]") {
  for (const double e : {0.1, 0.01, 0.001}) {
    for (const double to : {0.3, 0.7, 1.3, 2.0}) {
      const Branch branch = follow(imperfect_pitchfork(e, -1, e), {.to = to}, {.tolerance = 1e-6});
      CAPTURE(e, to);
      INFO(branch.report.full());
      REQUIRE(branch.report.usable());
      CHECK(branch.last.x(0)[0] > std::sqrt(to));
    }
  }
}

TEST_CASE("a branch does not leap across where it nearly meets another one", "[continuation]") {
  for (const bool arclength : {false, true}) {
    CAPTURE(arclength);
    // Tangents are the same on both branches, far from there.
    const Branch constant = follow(hyperbola(0.1), {.to = 1, .arclength = arclength});
    INFO(constant.report.full());
    REQUIRE(constant.report.usable());
    CHECK(constant.last.x(0)[0] == Approx(-std::hypot(1, 0.1)));
    const Branch curve =
        follow(imperfect_transcritical(0.3, 5), {.to = 20, .arclength = arclength});
    INFO(curve.report.full());
    REQUIRE(curve.report.usable());
    CHECK(curve.last.x(0.5)[0] == Approx(-0.029543).epsilon(1e-4));
  }
}

TEST_CASE("a branch goes on where another one crosses it", "[continuation]") {
  for (const bool arclength : {false, true}) {
    CAPTURE(arclength);
    const Branch line = follow(hyperbola(0), {.to = 1, .arclength = arclength});
    INFO(line.report.full());
    REQUIRE(line.report.usable());
    CHECK(line.last.x(0)[0] == Approx(1));
    CHECK(line.rejected == 0);
    const Branch shape = follow(imperfect_transcritical(0, 5), {.to = 20, .arclength = arclength});
    INFO(shape.report.full());
    REQUIRE(shape.report.usable());
    CHECK(shape.last.x(0.5)[0] > 11);
    CHECK(shape.rejected == 0);
  }
}

TEST_CASE("the solutions of linear equations are one branch, through where they have none",
          "[continuation]") {
  // y'' = -p y, y(0) = 0, y(1) = 1: there is none at (k pi)^2, and y changes its sign.
  struct Swing {
    using State = Vec<2>;
    double p;
    Interval interval() const { return {0, 1}; }
    State f(const State& x, double) const { return {x[1], -p * x[0]}; }
    State conditions(const State& left, const State& right) const {
      return {left[0], right[0] - 1};
    }
  };
  const ProblemFamily family{
      .member = [](const VecX& p) { return boundary_problem_of(Swing{p[0]}); },
      .p = VecX{{5.0}},
      .names = {"p"}};
  for (const double to : {15.0, 100.0}) {
    const Branch branch = follow(family, {.to = to}, {.tolerance = 1e-6});
    CAPTURE(to);
    INFO(branch.report.full());
    REQUIRE(branch.report.usable());
    const double w = std::sqrt(to);
    CHECK_THAT(branch.last.x(0.3)[0],
               Catch::Matchers::WithinAbs(std::sin(0.3 * w) / std::sin(w), 1e-5));
  }
}

}  // namespace daewave::bvp
