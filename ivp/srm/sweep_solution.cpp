#include "ivp/srm/sweep_solution.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/machine/memory.hpp"
#include "core/report/stopwatch.hpp"
#include "ivp/run/fixed_steps.hpp"
#include "ivp/run/progress_clock.hpp"
#include "ivp/run/run_report.hpp"
#include "ivp/run/thrown.hpp"
#include "ivp/srm/iterate_changes.hpp"

namespace daewave::ivp {
namespace {

/// From where a step has come to, to the next node: as the time loop forms them, so that the bits
/// are the same.
std::vector<double> step_lengths(const FixedSteps& nodes, long most) {
  std::vector<double> lengths(static_cast<std::size_t>(std::min(nodes.count(), most)));
  double t = nodes.node(0);
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    lengths[i] = nodes.node(static_cast<long>(i) + 1) - t;
    t += lengths[i];
  }
  return lengths;
}

/// One state more; the last only, where no others are kept. False when the sink stops the run.
bool give_node(long i, double t, const SrmSweeps& sweeps, const Options& options,
               Solution& solution) {
  const auto x = sweeps.x(static_cast<int>(i)), y = sweeps.carried(static_cast<int>(i));
  if (!options.keep) {
    solution.t.clear();
    solution.states.clear();
    solution.multipliers.clear();
  }
  solution.t.push_back(t);
  solution.states.insert(solution.states.end(), x.data(), x.data() + x.size());
  if (options.multipliers) {
    solution.ny = static_cast<int>(y.size());
    solution.multipliers.insert(solution.multipliers.end(), y.data(), y.data() + y.size());
  }
  if (!options.sink) return true;
  return options.sink(
      {i, t, x.data(), options.multipliers ? y.data() : nullptr, solution.ny, solution.carries_By});
}

}  // namespace

void check_sweeps(const Options& options) {
  const auto refuse = [](const char* what) {
    throw InvalidOption(std::string("loops = sweeps: ") + what +
                        "; take loops = step-local, whose results are the same");
  };
  if (!options.h) refuse("needs a fixed h");
  if (options.dense || !options.times.empty()) refuse("gives out nodes, and no dense output");
  if (!options.events.empty()) refuse("locates no events");
}

Solution sweep_solution(SrmSweeps& sweeps, const VecX& start, const Interval& span,
                        const Options& options, int iterates, const Monitors& monitors,
                        const std::function<Drift(double t, const VecX& z)>& drift) {
  const Stopwatch watch;
  Solution solution;
  solution.nz = static_cast<int>(start.size());
  solution.second_order = monitors.second_order;
  solution.carries_By = monitors.carries_By;
  RunReport report(solution.report, span, options);
  const FixedSteps nodes(span, *options.h);
  refuse_beyond_memory(
      static_cast<double>(std::min(nodes.count(), options.most_steps)) * sweeps.bytes_per_step(),
      fmt::format("loops = sweeps with {} steps", nodes.count()),
      "take loops = step-local, whose results are the same and which keeps none "
      "of them, or a longer h");
  const std::vector<double> lengths = step_lengths(nodes, options.most_steps);
  double reached = span.begin;
  const auto goes_on = [&](double t) {
    RunProgress progress{t, span.begin, span.end, 0, report.largest_drift()};
    progress.seconds = watch.seconds();
    const double part = (t - span.begin) / span.length();
    if (part > 0) progress.seconds_left = progress.seconds * (1 - part) / part;
    return by_caller([&] { return options.progress(progress); });
  };
  ProgressClock own_clock;
  ProgressClock& clock = monitors.piece.clock != nullptr ? *monitors.piece.clock : own_clock;
  std::function<bool(double)> in_sweeps;
  if (options.progress) {
    in_sweeps = [&](double part) {
      return !clock.due() || goes_on(span.begin + part * span.length());
    };
  }
  const auto what = as_thrown([&] {
    return thrown_in([&] {
      if (sweeps.run(span.begin, start, lengths, iterates, in_sweeps)) return;
      sweeps.stopped() ? report.stopped("progress()", span.begin)
                       : report.diverged(sweeps.failure());
    });
  });
  // In whichever sweep: no step is valid in all of them.
  if (what) report.threw(*what, span.begin);
  const long last = report.goes_on() ? static_cast<long>(lengths.size()) : -1;
  VecX x = start;
  for (long i = 0; i <= last; ++i) {
    x = sweeps.x(static_cast<int>(i));
    reached = nodes.node(i);
    if (i > 0) report.accepted(std::abs(nodes.node(i) - nodes.node(i - 1)));
    solution.motion.see(x.data(), solution.nz);
    if (monitors.node) monitors.node(reached, x);
    if (monitors.drift) report.drift(drift(sweeps.t(static_cast<int>(i)), x));
    if (monitors.energy) report.energy(monitors.energy(reached, x));
    const bool stops = options.progress && clock.due() && !goes_on(span.end);
    if (stops) report.stopped("progress()", reached);
    const bool wanted =
        i == 0 || i == last || stops || (options.every > 0 && i % options.every == 0);
    if (wanted && !give_node(i, reached, sweeps, options, solution)) {
      report.stopped("the sink", reached);
    }
    if (!report.goes_on()) break;
  }
  if (report.goes_on() && last < nodes.count()) report.too_many_steps(reached);
  report.end(reached, sweeps.evaluations(), 0, watch.seconds());
  tell_iterates({reached, x, sweeps.changes(), drift}, options, solution);
  return solution;
}

}  // namespace daewave::ivp
