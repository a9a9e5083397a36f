// The front door with other classes and shapes: index 2, sizes known at run time only, no
// curvature, starts where the constraints are dependent.

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "ivp/reduced/pivot_watch.hpp"
#include "ivp/solve.hpp"
#include "problems/al2.hpp"
#include "problems/pendulum.hpp"
#include "tests/catch.hpp"
#include "tests/ivp/doors/sizes_of_run_time.hpp"
#include "tests/ivp/srm_problems.hpp"

using namespace daewave;
using ivp::Method;
using ivp::Options;
using ivp::Solution;
using ivp::Stepper;
using testing::end_error;
using testing::HeapCircle;
using testing::method_with;
using testing::regularizes;
using testing::Turning;

namespace {

/// MovingCircle as far as G and g_t: regularization alone is compiled for it.
struct Bare {
  using Position = Vec<2>;
  using Multiplier = Vec<1>;

  MovingCircle same{};

  Position f(const Position& x, const Position& v, double t) const { return same.f(x, v, t); }
  Position B(const Position& x, double t) const { return same.B(x, t); }
  Multiplier g(const Position& x, double t) const { return same.g(x, t); }
  Mat<1, 2> G(const Position& x, double t) const { return same.G(x, t); }
  Multiplier g_t(const Position& x, double t) const { return same.g_t(x, t); }
};

std::string chosen(const Solution& solution, const std::string& name) {
  for (const Choice& one : solution.report.choices) {
    if (one.name == name) return one.value + "; " + one.reason;
  }
  return "nothing";
}

int methods_for_every_stepper() {
  const std::vector<Method>& all = ivp::all_methods();
  return static_cast<int>(std::count_if(all.begin(), all.end(), ivp::takes_every_stepper));
}

/// Every method and stepper, with or without h, is done or refused.
template <class P>
void check_all(const P& problem, double end, double allowed, int& solved, int& refused) {
  for (Method method : ivp::all_methods()) {
    if (!ivp::takes_every_stepper(method)) continue;  // A formula of its own.
    for (Stepper stepper : ivp::all_steppers()) {
      for (bool fixed : {true, false}) {
        CAPTURE(name_of(method), name_of(stepper), fixed);
        Options options{.method = method_with(method, {stepper}), .rtol = 1e-6};
        if (fixed) options.h = end / 64;
        try {
          const Solution solution = ivp::solve(problem, problem.start(), {0, end}, options);
          INFO(solution.report.full());
          CHECK(solution.report.usable());
          CHECK(solution.report.integration.steps == solution.count() - 1);
          CHECK(end_error(problem, solution) < allowed);
          CHECK(VecX(solution.multiplier(solution.count() - 1)).allFinite());
          ++solved;
        } catch (const InvalidOption& error) {
          CHECK_THAT(error.what(), contains_text(name_of(stepper)) || contains_text("s-vel"));
          CHECK_THAT(error.what(), contains_text("take ") || contains_text("give h"));
          ++refused;
        }
      }
    }
  }
}

}  // namespace

TEST_CASE("index 2 with sizes of run time: every method and stepper", "[solve]") {
  int solved = 0, refused = 0;
  // Order 1 is the worst: h = 0.4/64, and Lipschitz constants near 1/|x|.
  check_all(Turning(), 0.4, 0.05, solved, refused);
  // Six of ten steppers do not estimate errors, and index 2 has no s-vel.
  const int methods = methods_for_every_stepper();
  CHECK(solved == (methods - 1) * (10 + 4));
  CHECK(refused == (methods - 1) * 6 + 20);
}

TEST_CASE("order 2 with an oblique B and memory from the heap: every method and stepper",
          "[solve]") {
  int solved = 0, refused = 0;
  check_all(HeapCircle(), 0.5, 0.05, solved, refused);
  const int methods = methods_for_every_stepper();
  CHECK(solved == methods * (10 + 4));
  CHECK(refused == methods * 6);
}

