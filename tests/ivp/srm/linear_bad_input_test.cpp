// What the front door refuses of a linear problem, and how a run ends that cannot go on.

#include <limits>
#include <string>

#include "core/derivatives/linear_derivatives.hpp"
#include "core/error.hpp"
#include "ivp/solve.hpp"
#include "tests/catch.hpp"
#include "tests/ivp/linear_runs.hpp"

using namespace daewave;

namespace {

ivp::Srm radau() { return {.formula = {ivp::Stepper::radau}}; }

template <class P>
ivp::Solution solve(const P& problem, const ivp::Srm& srm, double h) {
  const LinearRun run(problem);
  return ivp::solve(*run.problem, run.start, run.span, {.method = srm, .h = h});
}

template <class P>
std::string refused(const P& problem, const ivp::Srm& srm, double h = 1) {
  try {
    solve(problem, srm, h);
  } catch (const InvalidProblem& error) {
    return std::string("problem: ") + error.what();
  } catch (const InvalidOption& error) {
    return std::string("option: ") + error.what();
  }
  return "not refused";
}

/// x1' = 1000 x1, which overflows at about t = 0.7; x2 = 0 by y.
struct Explosion {
  Interval interval() const { return {0, 2}; }
  Mat<2, 2> A(double) const { return Mat<2, 2>{{1000, 0}, {0, 0}}; }
  Vec<2> B(double) const { return {0, 1}; }
  Vec<2> q(double) const { return {0, 0}; }
  Mat<1, 2> C(double) const { return {0, 1}; }
  Vec<1> r(double) const { return Vec<1>{0}; }
  Boundary boundary() const { return initial_conditions(MatX{{1, 0}}, VecX::Ones(1)); }
};

/// Not a number between the points that are looked at beforehand.
struct Hole : Turning {
  Vec<2> q(double t) const {
    if (t > 0.50011 && t < 0.50089) return {std::numeric_limits<double>::quiet_NaN(), 0};
    return Turning::q(t);
  }
};

}  // namespace

TEST_CASE("impossible options are refused before any step", "[srm]") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  ivp::Srm srm = radau();
  double h = 1;
  SECTION("iterates") { srm.iterates = 0; }
  SECTION("epsilon") { srm.epsilon = GENERATE_COPY(0.0, -1.0, nan); }
  SECTION("alpha1") { srm.alpha1 = GENERATE_COPY(-1.0, nan); }
  SECTION("alpha2") { srm.alpha2 = GENERATE_COPY(0.0, -1.0, nan); }
  SECTION("a weight for whole intervals") { srm.weight = Weight::shifted; }
  SECTION("stages") { srm.formula.stages = GENERATE(0, 100); }
  SECTION("a step of no length") { h = GENERATE_COPY(0.0, -1.0, nan); }
  SECTION("a weight that makes the equation grow") {
    struct Turned : Turning {
      Vec<2> B(double t) const { return -Turning::B(t); }
    };
    srm.weight = Weight::identity;
    CHECK(refused(Turning{}, srm) == "not refused");
    CHECK_THAT(refused(Turned{}, srm), contains_text("option: weight = identity"));
    srm.epsilon = 0;
  }
  CHECK_THAT(refused(Turning{}, srm, h), contains_text("option: "));
}

TEST_CASE("a linear problem without derivatives of its constraint is refused", "[srm]") {
  CHECK_THAT(refused(Explosion{}, radau()),
             contains_text("problem: ") && contains_text("C_t and r_t are not given"));
}

TEST_CASE("a coefficient that is not finite is named", "[srm]") {
  ivp::Srm srm = radau();
  srm.formula.stages = 1;
  const ivp::Solution solution = solve(Hole{{1}}, srm, 1.0 / 2000);
  CHECK(solution.report.termination == Termination::stopped);
  CHECK_FALSE(solution.report.usable());
  CHECK_THAT(solution.report.message, contains_text("q(0.5005"));
  CHECK(solution.t.back() == Approx(0.5).margin(1e-3));
  CHECK(solution.end().allFinite());
}

TEST_CASE("a solution that overflows ends the run at the last finite step", "[srm]") {
  const ivp::Srm srm{.formula = {ivp::Stepper::gauss, 1}};
  const ivp::Solution solution = solve(with_differences(Explosion{}), srm, 1.0 / 1000);
  // Each step multiplies by (1 + .5) / (1 - .5) = 3, and 1000 * 3^639 < 1.8e308 < 1000 * 3^640.
  CHECK(solution.report.termination == Termination::diverged);
  CHECK(solution.report.integration.steps >= 632);
  CHECK(solution.report.integration.steps <= 639);
  CHECK(solution.end().allFinite());
  CHECK_THAT(solution.report.message, contains_text("not finite"));
}

TEST_CASE("an undamped constraint mode is warned of", "[srm]") {
  ivp::Srm srm{.formula = {ivp::Stepper::gauss}};
  srm.epsilon = 1e-6;
  srm.variant = Variant::singular_linear;
  const auto warnings = [&] { return solve(LinFromLeft{{1}}, srm, 0.1).report.warnings; };
  REQUIRE(warnings().size() == 1);
  CHECK_THAT(warnings()[0], contains_text("does not damp the constraint mode"));
  srm.variant = Variant::direct;
  srm.alpha1 = 1;
  CHECK(warnings().empty());
  srm.alpha1 = 0;
  srm.formula.stepper = ivp::Stepper::radau;
  CHECK(warnings().empty());
  srm.formula.stepper = ivp::Stepper::gauss;
  srm.epsilon.reset();
  CHECK(warnings().empty());
}
