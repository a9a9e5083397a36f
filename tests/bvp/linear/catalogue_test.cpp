// What a user who gives nothing but a tolerance gets, over the whole catalogue.

#include "problems/linear_catalogue.hpp"

#include "bvp/solve.hpp"
#include "core/blocks/linear_solver.hpp"
#include "tests/bvp/exact_errors.hpp"
#include "tests/catch.hpp"

namespace daewave::bvp {

TEST_CASE("a tolerance alone gives answers that keep it, with reasons for every choice",
          "[defaults]") {
  for (const problems::LinearEntry& entry : problems::linear_entries()) {
    const problems::LinearProblem problem = problems::make(entry);
    if (!problem.x_exact) continue;
    for (const double tolerance : {1e-4, 1e-6, 1e-8, 1e-10}) {
      CAPTURE(entry.name, tolerance);
      const Solution solution = solve(problem.dae, {.tolerance = tolerance});
      INFO(solution.report.full());
      REQUIRE(solution.report.usable());
      const testing::Errors errors = testing::errors_of(solution, problem);
      CHECK(errors.relative_x() <= tolerance);
      CHECK(errors.relative_By() <= tolerance);
      CHECK(solution.report.error.available);
      CHECK(solution.report.error.tolerance == tolerance);
      for (const Choice& choice : solution.report.choices) {
        CAPTURE(choice.name);
        CHECK(choice.by_user == (choice.name == "tolerance"));
        CHECK_FALSE(choice.value.empty());
        CHECK((choice.by_user || !choice.reason.empty()));
      }
      CHECK(solution.report.warnings.empty());
    }
  }
}

TEST_CASE("nothing at all given means a tolerance of 1e-6", "[defaults]") {
  for (const problems::LinearEntry& entry : problems::linear_entries()) {
    CAPTURE(entry.name);
    const problems::LinearProblem problem = problems::make(entry);
    const Solution solution = solve(problem.dae);
    REQUIRE(solution.report.usable());
    CHECK(solution.report.error.tolerance == 1e-6);
    CHECK_THAT(solution.report.explain(), contains_text("tolerance") && contains_text("1e-06"));
  }
}

TEST_CASE("what the user gives is used and told as given", "[defaults]") {
  const problems::LinearProblem problem = problems::make(problems::entry_named("ap91"));
  const Solution solution = solve(problem.dae, {.scheme = Scheme::radau,
                                                .stages = 2,
                                                .intervals = 77,
                                                .weight = Weight::inverse,
                                                .epsilon = 1e-7,
                                                .iterates = 4});
  REQUIRE(solution.has_values());
  CHECK(solution.mesh().intervals() == 77);
  CHECK(solution.scheme().scheme == Scheme::radau);
  CHECK(solution.scheme().stages == 2);
  CHECK(solution.iterates() == 4);
  CHECK(solution.report.history.size() == 4);
  CHECK_FALSE(solution.report.error.available);
  for (const Choice& choice : solution.report.choices) {
    CAPTURE(choice.name);
    const bool given = choice.name != "alpha1" && choice.name != "alpha2" &&
                       choice.name != "linear_solver" && choice.name != "shooting_back";
    CHECK(choice.by_user == given);
  }
}

TEST_CASE("every linear solver gives the same solution", "[defaults][solvers]") {
  const problems::LinearProblem problem = problems::make(problems::entry_named("lin"));
  for (const std::string& name : linear_solver_names()) {
    const Solution solution = solve(problem.dae, {.intervals = 400, .linear_solver = name});
    INFO(solution.report.full());
    REQUIRE(solution.report.usable());
    CHECK(solution.report.linear_solve.asked == name);
    CHECK(solution.report.linear_solve.used == name);
    CHECK(testing::errors_of(solution, problem).x < 1e-6);
  }
}

}  // namespace daewave::bvp
