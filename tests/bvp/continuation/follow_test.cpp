// Branches of solutions: by a parameter to where no guess leads, and by arclength around folds.

#include <fmt/format.h>

#include <cmath>

#include "bvp/solve.hpp"
#include "core/derivatives/autodiff.hpp"
#include "core/error.hpp"
#include "problems/boundary_layers.hpp"
#include "problems/boundary_motion.hpp"
#include "problems/swirling_flow.hpp"
#include "tests/bvp/bratu.hpp"
#include "tests/bvp/effort.hpp"
#include "tests/catch.hpp"

namespace daewave::bvp {
namespace {

using testing::Bratu;
using testing::BratuOfIndex1;

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

template <class P>
ProblemFamily family_in_e(double e) {
  ProblemFamily family;
  family.member = [](const VecX& p) {
    P problem;
    problem.e = p[0];
    return boundary_problem_of(problem);
  };
  family.p = VecX{{e}};
  family.names = {"e"};
  return family;
}

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

TEST_CASE("by arclength the first step is short where a branch turns beside its begin",
          "[continuation]") {
  // By a fiftieth of the way it would lead to the other branch, past the fold at 0.407.
  const Branch branch = follow(imperfect_pitchfork(0.1, 0.45, -0.52),
                               {.to = -100, .arclength = true}, {.tolerance = 1e-6});
  INFO(branch.report.full());
  REQUIRE(branch.report.usable());
  CHECK(branch.reached == 0.45);
  // The next root of 0.45 a - a^3 + 0.1 = 0.
  const double a = branch.last.x(0)[0];
  CHECK(0.45 * a - a * a * a + 0.1 == Approx(0).margin(1e-5));
  CHECK((a > -0.35 && a < 0));
  REQUIRE(branch.folds().size() == 1);
  CHECK(branch.folds()[0] == Approx(3 * std::pow(0.05, 2.0 / 3)));
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
  CHECK(are_alike(testing::Cost{16, 3, 3.16e-10, 1}, testing::cost_of(branch.last)));
  const Table table = branch.table();
  CHECK(table.names.front() == "e");
  CHECK(table.names.back() == "fold");
  CHECK_THAT(branch.report.message, contains_text("turned at 3.5138307"));
}

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

TEST_CASE("by arclength folds of small solutions are found as those of large ones",
          "[continuation]") {
  const auto cubic = [](double a, double e) { return a - a * a * a / 3 - e; };
  for (const double size : {1.0, 1e-3, 1e-6}) {
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
    CHECK(upper.last.x(0)[0] == Approx(gap).epsilon(1e-3));
    const Branch lower = follow(constants(equation, 1, -1), to, {.tolerance = 1e-6});
    INFO(lower.report.full());
    REQUIRE(lower.folds().size() == 1);
    CHECK(lower.folds()[0] == Approx(3 * std::pow(gap / 2, 2.0 / 3)).epsilon(1e-4));
    CHECK(lower.reached == 1);
    CHECK(lower.last.x(0)[0] == Approx(-gap).epsilon(1e-3));
  }
}

TEST_CASE("why a branch by arclength ends is told, and not how well a solution was found",
          "[continuation]") {
  const auto steep = [](double a, double e) { return a - std::tanh(1e4 * e); };
  const Branch turned =
      follow(constants(steep, -1, -1), {.to = 1.07, .arclength = true}, {.tolerance = 1e-6});
  CHECK(turned.report.termination == Termination::step_too_small);
  CHECK(turned.reached < 0);
  CHECK_THAT(turned.report.message, contains_text("the last that was reached") &&
                                        contains_text("turns by 90 degrees") &&
                                        !contains_text("within tolerance"));
  CHECK_THAT(turned.report.advice, contains_text("arclength = false"));

  // Branches that are nearer to each other than the shortest step.
  const auto near = [](double a, double e) { return e * a - a * a * a + 1e-6; };
  const Branch leapt =
      follow(constants(near, 1, 1), {.to = -1, .arclength = true}, {.tolerance = 1e-6});
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
