#include "ivp/linear/step_local_linear.hpp"
#include "tests/catch.hpp"
#include "tests/ivp/initial_value_problems.hpp"

using namespace daewave;

TEST_CASE("a stage at a singular point takes limits from both sides", "[ivp][AL1-5]") {
  const Al1Example2 problem;
  ivp::LinearOptions options;
  options.steps = 100;  // A node, and so a stage, at t = 1/2.
  options.scheme = GENERATE(Scheme::radau, Scheme::lobatto);
  options.stages = 3;
  options.iterates = 2;
  // The limits are accurate to 1e-9 or so; below, epsilon would magnify what they are not.
  options.epsilon = 1e-3;
  options.exact_start = true;
  double largest = 0;
  const ivp::LinearResult result = ivp::solve(problem, options, [&](const ivp::LinearStep& step) {
    largest = std::max(largest, (step.x - problem.x_exact(step.t)).cwiseAbs().maxCoeff());
    return true;
  });
  CHECK(result.report.usable());
  CHECK(largest < 1e-4);
  REQUIRE(result.report.singular_points.size() == 1);
  const SingularPoint& point = result.report.singular_points[0];
  CHECK(point.t == Approx(0.5));
  CHECK_THAT(point.passed_by, contains_text("symmetric limit"));
  CHECK_THAT(point.kind, contains_text("vanishing row"));
}

TEST_CASE("a singular point between stages is told", "[ivp]") {
  ivp::LinearOptions options;
  options.steps = 101;
  const ivp::LinearResult result = ivp::solve(Al1Example2{}, options);
  CHECK(result.report.usable());
  REQUIRE(result.report.singular_points.size() == 1);
  CHECK(result.report.singular_points[0].passed_by == "no stage lies there");
}

TEST_CASE("alpha1 = 1 ends before a singular stage and keeps the steps done", "[ivp]") {
  ivp::LinearOptions options;
  options.steps = 100;
  options.alpha1 = 1;
  options.epsilon = 1e-3;
  int seen = 0;
  const ivp::LinearResult result = ivp::solve(Al1Example2{}, options, [&](const ivp::LinearStep&) {
    ++seen;
    return true;
  });
  CHECK(result.report.termination == Termination::singular_constraint);
  CHECK_THAT(result.report.message, contains_text("step 49, stage t = 0.5: relative pivot"));
  CHECK(result.steps == 49);
  CHECK(seen == 49);
  CHECK(result.t == Approx(0.49));
  CHECK((result.x.rightCols(1) - Al1Example2{}.x_exact(0.49)).cwiseAbs().maxCoeff() < 1e-3);
}
