// What iterates leave is told of x and of what is carried, as far as that has a tolerance.

#include "bvp/nonlinear/missed_by_iterates.hpp"

#include "tests/catch.hpp"

namespace daewave::bvp {
namespace {

struct OfIterates {
  double x, carried;
  bool controls_carried = true;
  NewtonResult::Failure failure = NewtonResult::Failure::none;
};

constexpr double asked_for = 1e-6;

/// The report of iterates that leave so much, of a solution whose error is 1e-8.
Report report_of(const OfIterates& of) {
  NonlinearProblem problem;
  problem.epsilon = 1e-3;
  problem.controls_carried = of.controls_carried;
  LeftByIterates left{of.x, of.carried};
  left.newton.failure = of.failure;
  left.newton.reason = "no value there";
  Report report;
  report.termination = Termination::converged;
  report.error.x = report.error.By = 1e-8;
  const bool more = leave_more(problem, {}, left, asked_for, report);
  CHECK(more == (report.termination == Termination::iterates_exhausted));
  return report;
}

}  // namespace

TEST_CASE("iterates leave more than was asked for where they do of x, or of what is carried",
          "[nonlinear][iterates]") {
  constexpr double little = 0.9 * asked_for, much = 1.1 * asked_for;
  CHECK(report_of({little, little}).termination == Termination::converged);
  CHECK(report_of({much, little}).termination == Termination::iterates_exhausted);
  CHECK(report_of({little, much}).termination == Termination::iterates_exhausted);
  CHECK(report_of({much, much}).termination == Termination::iterates_exhausted);
  // What has no tolerance is told, and no more.
  CHECK(report_of({little, much, false}).termination == Termination::converged);
  CHECK(report_of({much, little, false}).termination == Termination::iterates_exhausted);
}

TEST_CASE("what iterates leave is an error of x and of what is carried, where it is more",
          "[nonlinear][iterates]") {
  for (const bool controls : {false, true}) {
    const Report report = report_of({3e-7, 2e-7, controls});
    CHECK(report.error.x == 3e-7);
    CHECK(report.error.By == 2e-7);
    CHECK(report_of({1e-9, 1e-9, controls}).error.x == 1e-8);
    CHECK(report_of({1e-9, 1e-9, controls}).error.By == 1e-8);
  }
  // Of an iterate that was not found nothing is known.
  const Report unknown = report_of({0, 0, true, NewtonResult::Failure::no_convergence});
  CHECK(unknown.termination == Termination::iterates_exhausted);
  CHECK(unknown.error.x == 1e-8);
  CHECK_THAT(unknown.message, contains_text("not known") && contains_text("no value there"));
}

}  // namespace daewave::bvp
