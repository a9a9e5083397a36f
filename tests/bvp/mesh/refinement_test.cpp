// Refinement, of a solver that interpolates a known function and can be told to misbehave.

#include "bvp/mesh/refinement.hpp"

#include <cmath>
#include <vector>

#include "bvp/mesh/fixed_nodes.hpp"
#include "tests/bvp/mesh/made_up_solver.hpp"
#include "tests/catch.hpp"

namespace daewave::bvp {
namespace {

using Solver = MadeUpSolver;

Solution refined(Solver& solver, double tolerance, int intervals = 10, int most = 1 << 20,
                 std::vector<double> fixed = {}) {
  solver.tolerance = tolerance;
  RefinementControl control;
  control.tolerance = tolerance;
  control.fixed_nodes = std::move(fixed);
  control.max_intervals = most;
  control.danger_advice = "another scheme";
  return refine(solver, uniform_mesh(0, 1, intervals), control);
}

/// Of width 2e-3.
Solver peaked() {
  Solver solver;
  const auto s = [](double t) { return (t - 0.7071) / 2e-3; };
  solver.f = [s](double t) { return std::exp(-s(t) * s(t)); };
  solver.x = [s](double t) { return 2e-3 * std::sqrt(std::atan(1.0)) * std::erf(s(t)); };
  solver.samples = 1000;
  return solver;
}

double error_of(const Solver& solver, const Solution& solution) {
  double x = 0, carried = 0, x_size = 1, carried_size = 1;
  for (int i = 0; i <= 3000; ++i) {
    const double t = i / 3000.0;
    x = std::max(x, std::abs(solution.x(t)[0] - solver.x(t)));
    carried = std::max(carried, std::abs(solution.multiplier(t)[0] + solver.f(t)));
    x_size = std::max(x_size, 1 + std::abs(solver.x(t)));
    carried_size = std::max(carried_size, 1 + std::abs(solver.f(t)));
  }
  return std::max(x / x_size, carried / carried_size);
}

}  // namespace

TEST_CASE("a smooth function is met by few meshes, and its error is known", "[mesh][refine]") {
  for (const double tolerance : {1e-3, 1e-6, 1e-9}) {
    for (const int intervals : {1, 3, 50, 2000}) {
      CAPTURE(tolerance, intervals);
      Solver solver;
      const Solution solution = refined(solver, tolerance, intervals);
      REQUIRE(solution.report.usable());
      const double error = error_of(solver, solution);
      CHECK(error <= tolerance);
      CHECK(std::max(solution.report.error.x, solution.report.error.By) >= 0.5 * error);
      CHECK(std::max(solution.report.error.x, solution.report.error.By) <= tolerance);
      CHECK(solver.meshes.size() <= 6);
    }
  }
}

TEST_CASE("errors that residuals become are learnt from the difference", "[mesh][refine]") {
  for (const double amplification : {10.0, 1e3, 1e5}) {
    CAPTURE(amplification);
    Solver solver;
    solver.amplification = amplification;
    const Solution solution = refined(solver, 1e-6);
    REQUIRE(solution.report.usable());
    CHECK(error_of(solver, solution) <= 1e-6);
    CHECK(solution.report.error.x >= 0.5 * error_of(solver, solution));
  }
}

TEST_CASE("what iterates may still change is part of the error", "[mesh][refine]") {
  Solver solver;
  solver.iterates = 1e-5;
  const Solution loose = refined(solver, 1e-4);
  CHECK(loose.report.usable());
  CHECK(loose.report.error.x >= 1e-5);
  const Solution strict = refined(solver, 1e-6);
  CHECK_FALSE(strict.report.usable());
  CHECK_THAT(strict.report.message, contains_text("iterates may still change x by 1.0e-05"));
}

TEST_CASE("what rounding makes of what is carried is part of its error", "[mesh][refine]") {
  Solver solver;
  solver.rounding = 3e-5;
  const Solution solution = refined(solver, 1e-4);
  CHECK(solution.report.usable());
  CHECK(solution.report.error.By >= 3e-5);
  const Solution strict = refined(solver, 1e-5);
  CHECK_FALSE(strict.report.usable());
}

TEST_CASE("what could not be looked at is not accepted", "[mesh][refine]") {
  Solver solver;
  CHECK(refined(solver, 1e-6).report.usable());
  solver.failure = "f is not finite at t = 0.3";
  const Solution solution = refined(solver, 1e-6);
  CHECK_FALSE(solution.report.usable());
  CHECK_THAT(solution.report.message, contains_text("f is not finite at t = 0.3"));
}

TEST_CASE("where steps are long for a problem errors that more stages tell count too",
          "[mesh][refine]") {
  Solver plain, stiff;
  stiff.stiff = true;
  plain.of_more_stages = stiff.of_more_stages = 1e-4;
  const Solution not_asked = refined(plain, 1e-8), asked = refined(stiff, 1e-8);
  REQUIRE(not_asked.report.usable());
  REQUIRE(asked.report.usable());
  CHECK(1e-4 * std::pow(not_asked.mesh().largest_step(), 2) > 1e-8);
  CHECK(1e-4 * std::pow(asked.mesh().largest_step(), 2) <= 1e-8);
  CHECK(asked.report.error.x >= 0.999e-4 * std::pow(asked.mesh().largest_step(), 2));
}

TEST_CASE("what more stages tell saves the mesh that only told that one is good",
          "[mesh][refine]") {
  // Its first meshes do not resolve it: their differences tell little of those that do.
  const auto refined_with = [](Solver& solver, double of_more_stages) {
    solver.f = [](double t) { return std::cos(20 * t); };
    solver.x = [](double t) { return std::sin(20 * t) / 20; };
    solver.of_more_stages = of_more_stages;
    RefinementControl control;
    control.tolerance = solver.tolerance = 1e-5;
    control.controls_carried = false;
    return refine(solver, uniform_mesh(0, 1, 6), control);
  };
  Solver alone, helped, worse;
  const Solution without = refined_with(alone, 0), with = refined_with(helped, 1e-9),
                 told_more = refined_with(worse, 1);
  REQUIRE(without.report.usable());
  REQUIRE(with.report.usable());
  CHECK(alone.times_of_more_stages == 1);
  CHECK(helped.times_of_more_stages == 1);
  CHECK(helped.meshes.size() + 1 == alone.meshes.size());
  for (int i = 0; i <= 1000; ++i) {
    const double t = i / 1000.0;
    CHECK(std::abs(with.x(t)[0] - helped.x(t)) <= with.report.error.x);
  }
  // They may also tell that it is not.
  REQUIRE(told_more.report.usable());
  CHECK(worse.meshes == alone.meshes);
}

TEST_CASE("a mesh is fine at a peak and coarse beside it", "[mesh][refine]") {
  Solver solver = peaked();
  const Solution solution = refined(solver, 1e-6);
  INFO(solution.report.brief());
  REQUIRE(solution.report.usable());
  CHECK(error_of(solver, solution) <= 1e-6);
  CHECK(solution.mesh().intervals() < 400);
  CHECK(solution.mesh().largest_step() > 20 * solution.mesh().smallest_step());
}

TEST_CASE("a jump becomes a node, which stays", "[mesh][refine]") {
  Solver solver;
  const double c = 0.3333;
  solver.f = [c](double t) { return t < c ? 1.0 : std::cos(t) - 2; };
  solver.x = [c](double t) { return t < c ? t : c + std::sin(t) - std::sin(c) - 2 * (t - c); };
  const Solution solution = refined(solver, 1e-9);
  INFO(solution.report.brief());
  REQUIRE(solution.report.usable());
  double nearest = 1;
  for (const double node : solution.mesh().nodes()) nearest = std::min(nearest, std::abs(node - c));
  CHECK(nearest <= 1e-15);
  CHECK(solution.mesh().intervals() < 100);
}

TEST_CASE("nodes that are fixed and jumps that are found are nodes of every mesh",
          "[mesh][refine][fixed]") {
  const std::vector<double> fixed{0.123, 0.3, 0.61};
  for (const bool jumps : {false, true}) {
    for (const double tolerance : {1e-3, 1e-6, 1e-9}) {
      for (const int intervals : {1, 2, 10, 50, 2000}) {
        CAPTURE(jumps, tolerance, intervals);
        Solver solver;
        const double c = 0.7071;
        if (jumps) {
          solver.f = [c](double t) { return t < c ? 1.0 : std::cos(t) - 2; };
          solver.x = [c](double t) {
            return t < c ? t : c + std::sin(t) - std::sin(c) - 2 * (t - c);
          };
        }
        const Solution solution = refined(solver, tolerance, intervals, 1 << 20, fixed);
        INFO(solution.report.brief());
        REQUIRE(solution.report.usable());
        CHECK(error_of(solver, solution) <= tolerance);
        CHECK(solver.seen.size() > 1);
        for (const Mesh& mesh : solver.seen) CHECK(nodes_among(fixed, mesh) == fixed);
        CHECK(solution.fixed_nodes.size() == fixed.size() + (jumps ? 1 : 0));
        CHECK(nodes_among(solution.fixed_nodes, solution.mesh()) == solution.fixed_nodes);
        if (!jumps) continue;
        CHECK(solution.fixed_nodes.back() == Approx(c).epsilon(1e-14));
        // Once it was found.
        bool found = false;
        for (const Mesh& mesh : solver.seen) {
          const bool here = nodes_among(solution.fixed_nodes, mesh) == solution.fixed_nodes;
          CHECK((here || !found));
          found = here;
        }
      }
    }
  }
}

TEST_CASE("where fixed nodes leave no other mesh the error is told by one twice as fine",
          "[mesh][refine][fixed]") {
  std::vector<double> fixed;
  for (int i = 1; i < 20; ++i) fixed.push_back(i / 20.0);
  for (const double amplification : {0.0, 1e3, 1e5}) {
    CAPTURE(amplification);
    Solver solver;
    solver.amplification = amplification;
    const Solution solution = refined(solver, 1e-5, 20, 1 << 20, fixed);
    INFO(solution.report.brief());
    REQUIRE(solution.report.usable());
    CHECK(error_of(solver, solution) <= 1e-5);
    const double told = std::max(solution.report.error.x, solution.report.error.By);
    CHECK(told >= 0.5 * error_of(solver, solution));
    for (std::size_t i = 1; i < solver.seen.size(); ++i) {
      CHECK(is_other(solver.seen[i], solver.seen[i - 1]));
    }
  }
}

TEST_CASE("no mesh has more intervals than are allowed", "[mesh][refine]") {
  for (const int most : {12, 30, 100}) {
    Solver solver;
    solver.f = [](double t) { return std::cos(300 * t); };
    solver.x = [](double t) { return std::sin(300 * t) / 300; };
    const Solution solution = refined(solver, 1e-12, 10, most);
    CHECK(solution.report.termination == Termination::tolerance_not_met);
    CHECK_THAT(solution.report.message, contains_text("limit of"));
    CHECK_THAT(solution.report.advice, contains_text("max_intervals"));
    for (const int intervals : solver.meshes) CHECK(intervals <= most);
  }
}

TEST_CASE("what iterates need is advised before what meshes need", "[mesh][refine]") {
  Solver solver;
  solver.unsettled = true;
  const Solution solution = refined(solver, 1e-12, 10, 12);
  CHECK(solution.report.termination == Termination::tolerance_not_met);
  CHECK_THAT(solution.report.message, contains_text("limit of 12 intervals"));
  CHECK(solution.report.advice == "more iterates");
}

TEST_CASE("where a mesh has no solution that of the mesh before is given, and why", "[mesh]") {
  Solver solver;
  solver.fails_from = 12;
  const Solution solution = refined(solver, 1e-10);
  CHECK(solution.report.termination == Termination::singular_matrix);
  REQUIRE(solution.has_values());
  CHECK(solution.mesh().intervals() == 10);
  CHECK_THAT(solution.report.message, contains_text("no solution; the values are those"));
  Solver never;
  never.fails_from = 1;
  CHECK_FALSE(refined(never, 1e-6).has_values());
}

TEST_CASE("where a mesh has no solution and conditions do something else they leave it open",
          "[mesh][refine]") {
  for (const double on_next : {2e4, 3e6}) {
    Solver solver;
    solver.fails_from = 12;
    solver.influence = [=](int intervals) { return intervals < 12 ? 1e4 : on_next; };
    const Solution solution = refined(solver, 1e-10);
    CAPTURE(on_next, solution.report.full());
    REQUIRE(solution.has_values());
    CHECK(solution.mesh().intervals() == 10);
    CHECK(solution.report.termination == Termination::singular_matrix);
    if (on_next < 3e4) {
      CHECK_THAT(solution.report.message, contains_text("no solution; the values are those"));
    } else {
      CHECK_THAT(solution.report.message, contains_text("conditions leave the solution open"));
      CHECK_THAT(solution.report.advice, contains_text("conditions that tell one solution"));
    }
  }
}

TEST_CASE("where Newton's method finds nothing on a coarser mesh the one before is halved",
          "[mesh][refine]") {
  constexpr int first = 600;
  Solver solver = peaked();
  solver.converges_from = first;
  const Solution solution = refined(solver, 1e-6, first);
  INFO(Catch::Detail::stringify(solver.meshes));
  REQUIRE(solution.report.usable());
  CHECK(error_of(solver, solution) <= 1e-6);
  REQUIRE(solver.meshes.size() >= 3);
  CHECK(solver.meshes[1] < first);
  CHECK(solver.meshes[2] == 2 * first);
}

TEST_CASE("what does not converge is given up, and is no success", "[mesh][refine]") {
  Solver noisy;
  noisy.noise = 1e-7;
  const Solution rounding = refined(noisy, 1e-10);
  INFO(rounding.report.brief());
  INFO(Catch::Detail::stringify(noisy.meshes));
  CHECK(rounding.report.termination == Termination::tolerance_not_met);
  CHECK_FALSE(rounding.report.advice.empty());
  CHECK(noisy.meshes.size() <= 20);

  Solver broken;
  broken.nan_from = 12;
  const Solution nan = refined(broken, 1e-10);
  CHECK(nan.report.termination == Termination::tolerance_not_met);
  CHECK_THAT(nan.report.message, contains_text("not finite"));

  Solver missing;
  missing.misses = true;
  CHECK(refined(missing, 1e-6).report.termination == Termination::iterates_exhausted);

  Solver dangerous;
  dangerous.dangerous = true;
  const Solution danger = refined(dangerous, 1e-4, 10, 1000);
  CHECK(danger.report.termination == Termination::tolerance_not_met);
  CHECK_THAT(danger.report.message, contains_text("cannot be believed: danger"));
  CHECK(danger.report.advice == "another scheme");
}

TEST_CASE("what iterates that had not settled were off leaves no trace in the error", "[mesh]") {
  for (const double tolerance : {1e-4, 1e-7}) {
    Solver plain, unsettled;
    unsettled.unsettled_below = 11;
    const Solution at_once = refined(plain, tolerance), later = refined(unsettled, tolerance);
    CAPTURE(tolerance);
    INFO(later.report.full());
    REQUIRE(at_once.report.usable());
    REQUIRE(later.report.usable());
    CHECK(error_of(unsettled, later) <= tolerance);
    // A mesh more on which they settle, and one to compare with.
    CHECK(unsettled.meshes.size() <= plain.meshes.size() + 2);
    CHECK(later.mesh().intervals() <= 2 * at_once.mesh().intervals());
  }
}

}  // namespace daewave::bvp