TEST_CASE("the defaults of every class reach their tolerance", "[solve]") {
  const Turning turning;
  const HeapCircle circle;
  const Bare bare;
  Solution solution = ivp::solve(turning, {.rtol = 1e-8});
  INFO(solution.report.full());
  CHECK(end_error(turning, solution) < 1e-6);
  CHECK(solution.report.integration.index == 2);
  CHECK(solution.report.integration.drift_velocity == 0);
  CHECK(solution.table().names == std::vector<std::string>{"t", "x1", "x2", "y1"});
  CHECK(solution.multiplier(solution.count() - 1)[0] == Approx(std::exp(0.4)).epsilon(1e-5));

  solution = ivp::solve(circle, {.rtol = 1e-8});
  CHECK(end_error(circle, solution) < 1e-6);
  CHECK(solution.table().names == std::vector<std::string>{"t", "q1", "q2", "v1", "v2", "lambda1"});
  CHECK(solution.multiplier(solution.count() - 1)[0] ==
        Approx(circle.same.y_exact(1)[0]).epsilon(1e-5));

  solution = ivp::solve(bare, circle.same.z_exact(0), {0, 1}, {.rtol = 1e-6});
  CHECK(end_error(circle, solution) < 1e-4);
  CHECK_THAT(chosen(solution, "method"), contains_text("srm; the problem gives no curvature"));
  CHECK_THAT(chosen(solution, "stepper"), contains_text("dopri5; estimates its error"));
  CHECK(solution.carries_By);
  CHECK(solution.table().names ==
        std::vector<std::string>{"t", "q1", "q2", "v1", "v2", "By1", "By2"});
}

TEST_CASE("a start where the constraints are dependent alone is led away from", "[solve]") {
  const Turning turning;
  const VecX start = turning.z_exact(0.5);
  const Solution solution = ivp::solve(turning, start, {0.5, 1}, {.rtol = 1e-6});
  INFO(solution.report.full());
  CHECK(solution.report.usable());
  CHECK(solution.report.integration.rank == 0);
  CHECK(solution.report.integration.constraints == 1);
  CHECK(solution.report.integration.guarded > 0);
  CHECK_THAT(chosen(solution, "method"),
             contains_text("s-both2; ") && contains_text("dependent at the start alone"));
  CHECK(end_error(turning, solution) < 1e-5);
  // With a fixed h nothing leads away but regularization.
  const Solution fixed = ivp::solve(turning, start, {0.5, 1}, {.h = 1e-3});
  CHECK(fixed.report.usable());
  CHECK_THAT(chosen(fixed, "method"), contains_text("srm; the constraints are dependent"));
  // No y_0 follows from a constraint that is not there.
  Options options{.method = ivp::Srm{.exact_start = 1}};
  CHECK_THROWS_WITH(ivp::solve(turning, start, {0.5, 1}, options),
                    contains_text("exact_start") && contains_text("rank 0 of 1") &&
                        contains_text("exact_start = -1"));
  // Nor do accelerations.
  options = {.method = ivp::Underlying{}};
  const Solution reduced = ivp::solve(turning, start, {0.5, 1}, options);
  INFO(reduced.report.full());
  CHECK(reduced.report.usable() == (reduced.report.integration.guarded > 0));
}

TEST_CASE("a run that drifts off its constraints by more than its tolerance says so", "[solve]") {
  const problems::Pendulum pendulum;
  const auto run = [&](const Method& method, double rtol, double until, double h = 0) {
    Options options{.method = method, .rtol = rtol, .every = 0};
    options.seek_way_out = false;
    if (h > 0) options.h = h;
    return ivp::solve(pendulum, VecX(pendulum.start()), {0, until}, options);
  };
  const Method drifts = ivp::Underlying{};
  struct Case {
    double rtol, until;
    bool usable;
  };
  // Drift grows with the square of the time.
  for (const Case& one : {Case{1e-5, 1000, true}, Case{1e-7, 700, true}, Case{1e-3, 300, false},
                          Case{1e-7, 3000, false}}) {
    CAPTURE(one.rtol, one.until);
    const Solution little = run(drifts, one.rtol, 10);
    CHECK(little.report.usable());
    CHECK(little.report.warnings.empty());
    const Solution off = run(drifts, one.rtol, one.until);
    INFO(off.report.full());
    CHECK(off.report.integration.drift_position > 200 * one.rtol);
    CHECK(off.has_values());
    CHECK(off.report.usable() == one.usable);
    if (one.usable) {
      REQUIRE(off.report.warnings.size() == 1);
      CHECK_THAT(off.report.warnings[0], contains_text("the constraint was off by") &&
                                             contains_text("100 times the tolerance") &&
                                             contains_text("leave method open"));
    } else {
      CHECK(off.report.termination == Termination::tolerance_not_met);
      CHECK_THAT(off.report.message, contains_text("the constraint was off by") &&
                                         contains_text("the run has left its constraints"));
      CHECK_THAT(off.report.advice, contains_text("leave method open"));
    }
    const Solution kept = run(ivp::SBoth2{}, one.rtol, one.until);
    CHECK(kept.report.usable());
    CHECK(kept.report.warnings.empty());
  }
  // A fixed h promises no tolerance: its motion is the measure.
  const Method coarse = ivp::Underlying{.formula = {Stepper::rk4, {}}};
  CHECK(run(coarse, 1e-6, 1, 1e-3).report.warnings.empty());
  const Solution off = run(coarse, 1e-6, 20, 0.05);
  INFO(off.report.full());
  REQUIRE(off.report.warnings.size() == 1);
  CHECK_THAT(off.report.warnings[0], contains_text("0.01 of its motion"));
  CHECK(run(coarse, 1e-6, 35, 0.05).report.termination == Termination::tolerance_not_met);
}

