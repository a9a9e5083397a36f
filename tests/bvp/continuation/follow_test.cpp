// Branches of solutions by a parameter, to where no guess leads, and how they end.

#include <fmt/format.h>

#include <cmath>

#include "bvp/solve.hpp"
#include "core/derivatives/autodiff.hpp"
#include "core/error.hpp"
#include "problems/boundary_layers.hpp"
#include "problems/boundary_motion.hpp"
#include "problems/swirling_flow.hpp"
#include "tests/bvp/bratu.hpp"
#include "tests/bvp/continuation/family_in_e.hpp"
#include "tests/bvp/effort.hpp"
#include "tests/catch.hpp"

namespace daewave::bvp {
namespace {

using testing::Bratu;
using testing::family_in_e;

/// e y'' = y - y y' with conditions that make a layer inside: from the line through them no
/// solution is found for small e.                                        Mazzia and Cash, number 30
struct LayerInside {
  using State = Vec<2>;
  double e = 1;
  Interval interval() const { return {0, 1}; }
  State f(const State& x, double) const { return {x[1], (x[0] - x[0] * x[1]) / e}; }
  Vec<2> conditions(const State& left, const State& right) const {
    return {left[0] + 7.0 / 6, right[0] - 1.5};
  }
};

}  // namespace

TEST_CASE("a branch leads to where no guess does", "[continuation]") {
  REQUIRE_FALSE(solve(LayerInside{.e = 1e-4}, {.tolerance = 1e-6}).report.usable());
  const Branch branch = follow(family_in_e<LayerInside>(1), {.to = 1e-4}, {.tolerance = 1e-6});
  INFO(branch.report.full());
  REQUIRE(branch.report.usable());
  CHECK(branch.reached == 1e-4);
  CHECK(branch.last.parameters[0] == 1e-4);
  CHECK(branch.last.report.error.x <= 1e-6);
  // The layer is where t - 7/6 and t + 1/2 are opposite, at 1/3.
  CHECK(branch.last.x(0.2)[0] == Approx(0.2 - 7.0 / 6).margin(1e-5));
  CHECK(branch.last.x(0.5)[0] == Approx(1.0).margin(1e-5));
  // Few loose steps.
  CHECK(branch.steps.size() == 4);
  CHECK(branch.steps.front().value == 1);
  CHECK_THAT(branch.report.message, contains_text("e = 0.0001 reached in"));
}

TEST_CASE("a branch is followed to zero where nothing else is said", "[continuation]") {
  const Branch branch = follow(family_in_e<Bratu>(1), {}, {.tolerance = 1e-6});
  INFO(branch.report.full());
  REQUIRE(branch.report.usable());
  CHECK(branch.reached == 0);
  CHECK(branch.last.parameters[0] == 0);
  // y'' = 0 there.
  CHECK(branch.last.x(0.5)[0] == Approx(0).margin(1e-6));
}

TEST_CASE("on the way tolerances of components are as loose as that of all", "[continuation]") {
  const Continuation to{.to = 1e-4};
  const Branch plain = follow(family_in_e<LayerInside>(1), to, {.tolerance = 1e-9});
  const Branch each =
      follow(family_in_e<LayerInside>(1), to,
             {.tolerance = 1e-9, .tolerances = {.relative = 1e-9, .absolute = VecX{{1e-9, 1e-9}}}});
  REQUIRE(plain.report.usable());
  REQUIRE(each.report.usable());
  const auto on_the_way = [](const Branch& branch) {
    int intervals = 0;
    for (std::size_t i = 0; i + 1 < branch.steps.size(); ++i) {
      intervals += branch.steps[i].intervals;
    }
    return intervals;
  };
  CHECK(on_the_way(each) < 1.3 * on_the_way(plain));
  CHECK(each.last.report.error.x <= 1e-9);
}

TEST_CASE("a first mesh of a branch is refused where no tolerance says how it goes on",
          "[continuation]") {
  const ProblemFamily family = family_in_e<Bratu>(1);
  CHECK_THROWS_WITH(follow(family, {.to = 2}, {.intervals = 10}),
                    contains_text("intervals: without a tolerance"));
  CHECK_THROWS_WITH(follow(family, {.to = 2}, {.mesh = uniform_mesh(0, 1, 10)}),
                    contains_text("mesh: without a tolerance"));
  const Branch first = follow(family, {.to = 2}, {.tolerance = 1e-6, .intervals = 10});
  CHECK(first.report.usable());
  CHECK(follow(family, {.to = 2}, {.tolerances = {.relative = 1e-6}, .intervals = 10})
            .report.usable());
  CHECK_THROWS_WITH(follow(family, {.to = 2}, {.tolerance = 1e-6, .mesh = Mesh()}),
                    contains_text("mesh: is empty"));
}

TEST_CASE("options are checked before the first step, those of the last solution too",
          "[continuation]") {
  // Steps on the way have looser tolerances, which are valid.
  const ProblemFamily family = family_in_e<Bratu>(1);
  for (const double tolerance : {1e-15, -1.0}) {
    CHECK_THROWS_WITH(follow(family, {.to = 2}, {.tolerance = tolerance}),
                      contains_text("tolerance = "));
  }
  CHECK_THROWS_WITH(
      follow(family, {.to = 2}, {.tolerance = 1e-6, .tolerances = {.relative = 1e-17}}),
      contains_text("tolerances.relative = "));
}

TEST_CASE("the last solution of a branch takes as many intervals as its tolerance needs",
          "[continuation]") {
  // Of order 2 a tolerance a ten thousandth as loose takes a hundred times the intervals.
  const Branch branch =
      follow(family_in_e<LayerInside>(1), {.to = 1e-2}, {.tolerance = 1e-8, .stages = 1});
  INFO(branch.report.full());
  REQUIRE(branch.report.usable());
  CHECK(branch.reached == 1e-2);
  CHECK(branch.rejected == 0);
  CHECK(branch.steps.back().intervals > 1 << 12);
}

TEST_CASE("where the last solution is found loosely alone, no shorter steps lead to it",
          "[continuation]") {
  const Continuation to{.to = 1e-2};
  const Options options{.tolerance = 1e-8, .stages = 1, .max_intervals = 1000};
  const Branch loose = follow(family_in_e<LayerInside>(1), to, {.tolerance = 1e-4, .stages = 1});
  const Branch branch = follow(family_in_e<LayerInside>(1), to, options);
  REQUIRE(loose.report.usable());
  CHECK(branch.report.termination == Termination::tolerance_not_met);
  CHECK_THAT(branch.report.message, contains_text("at 0.01: ") && contains_text("1.0e-08"));
  CHECK_THAT(branch.report.advice, contains_text("max_intervals"));
  CHECK(branch.rejected == 0);
  // Those of the loose branch but the last.
  CHECK(branch.steps.size() + 1 == loose.steps.size());
  CHECK_THAT(branch.report.message,
             contains_text(fmt::format("reached, after {} step(s)", loose.steps.size() - 2)));
}

TEST_CASE("a branch to where its family has no members says where to end", "[continuation]") {
  ProblemFamily family = family_in_e<Bratu>(0.5);
  family.member = [member = family.member](const VecX& p) {
    if (p[0] > 0.7) throw InvalidProblem("e: must be <= 0.7");
    return member(p);
  };
  const Branch branch = follow(family, {.to = 1, .arclength = true}, {.tolerance = 1e-6});
  INFO(branch.report.full());
  CHECK_FALSE(branch.report.usable());
  CHECK(branch.reached > 0.65);
  CHECK_THAT(branch.report.message, contains_text("e: must be <= 0.7"));
  CHECK_THAT(branch.report.advice, contains_text("end where the family has members"));
}

TEST_CASE("steps to values that a family does not have are shortened", "[continuation]") {
  ProblemFamily family = family_in_e<Bratu>(0.5);
  family.member = [member = family.member](const VecX& p) {
    if (!(p[0] > 0)) throw InvalidProblem("e: must be > 0");
    return member(p);
  };
  for (const double to : {0.1, 0.01}) {
    const Branch branch = follow(family, {.to = to, .arclength = true}, {.tolerance = 1e-6});
    INFO(branch.report.brief());
    CHECK(branch.report.usable());
    CHECK(branch.reached == Approx(to));
  }
  family.p[0] = -1;
  CHECK_THROWS_AS(follow(family, {.to = 0.1}), InvalidProblem);
}

TEST_CASE("a branch that turns ends by the parameter with what was found, and the way around",
          "[continuation]") {
  const Branch branch = follow(family_in_e<Bratu>(1), {.to = 4}, {.tolerance = 1e-6});
  INFO(branch.report.full());
  CHECK_FALSE(branch.report.usable());
  CHECK(branch.reached > 3.4);
  CHECK(branch.reached < 3.5139);
  CHECK(branch.last.has_values());
  CHECK(branch.last.parameters[0] == branch.reached);
  CHECK(branch.rejected > 0);
  CHECK_THAT(branch.report.message, contains_text("is the last that was reached"));
  CHECK_THAT(branch.report.advice, contains_text("arclength"));
}

TEST_CASE("branches of mechanisms carry their multipliers", "[continuation]") {
  // The arm to angles ever further from where it would fall.
  ProblemFamily family;
  family.member = [](const VecX& p) {
    problems::ArmBetween arm;
    arm.last_angle = p[0];
    return boundary_problem_of(arm);
  };
  family.p = VecX{{-2.9}};
  family.names = {"to"};
  const Branch branch = follow(family, {.to = -2.5}, {.tolerance = 1e-7});
  INFO(branch.report.full());
  REQUIRE(branch.report.usable());
  CHECK(branch.last.x(1)[0] == Approx(-2.5).epsilon(1e-10));
  CHECK(branch.last.constraint_residual(0.5).cwiseAbs().maxCoeff() < 1e-6);
  problems::ArmBetween arm;
  arm.last_angle = -2.5;
  const Solution fresh = solve(arm, {.tolerance = 1e-7, .from = branch.last});
  REQUIRE(fresh.report.usable());
  CHECK((fresh.multiplier(0.5) - branch.last.multiplier(0.5)).norm() < 1e-5);
}

TEST_CASE("unknown parameters are found along a branch", "[continuation]") {
  // y'' = -k (1 + e t) y: the eigenvalue k over e.
  ProblemFamily family;
  family.member = [](const VecX& p) {
    struct Graded {
      using State = Vec<2>;
      double k = 1, e = 0;
      Interval interval() const { return {0, 1}; }
      State f(const State& x, double t) const { return {x[1], -k * (1 + e * t) * x[0]}; }
      VecX conditions(const State& left, const State& right) const {
        return VecX{{left[0], right[0], left[1] - 1}};
      }
      State guess(double t) const { return {t * (1 - t), 1 - 2 * t}; }
    };
    return boundary_problem_of(Graded{p[0], p[1]});
  };
  family.p = VecX{{9, 0}};
  family.names = {"k", "e"};
  family.unknown = {0};
  const Branch branch = follow(family, {.parameter = "e", .to = 1}, {.tolerance = 1e-8});
  INFO(branch.report.full());
  REQUIRE(branch.report.usable());
  CHECK(branch.steps.front().unknowns[0] == Approx(9.8696044).epsilon(1e-3));
  // Airy functions: k of y'' = -k (1 + t) y.
  CHECK(branch.last.parameters[0] == Approx(6.548395).epsilon(1e-6));
  CHECK(branch.table().names[3] == "k");
  CHECK_THROWS_WITH(follow(family, {.parameter = "k", .to = 1}), contains_text("is unknown"));
  CHECK_THROWS_WITH(follow(family, {.to = 1}), contains_text("name one"));
}

TEST_CASE("unknown parameters go on from where the last solution has them", "[continuation]") {
  // sin(k - 10 e) = 0: of many solutions the one that leaves k = 0.
  ProblemFamily family;
  family.member = [](const VecX& p) {
    struct Turning {
      using State = Vec<1>;
      double k = 0, e = 0;
      Interval interval() const { return {0, 1}; }
      State f(const State& x, double) const { return State(-x[0]); }
      VecX conditions(const State& left, const State&) const {
        return VecX{{left[0] - 1, std::sin(k - 10 * e)}};
      }
      State guess(double) const { return State(1); }
    };
    return boundary_problem_of(Turning{p[0], p[1]});
  };
  family.p = VecX{{0, 0}};
  family.names = {"k", "e"};
  family.unknown = {0};
  for (const double first : {0.02, 0.1}) {
    const Branch branch = follow(family, {.parameter = "e", .to = 1, .first_step = first});
    INFO(branch.report.full());
    REQUIRE(branch.report.usable());
    for (const BranchStep& step : branch.steps) {
      CHECK(step.unknowns[0] == Approx(10 * step.value).margin(1e-6));
    }
  }
}

TEST_CASE("a branch stops where it is told to, or may not go on", "[continuation]") {
  const auto family = family_in_e<problems::SwirlingFlow>(1);
  const Branch stopped = follow(
      family, {.to = 1e-2, .observer = [](const BranchPoint& point) { return point.value > 0.5; }});
  CHECK(stopped.report.termination == Termination::stopped);
  CHECK(stopped.last.has_values());
  const Branch few = follow(family, {.to = 1e-3, .most_steps = 1});
  CHECK(few.report.termination == Termination::too_many_steps);
  CHECK(few.reached < 1);
  int calls = 0;
  const Branch interrupted =
      follow(family, {.to = 1e-3}, {.progress = [&](const Progress&) { return ++calls < 10; }});
  CHECK(interrupted.report.termination == Termination::stopped);
  const Branch nowhere = follow(family_in_e<Bratu>(4), {.to = 5});
  CHECK_FALSE(nowhere.report.usable());
  CHECK_THAT(nowhere.report.message, contains_text("no solution where the branch begins, e = 4"));
  const Solution none = solve(family_in_e<Bratu>(4));
  CHECK_THAT(none.report.advice,
             contains_text("bvp::follow(family, {.parameter = \"e\", .to = 4})"));
  CHECK_THROWS_WITH(follow(family, {.to = 1}), contains_text("another value than e = 1"));
  CHECK_THROWS_WITH(follow(family, {.to = -1, .geometric = true}), contains_text("one sign"));
  CHECK_THROWS_WITH(follow(family, {.parameter = "f", .to = 2}), contains_text("known: e"));
  CHECK_THROWS_WITH(follow(family, {.to = 2, .first_step = -1}), contains_text("first_step = -1"));
}

TEST_CASE("what a caller's own function throws comes out of a branch, and is no step too long",
          "[continuation]") {
  const auto family = family_in_e<Bratu>(1);
  for (const bool arclength : {false, true}) {
    CAPTURE(arclength);
    for (const int at : {1, 12}) {
      int calls = 0;
      const auto raise = [&] {
        if (++calls >= at) throw InvalidOption("mine");
      };
      const Continuation to{.to = 3, .arclength = arclength};
      CHECK_THROWS_WITH(follow(family, to,
                               {.progress =
                                    [&](const Progress&) {
                                      raise();
                                      return true;
                                    }}),
                        "mine");
      calls = at - 6;
      CHECK_THROWS_WITH(follow(family, to, {.on_each_mesh = [&](const Solution&) { raise(); }}),
                        "mine");
    }
  }
}

TEST_CASE("a fold is shown and kept on the way, and is not the solution that goes on",
          "[continuation]") {
  const auto family = family_in_e<Bratu>(3);
  double fold = 0;
  const Branch stopped = follow(family,
                                {.to = 3.6,
                                 .arclength = true,
                                 .observer =
                                     [&fold](const BranchPoint& at) {
                                       fold = at.value;
                                       return !at.is_fold;
                                     }},
                                {.tolerance = 1e-8});
  CHECK(stopped.report.termination == Termination::stopped);
  REQUIRE(stopped.steps.size() >= 2);
  CHECK(stopped.steps.back().is_fold);
  CHECK(stopped.steps.back().value == fold);
  CHECK(fold == Approx(3.513830719));
  // The last solution is that of the step before.
  CHECK(stopped.reached == stopped.steps[stopped.steps.size() - 2].value);
  CHECK(stopped.reached < fold - 1e-6);
  CHECK(stopped.last.parameters[0] == stopped.reached);
}

}  // namespace daewave::bvp
