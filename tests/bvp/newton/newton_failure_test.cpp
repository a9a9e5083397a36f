// What is told where Newton's method fails, and the way out.

#include "bvp/newton/newton_failure.hpp"

#include <string>

#include "tests/catch.hpp"

namespace daewave::bvp {
namespace {

using Failure = NewtonResult::Failure;

Report told(Failure failure, bool is_linear, double change = 1, double conditioning = 1,
            bool knows_jacobian = false) {
  NewtonResult newton;
  newton.failure = failure;
  newton.reason = "so it went";
  newton.change = change;
  newton.conditioning = conditioning;
  Report report;
  report.termination = Termination::converged;
  report.advice = "as it was";
  tell_failure(newton, 17, is_linear, knows_jacobian, report);
  return report;
}

}  // namespace

TEST_CASE("a method that was stopped is told as stopped, without advice of its own",
          "[nonlinear][failure]") {
  const Report report = told(Failure::stopped, false);
  CHECK(report.termination == Termination::stopped);
  CHECK(report.message == "17 intervals: so it went");
  CHECK(report.advice == "as it was");
  CHECK(told(Failure::none, false).termination == Termination::converged);
}

TEST_CASE("a singular matrix is that of conditions, or of a solution that is not isolated",
          "[nonlinear][failure]") {
  for (const bool is_linear : {false, true}) {
    const Report report = told(Failure::singular, is_linear);
    CAPTURE(is_linear);
    CHECK(report.termination == Termination::singular_matrix);
    CHECK(report.message == "17 intervals: so it went");
    CHECK_THAT(report.advice, contains_text("depend on each other"));
    CHECK((report.advice.find("isolated") == std::string::npos) == is_linear);
  }
}

TEST_CASE("what cannot be evaluated asks for finite coefficients, or another guess",
          "[nonlinear][failure]") {
  CHECK(told(Failure::evaluation, false).termination == Termination::diverged);
  CHECK_THAT(told(Failure::evaluation, false).advice, contains_text("a guess at which"));
  CHECK(told(Failure::evaluation, true).termination == Termination::diverged);
  CHECK_THAT(told(Failure::evaluation, true).advice, contains_text("coefficients that are finite"));
}

TEST_CASE("why Newton's method does not converge is read off its last change and its conditions",
          "[nonlinear][failure]") {
  const Report far = told(Failure::no_convergence, false, 0.5, 1e5);
  CHECK(far.termination == Termination::not_converged);
  CHECK_THAT(far.advice, contains_text("a better guess"));
  CHECK(far.message == "17 intervals: so it went");
  const Report rounding = told(Failure::no_convergence, false, 9e-6, 1e9);
  CHECK(rounding.termination == Termination::not_converged);
  CHECK_THAT(rounding.advice, contains_text("a looser tolerance, or derivatives of f"));
  const Report known = told(Failure::no_convergence, false, 9e-6, 1e9, true);
  CHECK_THAT(known.advice, contains_text("a looser tolerance: as little"));
  const Report open = told(Failure::no_convergence, false, 2e-5, 3e6);
  CHECK(open.termination == Termination::singular_matrix);
  CHECK_THAT(open.message, contains_text("17 intervals: so it went; ") &&
                               contains_text("by 3e+06 times as much"));
  CHECK_THAT(open.advice, contains_text("another guess"));
}

TEST_CASE("linear equations fail by rounding, or for want of conditions", "[nonlinear][failure]") {
  const Report rounding = told(Failure::no_convergence, true, 9e-6, 1e7);
  CHECK(rounding.termination == Termination::not_converged);
  CHECK(rounding.message ==
        "17 intervals: rounding moves the solution of the linear equations by 9.0e-06 of its size");
  CHECK_THAT(rounding.advice, contains_text("a looser tolerance"));
  const Report open = told(Failure::no_convergence, true, 0.25, 1e9);
  CHECK(open.termination == Termination::singular_matrix);
  CHECK_THAT(open.message, contains_text("to no more than 2.5e-01 of its size") &&
                               contains_text("moves it by 1e+09 times as much"));
  CHECK_THAT(open.advice, contains_text("conditions that do not depend on each other"));
  // How far rounding moves it is chance; that conditions hardly matter is not.
  const Report by_chance = told(Failure::no_convergence, true, 4e-6, 4e9);
  CHECK(by_chance.termination == Termination::singular_matrix);
}

TEST_CASE("an index that is higher than is said is no matter of the guess",
          "[nonlinear][failure]") {
  for (const bool second_order : {false, true}) {
    Report report;
    tell_higher_index(17, second_order, report);
    CAPTURE(second_order);
    CHECK(report.termination == Termination::diverged);
    CHECK_THAT(report.message,
               contains_text(second_order ? "index is higher than 3" : "index is higher than 2"));
    CHECK((report.advice.find("index 3") == std::string::npos) == second_order);
    CHECK_THAT(report.advice, !contains_text("guess"));
  }
}

}  // namespace daewave::bvp
