#include "ivp/srm/sweep_solution.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/report/stopwatch.hpp"
#include "ivp/run/fixed_steps.hpp"
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
  const std::vector<double> lengths = step_lengths(nodes, options.most_steps);
  double reached = span.begin;
  const auto what = thrown_in([&] {
    if (!sweeps.run(span.begin, start, lengths, iterates)) report.diverged(sweeps.failure());
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
    if (monitors.drift) report.drift(drift(sweeps.t(static_cast<int>(i)), x));
    if (monitors.energy) report.energy(monitors.energy(reached, x));
    const bool wanted = i == 0 || i == last || (options.every > 0 && i % options.every == 0);
    if (!wanted || give_node(i, reached, sweeps, options, solution)) continue;
    report.stopped("the sink", reached);
    break;
  }
  if (report.goes_on() && last < nodes.count()) report.too_many_steps(reached);
  report.end(reached, sweeps.evaluations(), 0, watch.seconds());
  tell_iterates({reached, x, sweeps.changes(), drift}, options, solution);
  return solution;
}

}  // namespace daewave::ivp