TEST_CASE("dependent constraints that index reduction is led over are told", "[solve]") {
  const Turning turning;  // G = 0 at t = 1/2.
  Options options{.method = ivp::SBoth2{.formula = {Stepper::dopri5}}, .rtol = 1e-6};
  const Solution reduced = ivp::solve(turning, turning.start(), {0, 1}, options);
  INFO(reduced.report.full());
  CHECK(reduced.report.integration.pivot_ratio < ivp::near_dependent);
  CHECK(reduced.report.integration.pivot_ratio_at == Approx(0.5).margin(0.05));
  CHECK(reduced.report.usable());
  CHECK(end_error(turning, reduced) < 1e-5);
  CHECK_THAT(reduced.report.full(), contains_text("constraint singular at t = 0.5"));
  // What nobody leads over it does not know the branch.
  for (const Method& method :
       {Method(ivp::SBoth2{}), Method(ivp::BdfProjection{}), Method(ivp::Dcbdf{})}) {
    const Solution alone =
        ivp::solve(turning, turning.start(), {0, 1}, {.method = method, .h = 1.0 / 400});
    INFO(name_of(method) << alone.report.full());
    CHECK_FALSE(alone.report.usable());
    CHECK(alone.has_values());
  }
  options.method = ivp::Srm{.formula = {Stepper::dopri5}};
  const Solution regularized = ivp::solve(turning, turning.start(), {0, 1}, options);
  CHECK(regularized.report.integration.pivot_ratio == 1);
  CHECK(regularized.report.warnings.empty());
}

TEST_CASE("what needs the curvature says so where there is none", "[solve]") {
  const Bare bare;
  const Vec<4> start = bare.same.z_exact(0);
  for (const Method& method : ivp::all_methods()) {
    if (regularizes(method)) continue;
    CAPTURE(name_of(method));
    const Options options{.method = method_with(method)};
    CHECK_THROWS_WITH(ivp::solve(bare, start, {0, 1}, options),
                      contains_text(name_of(method)) && contains_text("curvature") &&
                          contains_text("with_autodiff") && contains_text("srm"));
  }
  Options options{.method = ivp::Srm{.exact_start = 0}};
  CHECK_THROWS_WITH(ivp::solve(bare, start, {0, 1}, options),
                    contains_text("exact_start: needs curvature") && contains_text("leave"));
  options.method = ivp::Srm{.variant = Variant::invariant_reduced};
  CHECK_THROWS_WITH(ivp::solve(bare, start, {0, 1}, options),
                    contains_text("variant = invariant-reduced") && contains_text("curvature"));
  CHECK_THROWS_WITH(ivp::solve(bare, bare.same.z_exact(1), {1, 0}),
                    contains_text("span") && contains_text("srm") && contains_text("curvature"));
}

TEST_CASE("index 2 refuses what it does not have", "[solve]") {
  const Turning turning;
  Options options{.method = ivp::Baumgarte{.alpha1 = 1}};
  CHECK_THROWS_WITH(ivp::solve(turning, options),
                    contains_text("alpha1 = 1") && contains_text("give alpha0"));
  CHECK_THROWS_WITH(ivp::solve(turning, {.method = ivp::SVel{}}),
                    contains_text("s-vel") && contains_text("take method = s-pos"));
  for (Variant variant : variants_of_index_3()) {
    if (variant == Variant::singular) continue;
    options = {.method = ivp::Srm{.variant = variant}};
    CHECK_THROWS_WITH(ivp::solve(turning, options),
                      contains_text(name_of(variant)) && contains_text("index 2"));
  }
  SmallVec longer(3);
  longer << -0.5, -0.25, 0;
  CHECK_THROWS_WITH(ivp::solve(turning, longer, {0, 0.4}),
                    contains_text("3 entries") && contains_text("has 2"));
}
