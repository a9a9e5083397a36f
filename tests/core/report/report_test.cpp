// What a report tells, line by line, where all its numbers are different.

#include "core/report/report.hpp"

#include <string>

#include "tests/catch.hpp"

using namespace daewave;

namespace {

Report begun() {
  Report report;
  report.termination = Termination::converged;
  report.message = "done";
  report.problem = "crank";
  report.nx = 7;
  report.ny = 5;
  report.choices = {{"h", "0.5", true, ""}, {"epsilon", "1e-3", false, "follows h"}};
  report.parameters = {{"m", 1.5, false}, {"k", 2.5, true}, {"l", 3.5, false}, {"c", 4.5, true}};
  return report;
}

}  // namespace

TEST_CASE("a report of initial values tells each number in its place", "[report]") {
  Report report = begun();
  report.advice = "look at it";
  report.warnings = {"first", "second"};
  IntegrationReport& went = report.integration;
  went.available = true;
  went.begin = 1;
  went.reached = 2;
  went.end = 3;
  went.steps = 4;
  went.rejected = 5;
  went.evaluations = 6;
  went.smallest_step = 0.07;
  went.largest_step = 0.8;
  went.drift_position = 9e-9;
  went.drift_velocity = 1e-10;
  went.index = 3;
  went.constraints = 12;
  went.rank = 11;
  went.guarded = 13;
  went.parameter_choices = 14;
  went.has_energy = true;
  went.energy_start = 15;
  went.energy_change = 0.16;
  went.events = 17;
  went.restarts = 18;
  report.history = {{2, 0.25, 19, 0.5, 0.125, 20}};
  report.error = {true, 1e-3, 2e-3, 3e-3, 4e-3, "a second run"};
  report.seconds = {1, 2, 3, 4};
  const std::string expected =
      "converged: done; look at it\n"
      "problem crank (nx = 7, ny = 5)\n"
      "with m = 1.5, l = 3.5\n"
      "found: k = 2.5, c = 4.5\n"
      "  h       = 0.5  (given)\n"
      "  epsilon = 1e-3  (follows h)\n"
      "integrated from t = 1 to 2 (asked: 3): 4 steps, 5 rejected, 6 evaluations; h = 0.07 to 0.8\n"
      "index 3, 12 constraints of rank 11\n"
      "largest drift: position 9.00e-09, velocity 1.00e-10\n"
      "a dependent constraint was left out in 13 evaluations\n"
      "parameters of the manifold were chosen 14 times\n"
      "energy 15, largest change 1.60e-01\n"
      "17 events\n"
      "18 restarts of the formula\n"
      "iterate   change in By       at t   drift |Cx+r|   residual  refinements\n"
      "      2      2.500e-01         19      5.000e-01    1.2e-01           20\n"
      "error estimate: x 1.00e-03, tolerance 3.0e-03 (a second run)\n"
      "iterates may still change x by 4.00e-03\n"
      "warning: first\n"
      "warning: second\n"
      "seconds: 4\n";
  CHECK(report.full() == expected);
  report.error = {};
  report.error.how = "ask for it";
  CHECK(report.full().find("error estimate: none; ask for it\n") != std::string::npos);
}

TEST_CASE("a report of boundary values tells each number in its place", "[report]") {
  Report report = begun();
  report.parameters.clear();
  report.problem.clear();
  report.intervals = 6;
  report.smallest_step = 0.07;
  report.largest_step = 0.8;
  report.linear_solve = {"auto", "block_qr", {"block_lu: too large"}, 1, 2, 3, 4, 5e-16, 600};
  report.conditioning = {true, 1e1, 1, 2e2, 3e-16, 4, 5, 6, 7.5};
  report.error = {true, 1e-3, 2e-3, 0, 0, "two meshes"};
  report.seconds = {1, 2, 3, 4};
  const std::string expected =
      "converged: done\n"
      "problem without a name (nx = 7, ny = 5)\n"
      "  h       = 0.5  (given)\n"
      "  epsilon = 1e-3  (follows h)\n"
      "mesh of 6 intervals, h = 0.07 to 0.8\n"
      "linear solver block_qr (asked: auto), 2 factorization(s), 3 solve(s), residual 5.0e-16, 600 "
      "bytes per interval\n"
      "  gave up block_lu: too large\n"
      "conditioning: boundary 1.00e+01, forcing 2.00e+02, rounding 3.0e-16 of x; modes: 5 "
      "decaying, "
      "4 growing, 6 neutral; largest exponent 7.5 per unit of time\n"
      "error estimate: x 1.00e-03, By 2.00e-03 (two meshes)\n"
      "seconds: condense 1, factorize 2, solve 3, total 4\n";
  CHECK(report.full() == expected);
  report.smallest_step = 0.8;
  report.conditioning = {.available = true, .boundary = 30};
  CHECK_THAT(report.full(), contains_text("mesh of 6 intervals, h = 0.8\n") &&
                                contains_text("conditioning: boundary 3.00e+01\n"));
}

TEST_CASE("a report tells the first eight singular points and how many more there are",
          "[report]") {
  Report report;
  for (int i = 0; i < 8; ++i) report.singular_points.push_back({i + 0.5, 1e-9, "row", "limit"});
  const std::string eight = report.singular_points_text();
  CHECK(eight.find("constraint singular at t = 0.5 (row; pivot 1.0e-09): limit\n") == 0);
  CHECK(eight.find("t = 7.5") != std::string::npos);
  CHECK(eight.find("more") == std::string::npos);
  for (int i = 8; i < 11; ++i) report.singular_points.push_back({i + 0.5, 1e-9, "row", "limit"});
  CHECK(report.singular_points_text() == eight + "constraint singular at 3 more points\n");
}

TEST_CASE("parameters that were not solved for are not said to be found", "[report]") {
  Report report;
  report.parameters = {{"m", 1.5, false}};
  CHECK(report.parameters_text().empty());
  report.parameters.push_back({"k", 2.5, true});
  CHECK(report.parameters_text() == "found: k = 2.5\n");
}

TEST_CASE("a report that never ran says no more than that", "[report]") {
  CHECK(Report().full() == "not_run: solve() was not called\n");
  CHECK_FALSE(Report().usable());
  for (int i = 0; i <= static_cast<int>(Termination::stopped); ++i) {
    Report report;
    report.termination = static_cast<Termination>(i);
    CHECK(report.usable() == (report.termination == Termination::converged));
    CHECK(name_of(report.termination) != std::string("unknown"));
  }
}
