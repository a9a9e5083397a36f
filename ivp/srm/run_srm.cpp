#include "ivp/srm/run_srm.hpp"

#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <numeric>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "core/machine/memory.hpp"
#include "core/not_finite.hpp"
#include "ivp/options/over_ranks.hpp"
#include "ivp/run/integrate.hpp"
#include "ivp/srm/iterate_changes.hpp"
#include "ivp/srm/srm_ranks.hpp"
#include "ivp/srm/srm_windows.hpp"
#include "ivp/srm/sweep_solution.hpp"
#include "ivp/srm/window_choice.hpp"
#include "ivp/srm/worst_change.hpp"

namespace daewave::ivp {
namespace {

std::vector<VecX> changes_of(const SrmStep& step) {
  std::vector<VecX> changes;
  for (int s = 2; s <= step.iterates(); ++s) {
    changes.push_back((step.iterate(s).x - step.iterate(s - 1).x).cwiseAbs());
  }
  return changes;
}

/// Where steps are controlled iterates are watched on the way.
Solution integrate_watched(WindowedStep& step, const VecX& start, const Interval& span,
                           const Options& options, Monitors monitors, WorstChange& worst) {
  if (options.h) return integrate(step, start, span, options, monitors);
  const SrmStep& group = step.group();
  std::vector<const VecX*> iterates(static_cast<std::size_t>(group.iterates()));
  monitors.node = [&, before = monitors.node](double t, const VecX& z) {
    if (before) before(t, z);
    for (std::size_t s = 0; s < iterates.size(); ++s) {
      iterates[s] = &group.iterate(static_cast<int>(s) + 1).x;
    }
    worst.see(t, iterates);
  };
  return integrate(step, start, span, options, monitors);
}

using StepOf = std::function<SrmStep(int share)>;

/// Iterates shared out among ranks, of which rank 0 has the last.
Solution run_among(const Communicator& ranks, const StepOf& step_of, int iterates,
                   const SrmProblem& problem, const Interval& span, const Pipelined& asked,
                   const Options& options, Settings settings) {
  check(options);
  if (ranks.size() > iterates) {
    throw InvalidOption(
        fmt::format("{} ranks: each takes one iterate at least, and there are {}; take fewer ranks",
                    ranks.size(), iterates));
  }
  const std::vector<int> shares = share_out(iterates, ranks.size(), ranks.size());
  const auto mine = shares.end() - 1 - ranks.rank();
  const int before = std::accumulate(shares.begin(), mine, 0);
  int steps = asked.steps.value_or(0);
  if (!asked.steps) {
    const double seconds =
        largest_of(ranks, seconds_per_step(step_of(*mine), span.begin, problem.start,
                                           std::copysign(*options.h, span.length())));
    steps = window_steps(seconds, FixedSteps(span, *options.h).count(), ranks.size(), work_of_rank);
  }
  WindowedStep last(step_of(*mine));
  refuse_beyond_memory(8.0 * steps * last.group().wave_size(),
                       fmt::format("windows of {} steps", steps), "take fewer, or leave it open");
  RunOverRanks found = run_over_ranks(ranks, last, before, iterates, problem, span,
                                      asked.checkpoints, options, steps, std::move(settings));
  if (ranks.rank() == 0) {
    found.solution.report.choices.push_back(windows_choice(shares, steps, asked));
    tell_iterates({.t = last.t(),
                   .x = last.state(),
                   .changes = std::move(found.changes),
                   .drift = problem.drift,
                   .before = problem.monitors.piece.before},
                  options, found.solution);
  }
  tell_end(ranks, found.solution.report);
  return std::move(found.solution);
}

}  // namespace

Solution run_srm(const SrmProblem& problem, const SrmFormula& formula, int iterates,
                 const Interval& span, const Srm& asked, const Options& options,
                 Settings settings) {
  const VecX& start = problem.start;
  if (std::holds_alternative<Sweeps>(asked.loops)) {
    SrmSweeps sweeps(problem.ode->clone(), formula, problem.y_0);
    return sweep_solution(sweeps, start, span, options, iterates, problem.monitors, problem.drift);
  }
  static const Pipelined none;
  const auto* const given = std::get_if<Pipelined>(&asked.loops);
  const Pipelined& pipelined = given ? *given : none;
  const Tolerance tolerance(options, static_cast<int>(start.size()));
  const StepOf step_of = [&](int share) {
    return SrmStep(problem.ode->clone(), formula, share, problem.y_0, tolerance, !options.h);
  };
  check_checkpoints(pipelined.checkpoints, options.h.has_value());
  const Communicator* const ranks = ranks_of(asked.loops);
  if (ranks != nullptr && ranks->size() > 1) {
    return run_among(*ranks, step_of, iterates, problem, span, pipelined, options,
                     std::move(settings));
  }
  const SerialPipeline alone;
  const Pipeline& pipeline = pipelined.pipeline ? *pipelined.pipeline : alone;
  const std::vector<int> shares = given ? share_out(iterates, pipeline.threads(), pipelined.groups)
                                        : std::vector<int>{iterates};
  WindowedStep last(step_of(shares.back()));
  Solution solution;
  std::vector<VecX> changes;
  WorstChange worst(options, problem.one_suffices);
  const Checkpoints& checkpoints = *checkpoints_of(asked.loops);
  check_checkpoints(checkpoints, options.h.has_value());
  if (shares.size() == 1 && !checkpoints.save && !checkpoints.resume) {
    solution = integrate_watched(last, start, span, options, problem.monitors, worst);
    if (solution.report.integration.steps > 0) changes = changes_of(last.group());
    solution.report.integration.guarded = last.group().ode().guarded();
  } else {
    check(options);
    std::vector<SrmStep> before;
    for (std::size_t i = 0; i + 1 < shares.size(); ++i) before.push_back(step_of(shares[i]));
    SrmWindows windows(std::move(before), last);
    const double seconds = pipelined.steps
                               ? 0
                               : seconds_per_step(step_of(shares.back()), span.begin, start,
                                                  std::copysign(*options.h, span.length()));
    const int steps = pipelined.steps.value_or(window_steps(
        seconds, FixedSteps(span, *options.h).count(), static_cast<int>(shares.size())));
    solution = windows.run(start, span, checkpoints, options, problem.monitors, pipeline, steps,
                           std::move(settings));
    changes = windows.changes();
    solution.report.integration.guarded = windows.guarded();
    solution.report.choices.push_back(windows_choice(shares, steps, pipeline.threads(), pipelined));
  }
  tell_iterates({.t = last.t(),
                 .x = last.state(),
                 .changes = std::move(changes),
                 .drift = problem.drift,
                 .from_zero = !problem.y_0,
                 .before = problem.monitors.piece.before,
                 .apart = worst.text(),
                 .one_suffices = problem.one_suffices},
                options, solution);
  return solution;
}

}  // namespace daewave::ivp
