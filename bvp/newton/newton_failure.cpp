#include "bvp/newton/newton_failure.hpp"

#include <fmt/format.h>

namespace daewave::bvp {
namespace {

/// Of Newton's method, which fails with larger ones for want of a better guess.
constexpr double small_change = 1e-5;
/// Influence of conditions from which on they leave the solution open where the method failed; and
/// of linear equations, whatever rounding happens to do: half of all digits.
constexpr double hardly_determined = 1e6, open_in_half = 1e8;

/// Equations that are linear have a solution to the digits that rounding leaves, or none.
void tell_of_linear(const NewtonResult& newton, int intervals, Report& report) {
  // On another mesh it is as large, or conditions leave the solution open.
  report.conditioning.available = newton.conditioning > 0;
  report.conditioning.boundary = report.conditioning.influence = newton.conditioning;
  if (newton.change < small_change && newton.conditioning < open_in_half) {
    report.termination = Termination::not_converged;
    report.message = fmt::format(
        "{} intervals: rounding moves the solution of the linear equations by {:.1e} of its size",
        intervals, newton.change);
    report.advice = "a looser tolerance, or conditions that tell one solution better from another";
    return;
  }
  report.termination = Termination::singular_matrix;
  report.message = fmt::format(
      "{} intervals: the linear equations determine the solution to no more than {:.1e} of its "
      "size: a change of one condition moves it by {:.0e} times as much",
      intervals, newton.change, newton.conditioning);
  report.advice =
      "conditions that do not depend on each other, at the ends that what grows leads to: with "
      "these there may be no solution, or many";
}

}  // namespace

void tell_failure(const NewtonResult& newton, int intervals, bool is_linear, bool knows_jacobian,
                  Report& report) {
  using Failure = NewtonResult::Failure;
  report.message = fmt::format("{} intervals: {}", intervals, newton.reason);
  switch (newton.failure) {
    case Failure::none:
      break;
    case Failure::stopped:
      report.termination = Termination::stopped;
      break;
    case Failure::singular:
      report.termination = Termination::singular_matrix;
      report.advice = is_linear ? "conditions that do not depend on each other"
                                : "conditions may depend on each other, or the solution may not "
                                  "be isolated";
      break;
    case Failure::evaluation:
      report.termination = Termination::diverged;
      report.advice = is_linear
                          ? "coefficients that are finite everywhere in the interval"
                          : "a guess at which the problem can be evaluated; or bounds of x, within "
                            "which it can, lower and upper";
      break;
    case Failure::no_convergence:
      if (is_linear) return tell_of_linear(newton, intervals, report);
      report.termination = Termination::not_converged;
      if (newton.change < small_change) {
        report.advice = fmt::format(
            "a looser tolerance{}: as little as Newton's method still changes may be rounding that "
            "conditions amplify which hardly tell one solution from another",
            knows_jacobian ? "" : ", or derivatives of f");
      } else if (newton.conditioning > hardly_determined) {
        report.termination = Termination::singular_matrix;
        report.message += fmt::format(
            "; a change of one condition moves the solution there by {:.0e} times as "
            "much",
            newton.conditioning);
        report.advice =
            "another guess, at which f and the conditions depend on x; where both are linear, "
            "conditions that do not depend on each other: there may be no solution, or many";
      } else {
        report.advice =
            "a better guess; there may be no solution: a parameter that is followed from where it "
            "is "
            "easier tells where they end";
      }
  }
}

void tell_higher_index(int intervals, bool second_order, Report& report) {
  report.termination = Termination::diverged;
  report.message = fmt::format(
      "{} intervals: G B is singular at every time looked at, and neither G nor B is: the index is "
      "higher than {}",
      intervals, second_order ? 3 : 2);
  report.advice = second_order ? "a constraint that is differentiated before it is stated"
                               : "equations of second order stated as such, by q and v, which is "
                                 "index 3; or a constraint that is differentiated before";
}

}  // namespace daewave::bvp
