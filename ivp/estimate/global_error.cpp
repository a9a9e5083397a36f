#include "ivp/estimate/global_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <new>
#include <string>
#include <utility>

#include "core/not_finite.hpp"
#include "ivp/estimate/samples.hpp"
#include "ivp/reduced/stiff_change.hpp"
#include "ivp/run/thrown.hpp"

namespace daewave::ivp {
namespace {

/// The largest of the errors relative to what its entry moves; at least a hundredth of the most of
/// its kind, position or velocity, and rounding.
double part_of_motion(const VecX& errors, const Solution& solution) {
  constexpr double least = 0.01, rounding = 1e-10;
  VecX range = solution.motion.range();
  const VecX size = solution.motion.least.cwiseAbs().cwiseMax(solution.motion.greatest.cwiseAbs());
  const Eigen::Index half = solution.second_order ? range.size() / 2 : range.size();
  double part = 0;
  for (Eigen::Index i = 0; i < range.size(); ++i) {
    const Eigen::Index from = i < half ? 0 : half, count = i < half ? half : range.size() - half;
    const double moved = std::max({range[i], least * range.segment(from, count).maxCoeff(),
                                   rounding * (1 + size.maxCoeff())});
    part = larger(part, errors[i] / moved);
  }
  return part;
}

void judge(const SecondMethod& second, double events_apart, const Options& options,
           Solution& solution) {
  constexpr double share = 1e-3, many = 1000;
  const Eigen::Map<const MatX> errors(solution.errors.data(), solution.nz,
                                      static_cast<int>(solution.error_times.size()));
  const VecX largest =
      solution.motion.least.cwiseAbs().cwiseMax(solution.motion.greatest.cwiseAbs());
  const double size = 1 + largest.maxCoeff();
  Eigen::Index entry = 0, where = 0;
  const double most = errors.cwiseAbs().maxCoeff(&entry, &where);
  const double at_end = errors.col(errors.cols() - 1).cwiseAbs().maxCoeff();
  Report& report = solution.report;
  ErrorEstimate& error = report.error;
  error.available = true;
  error.x = most / size;
  error.tolerance = options.accuracy.value_or(0);
  error.how = fmt::format(
      "a second run, by {} to rtol = {:.1e}, compared at {} times: apart by {:.2e} at most, at t = "
      "{:.6g}, and by {:.2e} at the end",
      second.name, second.rtol, errors.cols(), most,
      solution.error_times[static_cast<std::size_t>(where)], at_end);
  if (events_apart > 0) error.how += fmt::format("; events by {:.2e} in t", events_apart);
  const double of_motion = part_of_motion(errors.cwiseAbs().rowwise().maxCoeff(), solution);
  const char* const advice = options.h ? "a shorter h" : "a smaller rtol";
  const auto too_large = [&](const std::string& than) {
    report.termination = Termination::tolerance_not_met;
    report.message = fmt::format("the error of the run is estimated as {:.2e}, {}", error.x, than);
    report.advice = fmt::format(
        "{}; a shorter run; where that changes nothing the problem enlarges errors beyond any "
        "tolerance",
        advice);
  };
  if (options.accuracy) {
    if (!(error.x <= *options.accuracy)) {
      too_large(
          fmt::format("more than the accuracy of {:.2e} that was asked for", *options.accuracy));
    }
  } else if (!(of_motion <= share)) {
    too_large(fmt::format("{:.2g} of the motion, of which {:g} is allowed", of_motion, share));
  } else if (!options.h && error.x > many * options.rtol) {
    report.warnings.push_back(fmt::format(
        "the error of the run is estimated as {:.2e}, {:.0f} times rtol, which bounds local errors "
        "alone: they add up, or the problem enlarges them",
        error.x, error.x / options.rtol));
  }
}

/// To the end, through dependent constraints.
bool passed_unknowing(const Report& report) {
  return report.termination == Termination::singular_constraint &&
         report.integration.reached == report.integration.end;
}

/// Two that take other steps to another tolerance would not choose one branch by chance.
void tell_branch(const SecondMethod& second, const Report& before, Report& report) {
  if (!report.usable()) {
    report.termination = before.termination;
    report.message =
        fmt::format("{}; a second run, by {}, is on another", before.message, second.name);
    return;
  }
  report.message = fmt::format("reached t = {:.10g} in {} steps", report.integration.reached,
                               report.integration.steps);
  report.advice.clear();
  report.warnings.push_back(
      fmt::format("{}; a second run, by {}, takes the same one", before.message, second.name));
}

void no_estimate(const std::string& failures, bool other_events, const Options& options,
                 Report& report) {
  report.warnings.push_back("no estimate of the error, as no second run came through: " + failures);
  if (other_events) {
    report.termination = Termination::tolerance_not_met;
    report.message =
        "a second run passes other events, or in another order; one of the two is wrong";
    report.advice =
        "a smaller rtol; a largest_step below the time between events; where changes of events set "
        "more than the state, reset";
  } else if (options.accuracy) {
    report.termination = Termination::tolerance_not_met;
    report.message = "the accuracy asked for could not be looked at; see the warnings";
    report.advice = "leave accuracy open";
  }
}

/// The run itself is whole, but what was asked of its error is not there.
void stopped_by_caller(Report& report) {
  if (!report.usable()) return;
  report.termination = Termination::stopped;
  report.message = fmt::format(
      "reached t = {:.10g} in {} steps, but stopped by progress in a second run, before the error "
      "was {}",
      report.integration.reached, report.integration.steps,
      report.error.available ? "estimated as closely as it can be" : "estimated");
  report.advice = "what is given out is what it is without an estimate";
}

/// With the method that was chosen, where it was open and another one is to be compared with it.
Options as_chosen(const Options& options, const Report& report) {
  Options chosen = options;
  if (!std::holds_alternative<Automatic>(options.method)) return chosen;
  for (const Choice& choice : report.choices) {
    if (choice.name == "method" && choice.value == GaussWindows::name) {
      chosen.method = GaussWindows{};
    }
  }
  return chosen;
}

/// Two runs that are no further apart than the second may be off itself do not tell which of them
/// errs: the first is far better than its tolerance.
bool tells_of_the_second(const Compared& compared, double rtol, const Solution& solution) {
  const VecX largest =
      solution.motion.least.cwiseAbs().cwiseMax(solution.motion.greatest.cwiseAbs());
  double most = 0;
  for (const double error : compared.errors) most = larger(most, std::abs(error));
  return most <= rtol * (1 + largest.maxCoeff());
}

/// Compared, with smaller tolerances until the difference is an error of the first run.
Compared compare_well(SecondMethod& second, const Repeated& run, const Samples& samples,
                      const Solution& solution, const KeptOfCaller& of_caller) {
  constexpr int most_again = 2;
  constexpr double tighter = 1e-3, least = 1e-13;
  Compared best = compare(second, run, samples, solution);
  for (int again = 0; again < most_again && best.failure.empty(); ++again) {
    if (second.rtol <= least || !tells_of_the_second(best, second.rtol, solution)) break;
    SecondMethod next = second;
    next.rtol = std::max(least, tighter * second.rtol);
    Compared better;
    try {
      better = compare(next, run, samples, solution);
    } catch (const std::bad_alloc&) {
      throw;
    } catch (const std::exception& refused) {
      of_caller.rethrow();
      break;
    }
    if (!better.failure.empty() || better.times.size() != best.times.size()) {
      best.stopped = better.stopped;
      break;
    }
    second = std::move(next);
    best = std::move(better);
  }
  return best;
}

}  // namespace

bool asks_for_estimate(const Options& options) {
  return options.estimate_error || options.accuracy.has_value();
}

void tell_local_error(const Options& options, Report& report) {
  report.error.how = options.h ? fmt::format(
                                     "h = {:g} is fixed, and no error controlled; ask for "
                                     "it by estimate_error",
                                     *options.h)
                               : fmt::format(
                                     "rtol = {:g} bounds the error of each step, not what "
                                     "they come to; ask for that by estimate_error",
                                     options.rtol);
}

Solution solve_with_estimate(const DaeProblem& problem, const VecX& start, const VecX& w,
                             const Interval& span, const Options& options,
                             const SolveAgain& solve) {
  KeptOfCaller of_caller;
  Options seen = options;
  bool stopped = false;
  if (options.progress) {
    seen.progress = [&](const RunProgress& at) {
      const bool goes_on = of_caller.call([&] { return options.progress(at); });
      stopped = stopped || !goes_on;
      return goes_on;
    };
  }
  if (options.reset) {
    seen.reset = [&] { of_caller.call(options.reset); };
  }
  Options alone = options;
  alone.estimate_error = false;
  alone.accuracy.reset();
  alone.seek_way_out = false;
  Samples samples(problem.state_size());
  alone.sink = [&](const Output& output) {
    samples.see(output.t, output.state);
    return !options.sink || options.sink(output);
  };
  Solution solution = solve(start, w, span, alone);
  const bool on_some_branch = passed_unknowing(solution.report);
  if ((!solution.report.usable() && !on_some_branch) || !solution.has_values()) return solution;
  samples.see_end(solution.t.back(), solution.end());
  std::string failures;
  bool other_events = true;
  for (SecondMethod& second :
       second_methods(problem, as_chosen(options, solution.report), was_stiff(solution.report))) {
    Compared compared;
    try {
      compared = compare_well(second, {start, w, span, seen, solve}, samples, solution, of_caller);
    } catch (const std::bad_alloc&) {
      throw;
    } catch (const std::exception& refused) {
      of_caller.rethrow();
      compared.failure = refused.what();
    }
    if (compared.failure.empty() && !compared.times.empty()) {
      solution.error_times = std::move(compared.times);
      solution.errors = std::move(compared.errors);
      const Report before = solution.report;
      solution.report.termination = Termination::converged;
      judge(second, compared.events_apart, options, solution);
      if (on_some_branch) tell_branch(second, before, solution.report);
      if (stopped) stopped_by_caller(solution.report);
      return solution;
    }
    if (compared.failure.empty()) compared.failure = "nothing given out lies away from events";
    failures +=
        fmt::format("{}{}: {}", failures.empty() ? "" : "; ", second.name, compared.failure);
    other_events = other_events && compared.other_events;
    if (stopped || compared.stopped) break;
  }
  if (stopped) {
    stopped_by_caller(solution.report);
  } else if (!on_some_branch) {
    no_estimate(failures, other_events, options, solution.report);
  }
  return solution;
}

}  // namespace daewave::ivp
