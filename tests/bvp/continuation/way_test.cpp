// How long the steps along a branch are, what is kept of them, and how their way ends.

#include "bvp/continuation/way.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "bvp/solve.hpp"
#include "core/error.hpp"
#include "tests/bvp/continuation/family_in_e.hpp"
#include "tests/catch.hpp"

namespace daewave::bvp {
namespace {

using testing::family_in_e;

/// x1' = e, x2' = 0 on [0, 1]: x = (e t, 5), as far as any step goes.
struct Line {
  using State = Vec<2>;
  double e = 0;
  Interval interval() const { return {0, 1}; }
  State f(const State&, double) const { return {e, 0}; }
  Vec<2> conditions(const State& left, const State&) const { return {left[0], left[1] - 5}; }
};

/// @param last  of the values that there are.
ProblemFamily lines(double from, double last = INFINITY) {
  ProblemFamily family;
  family.member = [last](const VecX& p) {
    if (p[0] > last) throw InvalidOption("e is too large");
    return boundary_problem_of(Line{p[0]});
  };
  family.p = VecX{{from}};
  family.names = {"e"};
  return family;
}

void check_values(const Branch& branch, const std::vector<double>& expected) {
  REQUIRE(branch.steps.size() == expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    CHECK(branch.steps[i].value == Approx(expected[i]));
  }
  CHECK(branch.reached == branch.steps.back().value);
}

}  // namespace

TEST_CASE("steps by the parameter begin with a quarter of the way, and grow where they succeed",
          "[continuation]") {
  // 0.25, 1.6 times that, and what is left of it.
  check_values(follow(lines(0), {.to = 1}), {0, 0.25, 0.65, 1});
  check_values(follow(lines(3), {.to = 1}), {3, 2.5, 1.7, 1});
  // No last step that is much shorter than the one before: what is left is parted in two.
  check_values(follow(lines(0), {.to = 1, .first_step = 0.1}), {0, 0.1, 0.26, 0.516, 0.758, 1});
  check_values(follow(lines(0), {.to = 1, .first_step = 2}), {0, 1});
  check_values(follow(lines(0), {.to = 2, .first_step = 1.99}), {0, 2});
}

TEST_CASE("a parameter that changes tenfold of one sign is led to by factors", "[continuation]") {
  check_values(follow(lines(1), {.to = 1000}), {1, 10, 100, 1000});
  check_values(follow(lines(-1000), {.to = -1}), {-1000, -100, -10, -1});
  // Not where it changes less, or its sign; or where that is not wanted.
  check_values(follow(lines(1), {.to = 9}), {1, 3, 6.2, 9});
  check_values(follow(lines(-50), {.to = 50}), {-50, -25, 15, 50});
  check_values(follow(lines(100), {.to = 1000, .geometric = false}), {100, 325, 685, 1000});
  check_values(follow(lines(1), {.to = 4, .geometric = true, .first_step = std::log(2.0)}),
               {1, 2, 4});
}

TEST_CASE("each step is kept with its value, its mesh and the largest of each component",
          "[continuation]") {
  std::vector<double> seen;
  const Branch branch =
      follow(lines(-1), {.to = 1, .observer = [&seen](const BranchPoint& point) {
                           seen.push_back(point.value);
                           CHECK(point.solution.x(1.0)[0] == Approx(point.value).margin(1e-12));
                           CHECK_FALSE(point.is_fold);
                           return true;
                         }});
  REQUIRE(branch.report.usable());
  CHECK(branch.parameter == "e");
  REQUIRE(seen.size() == branch.steps.size());
  for (std::size_t i = 0; i < seen.size(); ++i) {
    CHECK(branch.steps[i].value == seen[i]);
    CHECK(branch.steps[i].intervals > 0);
    CHECK(branch.steps[i].largest[0] == Approx(std::abs(seen[i])).margin(1e-12));
    CHECK(branch.steps[i].largest[1] == Approx(5));
    CHECK(branch.steps[i].unknowns.size() == 0);
  }
  CHECK(branch.last.x(1.0)[0] == Approx(1));
  CHECK(branch.rejected == 0);
  CHECK(branch.folds().empty());
  CHECK_THAT(branch.report.message, contains_text("e = 1 reached in 3 step(s); "));
  const Table table = branch.table();
  CHECK(table.names == std::vector<std::string>{"e", "max|x1|", "max|x2|", "intervals", "fold"});
  CHECK(table.rows() == 4);
}

TEST_CASE("the largest of each component is that of its polynomials, not of nodes alone",
          "[continuation]") {
  /// A buckled rod, th'' = -l sin th: w = th' is largest at nodes, th where w vanishes, and
  /// w(0)^2 = 2 l (1 - cos th) there.
  struct Rod {
    using State = Vec<2>;
    double e = 0;
    Interval interval() const { return {0, 1}; }
    State f(const State& x, double) const { return {x[1], -e * std::sin(x[0])}; }
    State conditions(const State& left, const State& right) const { return {left[0], right[0]}; }
    State guess(double t) const {
      return {2 * std::sin(std::numbers::pi * t),
              2 * std::numbers::pi * std::cos(std::numbers::pi * t)};
    }
  };
  const Branch branch = follow(family_in_e<Rod>(15), {.to = 30}, {.tolerance = 1e-8});
  REQUIRE(branch.report.usable());
  for (const BranchStep& step : branch.steps) {
    CAPTURE(step.value, step.intervals);
    const double w = step.largest[1];
    CHECK(step.largest[0] == Approx(std::acos(1 - w * w / (2 * step.value))).epsilon(1e-7));
  }
  CHECK(branch.steps.back().largest[0] == Approx(2.60117).epsilon(1e-5));
  /// sin(e t), whose largest value is at no point of a mesh.
  struct Wave {
    using State = Vec<2>;
    double e = 0;
    Interval interval() const { return {0, 1}; }
    State f(const State& x, double) const { return {e * x[1], -e * x[0]}; }
    State conditions(const State& left, const State&) const { return {left[0], left[1] - 1}; }
  };
  for (const BranchStep& step :
       follow(family_in_e<Wave>(2), {.to = 2.7}, {.tolerance = 1e-8}).steps) {
    CAPTURE(step.value, step.intervals);
    CHECK(step.largest[0] == Approx(1).epsilon(1e-6));
  }
}

TEST_CASE("arclength is advised where a branch can be followed by it", "[continuation]") {
  /// e = 1 - x^2, on an interval that depends on e or does not; a fold at e = 1.
  const auto branch = [](bool on_other_intervals) {
    struct Fold {
      using State = Vec<1>;
      double e = 0;
      bool grows = false;
      Interval interval() const { return {0, grows ? 1 + e : 1}; }
      State f(const State&, double) const { return State(0); }
      State conditions(const State& left, const State&) const {
        return State(left[0] * left[0] + e - 1);
      }
      State guess(double) const { return State(1); }
    };
    const ProblemFamily family{.member =
                                   [=](const VecX& p) {
                                     return boundary_problem_of(Fold{p[0], on_other_intervals});
                                   },
                               .p = VecX{{0.0}},
                               .names = {"e"}};
    return follow(family, {.to = 2});
  };
  for (const bool on_other_intervals : {false, true}) {
    const Branch ended = branch(on_other_intervals);
    CAPTURE(on_other_intervals, ended.report.advice);
    CHECK_FALSE(ended.report.usable());
    CHECK((ended.report.advice.find("arclength = true") == std::string::npos) ==
          on_other_intervals);
    CHECK_FALSE(ended.report.advice.empty());
  }
}

TEST_CASE("steps that lead nowhere are shortened, until they are too short", "[continuation]") {
  const Branch branch = follow(lines(0, 0.8), {.to = 1});
  CHECK_FALSE(branch.report.usable());
  CHECK(branch.report.termination == Termination::not_converged);
  CHECK(branch.reached <= 0.8);
  // Steps end at a thousandth of the way, and one that failed was 2.5 times as long.
  CHECK(branch.reached > 0.8 - 2.5e-3);
  CHECK(branch.rejected >= 3);
  CHECK(branch.last.x(1.0)[0] == Approx(branch.reached));
  CHECK_THAT(branch.report.message, contains_text("is the last that was reached, after ") &&
                                        contains_text("e is too large"));
  CHECK(branch.report.advice == "end where the family has members, or state those beyond");
  // As many as are allowed, taken or not.
  for (const int most : {1, 2, 5}) {
    const Branch few = follow(lines(0, 0.8), {.to = 1, .most_steps = most});
    CAPTURE(most);
    CHECK(few.report.termination == Termination::too_many_steps);
    CHECK(static_cast<int>(few.steps.size()) - 1 + few.rejected == most);
    CHECK_THAT(few.report.message,
               contains_text(fmt::format("after the {} steps that were allowed", most)));
    CHECK(few.report.advice == "raise most_steps");
  }
}

TEST_CASE("solutions on the way are as loose as they may be, and the last one is not",
          "[continuation]") {
  const auto tolerances = [](const Continuation& how, const Options& options) {
    const ProblemFamily family = lines(0);
    const Way way(family, how, options, 0);
    CHECK(way.range() == 2);
    CHECK(way.begin() == 0);
    CHECK(way.end() == -2);
    return std::vector<double>{way.loosely(), way.tolerance()};
  };
  CHECK(tolerances({.to = -2}, {}) == std::vector<double>{1e-4, 1e-6});
  CHECK(tolerances({.to = -2}, {.tolerance = 1e-8}) == std::vector<double>{1e-4, 1e-8});
  CHECK(tolerances({.to = -2}, {.tolerance = 1e-2}) == std::vector<double>{1e-2, 1e-2});
  CHECK(tolerances({.to = -2, .loosely = 1e-3}, {}) == std::vector<double>{1e-3, 1e-6});
  CHECK(tolerances({.to = -2, .loosely = 1e-9}, {}) == std::vector<double>{1e-6, 1e-6});
  CHECK(tolerances({.to = -2, .arclength = true}, {}) == std::vector<double>{1e-6, 1e-6});
}

TEST_CASE("a way that its observer stops ends there, with what was seen last", "[continuation]") {
  const Branch first =
      follow(lines(0), {.to = 1, .observer = [](const BranchPoint&) { return false; }});
  CHECK(first.report.termination == Termination::stopped);
  CHECK(first.reached == 0);
  CHECK_THAT(first.report.message, contains_text("stopped by the observer at e = 0, after 0 step"));
  const Branch third = follow(
      lines(0), {.to = 1, .observer = [](const BranchPoint& point) { return point.value < 0.5; }});
  CHECK(third.report.termination == Termination::stopped);
  CHECK(third.reached == Approx(0.65));
  CHECK(third.last.x(1.0)[0] == Approx(0.65));
  CHECK_THAT(third.report.message, contains_text("after 2 step(s)"));
}

TEST_CASE("a first step by arclength is a fiftieth of the way, or what it is told to be",
          "[continuation]") {
  const Branch open = follow(lines(0), {.to = 2, .arclength = true});
  REQUIRE(open.report.usable());
  CHECK(open.steps[1].value == Approx(0.04));
  CHECK(open.reached == 2);
  CHECK(follow(lines(0), {.to = 2, .arclength = true, .first_step = 0.2}).steps[1].value ==
        Approx(0.2));
  CHECK(follow(lines(0), {.to = 2, .arclength = true, .first_step = 5}).steps[1].value ==
        Approx(1));
  // Where there is nothing beside the begin the way ends there.
  const Branch none = follow(lines(0, 0), {.to = 1, .arclength = true});
  CHECK(none.report.termination == Termination::not_converged);
  CHECK_THAT(none.report.message, contains_text("no solution beside e = 0, at 2e-06"));
  CHECK(none.reached == 0);
}

}  // namespace daewave::bvp
