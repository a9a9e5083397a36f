// Branches by arclength: around folds, along bends, and why they end.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "bvp/solve.hpp"
#include "core/derivatives/autodiff.hpp"
#include "core/error.hpp"
#include "tests/bvp/bratu.hpp"
#include "tests/bvp/continuation/family_in_e.hpp"
#include "tests/bvp/effort.hpp"
#include "tests/catch.hpp"

namespace daewave::bvp {
namespace {

using testing::Bratu;
using testing::BratuOfIndex1;
using testing::family_in_e;

/// That of Bratu with s = exp(y) as a constraint, s' = -mu: index 2, mu = -exp(y) y'.
struct BratuOfIndex2 {
  using State = Vec<3>;
  using Multiplier = Vec<1>;
  double e = 1;
  Interval interval() const { return {0, 1}; }
  State f(const State& x, double) const { return {x[1], -e * x[2], 0}; }
  Vec<3> B(const State&, double) const { return {0, 0, 1}; }
  template <class T>
  VecOf<T, 1> g(const VecOf<T, 3>& x, T) const {
    using std::exp;
    return VecOf<T, 1>(x[2] - exp(x[0]));
  }
  Vec<2> conditions(const State& left, const State& right) const { return {left[0], right[0]}; }
  State guess(double) const { return {0, 0, 1}; }
};

/// y'' = -e (y - y^3), which is straight or buckled, from e = pi^2 on.
struct Beam {
  using State = Vec<2>;
  double e = 20;
  Interval interval() const { return {0, 1}; }
  State f(const State& x, double) const { return {x[1], -e * (x[0] - x[0] * x[0] * x[0])}; }
  Vec<2> conditions(const State& left, const State& right) const { return {left[0], right[0]}; }
  State guess(double t) const {
    constexpr double pi = std::numbers::pi;
    return {0.8 * std::sin(pi * t), 0.8 * pi * std::cos(pi * t)};
  }
};

/// Constants a with equation(a, e) = 0.
ProblemFamily constants(double (*equation)(double a, double e), double from, double guess,
                        double size = 1) {
  struct Constant {
    using State = Vec<1>;
    double (*equation)(double, double) = nullptr;
    double e = 0, first = 0, size = 1;
    Interval interval() const { return {0, 1}; }
    State f(const State&, double) const { return State::Zero(); }
    State conditions(const State& left, const State&) const {
      return State(equation(left[0] / size, e));
    }
    State guess(double) const { return State(first * size); }
  };
  ProblemFamily family;
  family.member = [=](const VecX& p) {
    return boundary_problem_of(Constant{equation, p[0], guess, size});
  };
  family.p = VecX{{from}};
  family.names = {"e"};
  return family;
}

}  // namespace

TEST_CASE("a branch is followed around its fold, and the fold is found", "[continuation]") {
  const double fold = 3.513830719;
  std::vector<double> values;
  double worst = 0;
  const Branch branch = follow(family_in_e<Bratu>(0.5),
                               {.to = 4,
                                .arclength = true,
                                .observer =
                                    [&](const BranchPoint& point) {
                                      values.push_back(point.value);
                                      const double top = point.solution.x(0.5)[0];
                                      worst =
                                          std::max(worst, std::abs(Bratu::e_of(top) - point.value));
                                      return true;
                                    }},
                               {.tolerance = 1e-9});
  INFO(branch.report.full());
  REQUIRE(branch.report.usable());
  REQUIRE(branch.folds().size() == 1);
  CHECK(branch.folds()[0] == Approx(fold).epsilon(3e-10));
  CHECK(worst < 1e-7);
  // Where it began, above: y(1/2) = 5.0.
  CHECK(branch.reached == 0.5);
  CHECK(branch.last.x(0.5)[0] > 4);
  CHECK(Bratu::e_of(branch.last.x(0.5)[0]) == Approx(0.5).epsilon(1e-7));
  CHECK(values.size() == branch.steps.size());
  CHECK(branch.steps.size() == 18);
  CAPTURE(text_of(testing::cost_of(branch.last)));
  CHECK(are_alike(testing::Cost{16, 3, 3.36e-10, 1}, testing::cost_of(branch.last)));
  const Table table = branch.table();
  CHECK(table.names.front() == "e");
  CHECK(table.names.back() == "fold");
  CHECK_THAT(branch.report.message, contains_text("turned at 3.5138307"));
}

TEST_CASE("a branch ends where its parameter is to end, however close behind that it turns",
          "[continuation][arclength]") {
  struct Way {
    double begin, to;
  };
  // Of the second a step leads over the fold to where the parameter is beyond the end still.
  for (const auto [begin, to] : {Way{1, 3.513}, Way{3.3, 3.5137}}) {
    double before = 0;
    bool rises = true;
    const Branch branch = follow(family_in_e<Bratu>(begin),
                                 {.to = to,
                                  .arclength = true,
                                  .observer =
                                      [&](const BranchPoint& point) {
                                        rises = rises && point.value > before;
                                        before = point.value;
                                        return true;
                                      }},
                                 {.tolerance = 1e-8});
    CAPTURE(begin, to, branch.report.full());
    REQUIRE(branch.report.usable());
    CHECK(branch.reached == to);
    CHECK_THAT(branch.report.message, contains_text("reached in"));
    CHECK(branch.folds().empty());
    CHECK(rises);
    // Below that of the fold.
    CHECK(branch.last.x(0.5)[0] < 1.18684);
    CHECK(Bratu::e_of(branch.last.x(0.5)[0]) == Approx(to).epsilon(1e-6));
  }
}

TEST_CASE("a fold is told between the solutions that it is between", "[continuation][arclength]") {
  for (const double begin : {0.5, 1.5, 2.5, 3.2, 3.4}) {
    std::vector<double> tops;
    const Branch branch = follow(family_in_e<Bratu>(begin),
                                 {.to = 4,
                                  .arclength = true,
                                  .observer =
                                      [&](const BranchPoint& point) {
                                        tops.push_back(point.solution.x(0.5)[0]);
                                        return true;
                                      }},
                                 {.tolerance = 1e-6});
    CAPTURE(begin, branch.report.full());
    REQUIRE(branch.report.usable());
    CHECK(branch.folds().size() == 1);
    CHECK(tops.size() == branch.steps.size());
    // They grow all along the branch.
    CHECK(std::is_sorted(tops.begin(), tops.end()));
  }
}

TEST_CASE("by arclength folds of small solutions are found as those of large ones",
          "[continuation]") {
  const auto cubic = [](double a, double e) { return a - a * a * a / 3 - e; };
  for (const double size : {1.0, 1e-6}) {
    const Continuation to{.to = -2, .arclength = true};
    const Options options{.tolerance = 1e-9};
    const Branch branch = follow(constants(cubic, 2, -2.355, size), to, options);
    CAPTURE(size);
    INFO(branch.report.full());
    REQUIRE(branch.report.usable());
    REQUIRE(branch.folds().size() == 2);
    CHECK(branch.folds()[0] == Approx(-2.0 / 3).epsilon(1e-6));
    CHECK(branch.folds()[1] == Approx(2.0 / 3).epsilon(1e-6));
    CHECK(branch.reached == -2);
  }
  // As small as its tolerance, which others need not be.
  const Options each{.tolerance = 1e-6, .tolerances = {.absolute = VecX{{1e-12}}}};
  const Branch branch =
      follow(constants(cubic, 2, -2.355, 1e-6), {.to = -2, .arclength = true}, each);
  INFO(branch.report.full());
  CHECK(branch.folds().size() == 2);
}

TEST_CASE("by arclength bends that a step has cut are followed, and no other branch",
          "[continuation]") {
  // e a - a^3 + gap: the upper branch bends where e is near 0, the lower one turns.
  const auto wide = [](double a, double e) { return e * a - a * a * a + 1e-2; };
  const auto narrow = [](double a, double e) { return e * a - a * a * a + 1e-3; };
  for (const bool is_wide : {true, false}) {
    const double gap = is_wide ? 1e-2 : 1e-3;
    const auto equation = is_wide ? +wide : +narrow;
    const Continuation to{.to = -1, .arclength = true};
    const Branch upper = follow(constants(equation, 1, 1), to, {.tolerance = 1e-6});
    CAPTURE(gap);
    INFO(upper.report.full());
    CHECK(upper.report.usable());
    CHECK(upper.reached == -1);
    CHECK(upper.folds().empty());
    // What was taken back is no step.
    CHECK_THAT(upper.report.message,
               contains_text(fmt::format("in {} step(s)", upper.steps.size() - 1)));
    CHECK(upper.last.x(0)[0] == Approx(gap).epsilon(1e-3));
    const Branch lower = follow(constants(equation, 1, -1), to, {.tolerance = 1e-6});
    INFO(lower.report.full());
    REQUIRE(lower.folds().size() == 1);
    CHECK(lower.folds()[0] == Approx(3 * std::pow(gap / 2, 2.0 / 3)).epsilon(1e-4));
    CHECK(lower.reached == 1);
    CHECK(lower.last.x(0)[0] == Approx(-gap).epsilon(1e-3));
  }
}

TEST_CASE("by arclength branches that nearly meet are told from each other", "[continuation]") {
  // The upper one of two turns, or bends, within less than a hundredth of the way.
  const auto to_3 = [](double (*equation)(double, double)) {
    return follow(constants(equation, -3, 3), {.to = 3, .arclength = true});
  };
  for (double (*const turning)(double, double) : {
           +[](double a, double e) { return a * a - e * e + 1e-4; },
           +[](double a, double e) { return a * a - e * e + 1e-5; },
       }) {
    const Branch branch = to_3(turning);
    INFO(branch.report.full());
    REQUIRE(branch.report.usable());
    REQUIRE(branch.folds().size() == 1);
    CHECK(turning(0, branch.folds()[0]) == Approx(0).margin(1e-6));
    CHECK(branch.reached == -3);
    CHECK(branch.last.x(0)[0] == Approx(-3).epsilon(1e-4));
  }
  const auto bending = [](double a, double e) { return a * a - e * e - 1e-4; };
  const Branch branch = to_3(bending);
  INFO(branch.report.full());
  REQUIRE(branch.report.usable());
  CHECK(branch.folds().empty());
  CHECK(branch.reached == 3);
  CHECK(branch.last.x(0)[0] == Approx(3).epsilon(1e-4));
}

TEST_CASE("by arclength a front that is short beside steps is followed from end to end",
          "[continuation]") {
  const auto steep = [](double a, double e) { return a - std::tanh(100 * e); };
  const auto steeper = [](double a, double e) { return a - std::tanh(300 * e); };
  for (const auto equation : {+steep, +steeper}) {
    std::vector<double> values;
    double worst = 0;
    const Branch branch = follow(constants(equation, 1, 1),
                                 {.to = -1,
                                  .arclength = true,
                                  .observer =
                                      [&](const BranchPoint& point) {
                                        const double a = point.solution.x(0)[0];
                                        worst = std::max(worst, std::abs(equation(a, point.value)));
                                        values.push_back(a);
                                        return true;
                                      }},
                                 {.tolerance = 1e-6});
    CAPTURE(equation == +steep, branch.report.full());
    REQUIRE(branch.report.usable());
    CHECK(branch.reached == -1);
    CHECK(branch.last.x(0)[0] == Approx(-1));
    CHECK(worst < 1e-4);
    CHECK(std::is_sorted(values.rbegin(), values.rend()));
  }
}

TEST_CASE(
    "by arclength a branch that comes back from another one is followed wherever it is to end",
    "[continuation]") {
  // a^2 = e meets a = 0 where it turns.
  const auto fork = [](double a, double e) { return a * (e - a * a); };
  for (const double to : {-0.25, -0.2592, -0.0747, -7.0, -7.04, -7.05, -7.1}) {
    const Branch branch = follow(constants(fork, 1, 1), {.to = to, .arclength = true});
    CAPTURE(to);
    INFO(branch.report.full());
    REQUIRE(branch.report.usable());
    REQUIRE(branch.folds().size() == 1);
    CHECK(std::abs(branch.folds()[0]) < 1e-5);
    CHECK(branch.reached == 1);
    CHECK(branch.last.x(0)[0] == Approx(-1).epsilon(1e-4));
  }
}

TEST_CASE(
    "a buckled beam is followed to where it is straight, and back as it buckles the other way",
    "[continuation]") {
  for (const double to : {5.0, 8.0, 9.0}) {
    const Branch branch =
        follow(family_in_e<Beam>(20), {.to = to, .arclength = true}, {.tolerance = 1e-6});
    CAPTURE(to);
    INFO(branch.report.full());
    REQUIRE(branch.report.usable());
    REQUIRE(branch.folds().size() == 1);
    CHECK(branch.folds()[0] == Approx(std::pow(std::numbers::pi, 2)).epsilon(1e-3));
    CHECK(branch.reached == 20);
    CHECK(branch.last.x(0.5)[0] < -0.7);
    CHECK(branch.steps.size() < 40);
  }
}

TEST_CASE("why a branch by arclength ends is told, and not how well a solution was found",
          "[continuation]") {
  const auto steep = [](double a, double e) { return a - std::tanh(1e7 * e); };
  const Branch turned =
      follow(constants(steep, -1, -1), {.to = 1.07, .arclength = true}, {.tolerance = 1e-6});
  CHECK(turned.report.termination == Termination::step_too_small);
  CHECK(turned.reached < 0);
  CHECK_THAT(turned.report.message, contains_text("the last that was reached") &&
                                        contains_text("turns by 90 degrees") &&
                                        !contains_text("within tolerance"));
  CHECK_THAT(turned.report.advice, contains_text("arclength = false"));

  // Branches that are nearer to each other than the shortest step.
  const auto near = [](double a, double e) { return e * a - a * a * a + 1e-10; };
  const Branch leapt =
      follow(constants(near, 1, -1), {.to = -1, .arclength = true}, {.tolerance = 1e-6});
  INFO(leapt.report.full());
  CHECK_FALSE(leapt.report.usable());
  CHECK_THAT(leapt.report.message,
             contains_text("lead to another branch") || contains_text("meets another one"));
  CHECK_THAT(leapt.report.advice, contains_text("arclength = false"));

  // No advice to follow what is being followed.
  const auto ends = [](double a, double e) { return a * a + e * e * e * e + (e > 0.5 ? 1 : -1); };
  const auto nowhere = [](double a, double e) { return a * a + (e > 0 ? 1 : 0); };
  for (const auto equation : {+ends, +nowhere}) {
    const Branch branch =
        follow(constants(equation, 0, equation == +ends ? 1 : 0), {.to = 1, .arclength = true});
    INFO(branch.report.full());
    CHECK_FALSE(branch.report.usable());
    CHECK_THAT(branch.report.message, !contains_text("within tolerance"));
    CHECK_THAT(branch.report.advice, !contains_text("bvp::follow"));
    CHECK_FALSE(branch.report.advice.empty());
  }
}

TEST_CASE("by arclength the first step is short where a branch turns beside its begin",
          "[continuation]") {
  // By a fiftieth of the way it would lead to the other branch, past the fold at 0.407.
  const auto equation = [](double a, double e) { return e * a - a * a * a + 0.1; };
  const Branch branch = follow(constants(+equation, 0.45, -0.52), {.to = -100, .arclength = true},
                               {.tolerance = 1e-6});
  INFO(branch.report.full());
  REQUIRE(branch.report.usable());
  CHECK(branch.reached == 0.45);
  // The next root.
  const double a = branch.last.x(0)[0];
  CHECK(equation(a, 0.45) == Approx(0).margin(1e-5));
  CHECK((a > -0.35 && a < 0));
  REQUIRE(branch.folds().size() == 1);
  CHECK(branch.folds()[0] == Approx(3 * std::pow(0.05, 2.0 / 3)));
}

TEST_CASE("folds of problems of index 1 and 2 are passed", "[continuation]") {
  const auto passes = [](const ProblemFamily& family) {
    const Branch branch = follow(family, {.to = 4, .arclength = true}, {.tolerance = 1e-7});
    INFO(branch.report.full());
    REQUIRE(branch.report.usable());
    REQUIRE(branch.folds().size() == 1);
    CHECK(branch.folds()[0] == Approx(3.513830719).epsilon(1e-7));
    CHECK(Bratu::e_of(branch.last.x(0.5)[0]) == Approx(1).epsilon(1e-5));
    CHECK(branch.last.x(0.5)[0] > 3);
    return branch;
  };
  passes(family_in_e<BratuOfIndex1>(1));
  ProblemFamily family = family_in_e<Bratu>(1);
  family.member = [](const VecX& p) {
    return boundary_problem_of(with_autodiff(BratuOfIndex2{p[0]}));
  };
  const Branch branch = passes(family);
  const VecX x = branch.last.x(0.3);
  CHECK(branch.last.multiplier(0.3)[0] == Approx(-std::exp(x[0]) * x[1]).epsilon(1e-5));
}

TEST_CASE("a branch by arclength ends where its parameter does", "[continuation]") {
  const Branch branch =
      follow(family_in_e<Bratu>(0.5), {.to = 3, .arclength = true}, {.tolerance = 1e-8});
  INFO(branch.report.full());
  REQUIRE(branch.report.usable());
  CHECK(branch.reached == 3);
  CHECK(branch.folds().empty());
  CHECK(branch.steps.size() == 8);
  CHECK(Bratu::e_of(branch.last.x(0.5)[0]) == Approx(3).epsilon(1e-7));
}

}  // namespace daewave::bvp
