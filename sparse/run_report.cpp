#include "sparse/run_report.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/not_finite.hpp"

namespace daewave::sparse {

void tell_step(Report& report, const Options& options, double h) {
  report.choices.push_back({"h", fmt::format("{:g}", h), std::abs(h - options.h) <= 1e-12 * h,
                            "a whole number of steps ends at the end of the interval"});
}

void tell_run(const SparseDae& problem, const Interval& interval, const Options& options,
              const ConsistentStart& start, double h, Solution& solution) {
  Report& report = solution.report;
  report.problem = problem.name();
  report.nx = problem.nx();
  report.ny = problem.ny();
  report.smallest_step = report.largest_step = h;
  IntegrationReport& went = report.integration;
  went.available = true;
  went.begin = interval.begin;
  went.end = interval.end;
  went.reached = solution.t;
  went.steps = static_cast<long>(solution.times.size());
  went.smallest_step = went.largest_step = h;
  went.index = 2;
  went.constraints = problem.ny();
  for (const auto& drifts : solution.drifts) {
    went.drift_position = larger(went.drift_position, drifts.back());
  }
  if (start.moved > 0) {
    report.warnings.push_back(
        fmt::format("the start was off the constraint by {:.1e} and was moved by {:.1e}",
                    start.drift_before, start.moved));
  }
  if (!report.usable()) return;
  report.message = solution.steady ? fmt::format("steady at t = {:.6g}: |x'| <= {:g}; {} steps",
                                                 solution.t, options.steady, went.steps)
                                   : fmt::format("{} steps to t = {:.6g}", went.steps, solution.t);
  if (options.steady > 0 && !solution.steady) {
    report.termination = Termination::tolerance_not_met;
    report.message += fmt::format("; not steady: |x'| = {:.1e}, asked {:g}", solution.rates.back(),
                                  options.steady);
    if (solution.rates.back() <= options.steady) {
      report.message += ", but it has only begun to move";
    }
    report.advice = "take a later end";
  }
}

}  // namespace daewave::sparse
