// What is chosen where the options leave it open, for each kind of constraints, and what becomes
// of a solve that failed.

#include "bvp/nonlinear/choose.hpp"

#include <cmath>
#include <string>

#include "bvp/nonlinear/constraint_time.hpp"
#include "bvp/solve.hpp"
#include "core/error.hpp"
#include "tests/bvp/bratu.hpp"
#include "tests/bvp/made_up_solution.hpp"
#include "tests/catch.hpp"

namespace daewave::bvp {
namespace {

/// On a mesh that is given nothing is asked of the equations.
NonlinearProblem chosen(Options options, const NonlinearFacts& facts, double length = 1) {
  NonlinearProblem problem;
  problem.interval = {0, length};
  options.intervals = 10;
  choose_regularized(options, facts, problem);
  return problem;
}

const Choice& choice(const NonlinearProblem& problem, const std::string& name) {
  for (const Choice& made : problem.choices) {
    if (made.name == name) return made;
  }
  FAIL("no choice of " << name);
  return problem.choices.front();
}

constexpr NonlinearFacts of_index_2{2, true}, with_curvature{3, true}, without_curvature{3, false};

}  // namespace

TEST_CASE("forms without a layer are taken where there is one", "[nonlinear][choice]") {
  for (const NonlinearFacts& facts : {of_index_2, with_curvature}) {
    const NonlinearProblem problem = chosen({}, facts);
    CHECK(problem.form.variant == (facts.index == 2 ? Variant::direct : Variant::baumgarte_form));
    CHECK(problem.form.alpha1 == 1);
    CHECK(problem.form.alpha2 == 1);
    CHECK(problem.epsilon == 1e-4);
    CHECK(problem.form.epsilon == 1e-4);
    CHECK_FALSE(problem.has_layer);
    CHECK_FALSE(problem.carries_By);
    CHECK(problem.scheme.scheme == Scheme::gauss);
    CHECK(problem.scheme.stages == 3);
    CHECK(problem.controls_carried);
    CHECK_FALSE(choice(problem, "variant").by_user);
    CHECK_THAT(choice(problem, "alpha1").reason, contains_text("no initial layer"));
    CHECK_THAT(choice(problem, "epsilon").reason, contains_text("nothing is stiff"));
    CHECK_THAT(choice(problem, "control_multiplier").reason, contains_text("that of y too"));
    CHECK(choice(problem, "control_multiplier").value == "yes");
  }
}

TEST_CASE("iterates that carry B y unprojected run back where B is constant alone",
          "[nonlinear][choice]") {
  const Options unprojected{.variant = Variant::singular_linear};
  CHECK(chosen(unprojected, of_index_2).repairs_layer);
  NonlinearFacts turning = of_index_2;
  turning.has_constant_B = false;
  const NonlinearProblem problem = chosen(unprojected, turning);
  CHECK_FALSE(problem.repairs_layer);
  CHECK_THAT(choice(problem, "shooting_back").reason, contains_text("B changes"));
  CHECK(chosen({.variant = Variant::singular}, turning).repairs_layer);
  Options asked = unprojected;
  asked.shooting_back = true;
  CHECK(chosen(asked, of_index_2).repairs_layer);
  CHECK_THROWS_WITH(chosen(asked, turning), contains_text("take variant = singular"));
}

TEST_CASE("B y that is carried unprojected is right where B turns", "[nonlinear]") {
  // x = (sin t, cos t), y = cos t.
  struct Turning {
    using State = Vec<2>;
    using Multiplier = Vec<1>;
    Interval interval() const { return {0, 1}; }
    State B(const State&, double t) const { return {1, 0.5 + 0.5 * t}; }
    State f(const State& x, double t) const {
      return State(std::cos(t), -std::sin(t)) + std::cos(t) * B(x, t);
    }
    Multiplier g(const State& x, double t) const {
      return Multiplier(x[0] + 2 * x[1] - std::sin(t) - 2 * std::cos(t));
    }
    Mat<1, 2> G(const State&, double) const { return {1, 2}; }
    Multiplier g_t(const State&, double t) const {
      return Multiplier(2 * std::sin(t) - std::cos(t));
    }
    VecX conditions(const State& left, const State&) const { return VecX{{left[0]}}; }
  };
  const Solution solution =
      solve(Turning{}, {.tolerance = 1e-6, .variant = Variant::singular_linear});
  INFO(solution.report.full());
  REQUIRE(solution.report.usable());
  for (const double t : {0.0, 0.05, 0.3, 0.77, 1.0}) {
    CHECK(std::abs(solution.x(t)[0] - std::sin(t)) < 1e-5);
    CHECK(std::abs(solution.x(t)[1] - std::cos(t)) < 1e-5);
  }
}

TEST_CASE("B y that is carried unprojected is refused where the range of B depends on x",
          "[nonlinear]") {
  // x = (cos t, sin t), y = 1 + t; B is along x, or along what does not depend on it.
  struct Circle {
    using State = Vec<2>;
    using Multiplier = Vec<1>;
    bool along_x;
    Interval interval() const { return {0.2, 1.2}; }
    State B(const State& x, double t) const {
      return along_x ? x : State(State(std::cos(t), std::sin(t)) * (1 + 0.1 * x[0]));
    }
    State f(const State& x, double t) const {
      const State exact(std::cos(t), std::sin(t)), slope(-std::sin(t), std::cos(t));
      return slope + (1 + t) * B(exact, t) + 0.3 * (x - exact);
    }
    Multiplier g(const State& x, double) const { return Multiplier(0.5 * (x.squaredNorm() - 1)); }
    Mat<1, 2> G(const State& x, double) const { return x.transpose(); }
    Multiplier g_t(const State&, double) const { return Multiplier(0); }
    VecX conditions(const State& left, const State&) const {
      return VecX{{left[0] - std::cos(0.2)}};
    }
    VecX guess(double t) const { return VecX{{std::cos(t), std::sin(t)}}; }
  };
  Options options{.tolerance = 1e-6, .variant = Variant::singular_linear};
  CHECK_THROWS_WITH(solve(Circle{true}, options),
                    contains_text("depends on x") && contains_text("take variant = singular"));
  const Solution scaled = solve(Circle{false}, options);
  INFO(scaled.report.full());
  REQUIRE(scaled.report.usable());
  options.variant = Variant::singular;
  const Solution projected = solve(Circle{true}, options);
  INFO(projected.report.full());
  REQUIRE(projected.report.usable());
  for (const double t : {0.2, 0.31, 0.7, 1.2}) {
    CHECK(std::abs(scaled.x(t)[0] - std::cos(t)) < 1e-5);
    CHECK(std::abs(projected.x(t)[1] - std::sin(t)) < 1e-5);
  }
}

TEST_CASE("without a curvature the form has a layer, a small epsilon and a scheme that damps",
          "[nonlinear][choice]") {
  for (const double length : {0.1, 1.0, 50.0}) {
    const NonlinearProblem problem = chosen({}, without_curvature, length);
    CHECK(problem.form.variant == Variant::invariant);
    CHECK(problem.form.alpha1 == 0);
    CHECK(problem.has_layer);
    CHECK(problem.epsilon == Approx(5e-5 * length));
    CHECK(problem.scheme.scheme == Scheme::radau);
    CHECK_THAT(choice(problem, "variant").reason, contains_text("with_autodiff(problem)"));
    CHECK(choice(problem, "shooting_back").value == "yes");
    CHECK_THAT(choice(problem, "shooting_back").reason, contains_text("run back from the end"));
  }
}

TEST_CASE("what iterates are off is damped within a part of the interval", "[nonlinear][choice]") {
  for (const double length : {1e-6, 1.0, 1e6}) {
    const NonlinearProblem problem = chosen({}, {3, true, 0.1}, length);
    CHECK(problem.form.alpha1 == 1);
    CHECK(problem.form.alpha2 == Approx(10 / length));
    CHECK(problem.form.alpha3 == Approx(100 / (length * length)));
    CHECK(problem.epsilon == 1e-4);
    // What is given is a unit for the others.
    const NonlinearProblem given = chosen({.alpha1 = 3}, {3, true, 0.1}, length);
    CHECK(given.form.alpha2 == Approx(30 / length));
    CHECK(given.form.alpha3 == Approx(300 / (length * length)));
    CHECK(chosen({.alpha2 = 2}, {2, true, 0.1}, length).form.alpha2 == 2);
  }
}

TEST_CASE("a guess that swings tells how fast", "[nonlinear][choice]") {
  constexpr int times = 1001;
  const VecX part = VecX::LinSpaced(times, 0, 1);
  MatX x = MatX::Zero(2, times);
  CHECK(constraint_time(x, 1e-6) == 1);
  x.row(0) = (6 * part).array().sin().matrix().transpose();
  CHECK(constraint_time(x, 1e-6) == 1);
  x.row(1) = (200 * part).array().sin().matrix().transpose();
  CHECK(constraint_time(x, 1e-6) == Approx(1 / 200.0).epsilon(0.1));
  x.row(1) *= 1e-9;  // Rounding of something.
  CHECK(constraint_time(x, 1e-6) == 1);
}

TEST_CASE("singular carries B y, with an epsilon of its own", "[nonlinear][choice]") {
  const NonlinearProblem problem = chosen({.variant = Variant::singular}, with_curvature);
  CHECK(problem.carries_By);
  CHECK(problem.epsilon == Approx(5e-4));
  CHECK(problem.form.alpha1 == 0);
  CHECK(choice(problem, "variant").by_user);
  CHECK(choice(problem, "variant").reason.empty());
  CHECK_THAT(choice(problem, "control_multiplier").reason, contains_text("that of B y too"));
  CHECK_THAT(choice(problem, "epsilon").reason, contains_text("about 1e4"));
  const NonlinearProblem layered = chosen({.alpha1 = 0}, of_index_2);
  CHECK(layered.epsilon == Approx(5e-3));
  CHECK_THAT(choice(layered, "epsilon").reason, contains_text("about a hundred"));
  CHECK(choice(layered, "alpha1").by_user);
}

TEST_CASE("what is given is taken, and told as given", "[nonlinear][choice]") {
  Options options;
  options.scheme = Scheme::lobatto;
  options.stages = 5;
  options.epsilon = 2e-3;
  options.alpha2 = 3.0;
  options.weight = Weight::identity;
  options.control_multiplier = false;
  const NonlinearProblem problem = chosen(options, of_index_2);
  CHECK(problem.scheme.scheme == Scheme::lobatto);
  CHECK(problem.scheme.stages == 5);
  CHECK(problem.form.epsilon == 2e-3);
  CHECK(problem.form.alpha2 == 3);
  CHECK(problem.form.weight == Weight::identity);
  CHECK_FALSE(problem.controls_carried);
  for (const char* name : {"scheme", "stages", "epsilon", "weight"}) {
    CHECK(choice(problem, name).by_user);
  }
  CHECK(choice(problem, "control_multiplier").value == "no");
  // A given number of iterates is what is run.
  const NonlinearProblem counted = chosen({.alpha1 = 0, .iterates = 3}, of_index_2);
  CHECK(choice(counted, "shooting_back").value == "no");
  CHECK_THAT(choice(counted, "shooting_back").reason, contains_text("as were asked for"));
  const NonlinearProblem shot =
      chosen({.alpha1 = 0, .iterates = 3, .shooting_back = true}, of_index_2);
  CHECK(choice(shot, "shooting_back").value == "yes");
  CHECK(choice(shot, "shooting_back").by_user);
}

TEST_CASE("options that contradict a form are refused", "[nonlinear][choice]") {
  Options at_end{.alpha1 = 0};
  at_end.constraint_end = ConstraintEnd::end;
  CHECK_THROWS_WITH(chosen(at_end, of_index_2), contains_text("constraint_end = end"));
  CHECK_THROWS_WITH(chosen({.shooting_back = true}, of_index_2),
                    contains_text("alpha1 > 0 have no layer to repair"));
  CHECK_NOTHROW(chosen({.shooting_back = false}, of_index_2));
}

TEST_CASE("where there are no constraints there is no multiplier to control",
          "[nonlinear][choice]") {
  for (const bool controls : {false, true}) {
    NonlinearProblem problem;
    problem.equations = problem_of(testing::Bratu{});
    CHECK_THROWS_WITH(choose_ordinary({.control_multiplier = controls}, problem),
                      contains_text("control_multiplier: is of constraints"));
    problem.equations = problem_of(testing::BratuOfIndex1{});
    CHECK_THROWS_WITH(choose_ordinary({.control_multiplier = controls}, problem),
                      contains_text("give these a looser one of their own"));
  }
}

TEST_CASE("meshes end at 65536 intervals, or where they are told to", "[nonlinear][choice]") {
  CHECK(most_intervals({}) == 65536);
  CHECK(most_intervals({.max_intervals = 7}) == 7);
}

TEST_CASE("which failures another guess, or B y, may cure", "[nonlinear][choice]") {
  const auto ended = [](Termination why) {
    Report report;
    report.termination = why;
    return report;
  };
  using enum Termination;
  for (const Termination why : {not_converged, singular_matrix}) CHECK(needs_guess(ended(why)));
  for (const Termination why : {converged, diverged, tolerance_not_met, stopped, refused}) {
    CHECK_FALSE(needs_guess(ended(why)));
  }
  for (const Termination why : {not_converged, singular_matrix, tolerance_not_met,
                                singular_constraint, diverged, iterates_exhausted}) {
    CHECK(may_be_singular({}, ended(why)));
    CHECK_FALSE(may_be_singular({.variant = Variant::direct}, ended(why)));
    CHECK_FALSE(may_be_singular({.alpha1 = 1}, ended(why)));
    CHECK(may_be_singular({.alpha1 = 0}, ended(why)));
  }
  for (const Termination why : {converged, stopped, refused}) {
    CHECK_FALSE(may_be_singular({}, ended(why)));
  }
  // What was asked for that they come from is not another variant's to cure.
  CHECK_FALSE(may_be_singular({.epsilon = 1e-2}, ended(iterates_exhausted)));
  CHECK_FALSE(may_be_singular({.iterates = 2}, ended(iterates_exhausted)));
}

TEST_CASE("the second of two solves is taken where it is usable, and says why it was made",
          "[nonlinear][choice]") {
  const auto solved = [](Termination ended, const char* variant, bool has_values = true) {
    Report report;
    report.termination = ended;
    report.message = "so it ended";
    report.choices.push_back({"variant", variant, true, ""});
    report.choices.push_back({"stages", "4", true, ""});
    const CollocationCurve curve = testing::straight(uniform_mesh(0, 1, 2), 1, 1);
    return has_values ? testing::made_up(curve, report) : Solution(nullptr, report);
  };
  using enum Termination;
  const Solution second = better_of(solved(diverged, "direct"), solved(converged, "singular"));
  CHECK(second.report.usable());
  CHECK_FALSE(second.report.choices[0].by_user);
  CHECK_THAT(second.report.choices[0].reason, contains_text("direct did not find the solution"));
  CHECK(second.report.choices[1].by_user);
  REQUIRE(second.report.warnings.size() == 1);
  CHECK(second.report.warnings[0] == "variant = singular was taken, as direct failed: so it ended");
  // That the second one failed too is told, and how.
  const Solution none = better_of(solved(diverged, "direct"), solved(diverged, "singular"));
  CHECK(none.report.choices[0].by_user);
  REQUIRE(none.report.warnings.size() == 1);
  CHECK(none.report.warnings[0] == "variant = singular was tried too, and failed: so it ended");
  // Where constraints were dependent to take it is no advice that is left.
  const Solution told = better_of(solved(singular_constraint, "direct", false),
                                  solved(not_converged, "singular", false));
  CHECK(told.report.termination == not_converged);
  REQUIRE(told.report.warnings.size() == 1);
  CHECK_THAT(told.report.warnings[0], contains_text("singular was taken, as direct failed"));
  // One with values is better than one without.
  CHECK(better_of(solved(diverged, "direct", false), solved(diverged, "singular")).has_values());
  CHECK_FALSE(better_of(solved(diverged, "direct", false), solved(diverged, "singular", false))
                  .has_values());
}

}  // namespace daewave::bvp
