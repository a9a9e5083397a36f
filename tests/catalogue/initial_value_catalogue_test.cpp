// Every initial value problem of the catalogue, unasked: what it says of itself is true, and it is
// solved.

#include "catalogue/initial_value_catalogue.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "core/error.hpp"
#include "tests/catch.hpp"

namespace daewave::catalogue {
namespace {

double largest_error(const ivp::Solution& solution, const InitialValueProblem& problem) {
  double most = 0;
  for (int i = 0; i < solution.count(); ++i) {
    const VecX gap = solution.state(i) - *problem.reference(solution.t[i]);
    most = std::max(most, gap.cwiseAbs().maxCoeff());
  }
  return most;
}

}  // namespace

TEST_CASE("a problem starts on its constraints, and its derivatives are those of differences",
          "[catalogue]") {
  for (const Entry& entry : entries()) {
    CAPTURE(entry.name);
    const InitialValueProblemPtr problem = make(entry);
    CHECK(problem->name() == entry.name);
    const Consistency start = problem->check();
    CHECK(start.ok(1e-10));
    CHECK(start.rank == start.constraints);
    CHECK(start.index == (entry.name == "wheelset" ? 1 : problem->second_order() ? 3 : 2));
    const DerivativeReport derivatives = problem->check_derivatives();
    CAPTURE(derivatives.text());
    CHECK(derivatives.ok());
  }
}

TEST_CASE("a problem is solved with the defaults, and stays on its constraints", "[catalogue]") {
  for (const Entry& entry : entries()) {
    CAPTURE(entry.name);
    const InitialValueProblemPtr problem = make(entry);
    const ivp::Solution solution =
        problem->solve(problem->interval(), {.rtol = 1e-9, .atol = 1e-11});
    CAPTURE(solution.report.full());
    REQUIRE(solution.report.usable());
    CHECK(solution.t.back() == problem->interval().end);
    CHECK(solution.report.problem == entry.name);
    // Corrected after each step, so that what is left is rounding, of numbers up to 1e3.
    CHECK(solution.report.integration.drift_position < 1e-11);
    CHECK(solution.report.integration.drift_velocity < 1e-9);
    // Local errors of 1e-9 add up, and grow with the time along the motion: 20 periods and more.
    if (problem->reference(0)) CHECK(largest_error(solution, *problem) < 1e-6);
  }
}

TEST_CASE("tighter tolerances give smaller errors where the solution is known", "[catalogue]") {
  for (const Entry& entry : entries()) {
    const InitialValueProblemPtr problem = make(entry);
    if (!problem->reference(0)) continue;
    CAPTURE(entry.name);
    const auto error = [&problem](double tolerance) {
      return largest_error(
          problem->solve(problem->interval(), {.rtol = tolerance, .atol = tolerance, .every = 0}),
          *problem);
    };
    const double loose = error(1e-5), tight = error(1e-9);
    // Four decades of the tolerance are at least two of the error, or it was small at once.
    CHECK((tight < loose / 100 || tight < 1e-9));
  }
}

TEST_CASE("the slider-crank comes through its singular configurations at forty tolerances",
          "[catalogue][singular]") {
  const InitialValueProblemPtr problem = make(*find("slider-crank"), {{"t-end", 30, ""}});
  for (const ivp::Stepper stepper : {ivp::Stepper::dop853, ivp::Stepper::dopri5}) {
    for (int i = 0; i < 40; ++i) {
      const double tolerance = std::pow(10, -5 - 4.0 * i / 39);
      const ivp::Options options{.method = ivp::SBoth2{.formula = {stepper}},
                                 .rtol = tolerance,
                                 .atol = tolerance,
                                 .every = 0};
      const ivp::Solution solution = problem->solve(problem->interval(), options);
      CAPTURE(tolerance, solution.report.full());
      CHECK(solution.report.usable());
      // 20 crossings in ten periods; on the wrong branch the error is of the size of a radian.
      CHECK(largest_error(solution, *problem) < 1e3 * tolerance);
    }
  }
}

TEST_CASE("sequential regularization solves every problem for a short time", "[catalogue]") {
  for (const Entry& entry : entries()) {
    CAPTURE(entry.name);
    const InitialValueProblemPtr problem = make(entry);
    if (problem->check().index == 1) continue;  // Without a multiplier that enters linearly.
    const Interval whole = problem->interval();
    const Interval span{whole.begin, whole.begin + whole.length() / 100};
    const ivp::Options tight{.rtol = 1e-11, .atol = 1e-12, .every = 0};
    const ivp::Options options{.method = ivp::Srm{}, .rtol = 1e-6, .atol = 1e-8, .every = 0};
    const ivp::Solution expected = problem->solve(span, tight);
    const ivp::Solution solution = problem->solve(span, options);
    REQUIRE(solution.report.usable());
    // The layer of y_0 = 0 leaves epsilon^2 of the acceleration behind.
    const VecX gap = solution.end() - expected.end();
    CHECK(gap.cwiseAbs().maxCoeff() < 1e-2 * expected.end().cwiseAbs().maxCoeff());
  }
}

TEST_CASE("names are unique over both catalogues, and entries say what they are", "[catalogue]") {
  const std::vector<std::string> names = all_names();
  CHECK(std::set<std::string>(names.begin(), names.end()).size() == names.size());
  for (const Entry& entry : entries()) {
    CAPTURE(entry.name);
    CHECK(find(entry.name) == &entry);
    CHECK_FALSE(entry.source.empty());
    CHECK_FALSE(entry.summary.empty());
    for (const Parameter& parameter : entry.parameters) {
      CHECK_FALSE(parameter.meaning.empty());
      CHECK_NOTHROW(make(entry, {parameter}));
    }
  }
  CHECK(find("lin") == nullptr);
}

TEST_CASE("parameters change a problem, and unknown or impossible ones are refused",
          "[catalogue]") {
  const Entry& chain = *find("chain");
  CHECK(make(chain, {{"links", 5, ""}})->start().size() == 30);
  CHECK(make(chain, {{"t-end", 7, ""}})->interval().end == 7);
  CHECK_THROWS_WITH(make(chain, {{"links", 1.5, ""}}),
                    contains_text("links = 1.5") && contains_text("whole number"));
  CHECK_THROWS_WITH(make(chain, {{"rods", 3, ""}}), contains_text("chain has no parameter"));
  for (const Entry& entry : entries()) {
    for (const double bad : {0.0, -1.0, static_cast<double>(INFINITY), std::nan("")}) {
      CHECK_THROWS_AS(make(entry, {{"t-end", bad, ""}}), InvalidOption);
    }
  }
  CHECK_THROWS_WITH(make(*find("slider-crank"), {{"turning", 2, ""}}), contains_text("turning"));
}

TEST_CASE("a linear problem with conditions at its begin is an initial value problem",
          "[catalogue]") {
  for (const std::string name : {"ap91", "al1-example2"}) {
    CAPTURE(name);
    const auto linear = problems::make(problems::entry_named(name));
    const InitialValueProblemPtr problem = as_initial_value_problem(linear);
    const ivp::Solution solution =
        problem->solve(problem->interval(), {.rtol = 1e-9, .atol = 1e-11});
    REQUIRE(solution.report.usable());
    CHECK(largest_error(solution, *problem) < 1e-7);
  }
  const auto boundary = problems::make(problems::entry_named("al1-example1"));
  CHECK_THROWS_AS(as_initial_value_problem(boundary), InvalidProblem);
}

}  // namespace daewave::catalogue
