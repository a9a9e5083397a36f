#pragma once
// Sweeps over the whole interval as a Solution, as the time loop would give it out.

#include <chrono>
#include <vector>

#include "core/constraint_residual.hpp"
#include "core/error.hpp"
#include "ivp/fixed_steps.hpp"
#include "ivp/monitors.hpp"
#include "ivp/run_report.hpp"
#include "ivp/solution.hpp"
#include "ivp/srm_sweeps.hpp"

namespace daewave::ivp {

/// @throws InvalidOption for what whole-interval sweeps cannot do.
inline void check_sweeps(const Options& options) {
  if (options.regularize.order != Order::sweeps) return;
  const auto refuse = [](const char* what) {
    throw InvalidOption(std::string("order = sweeps: ") + what +
                        "; take order = step-local, whose results are the same");
  };
  if (!options.h) refuse("needs a fixed h");
  if (options.dense || !options.times.empty()) refuse("gives out nodes, and no dense output");
  if (!options.events.empty()) refuse("locates no events");
}

namespace detail {

/// Of a state of a problem of any class.
template <Dae P>
class DriftOf {
 public:
  explicit DriftOf(const P& problem) : problem_(problem) {}

  Drift operator()(double t, const StateOf<P>& z) {
    if constexpr (SemiExplicitDae<P>) {
      return {largest_residual(typename P::Multiplier(problem_.g(z, t))), 0};
    } else {
      const int n = static_cast<int>(z.size() / 2);
      residual_.evaluate(problem_, z.head(n), z.tail(n), t);
      return {largest_residual(residual_.position()), largest_residual(residual_.velocity())};
    }
  }

 private:
  struct None {};
  const P& problem_;
  std::conditional_t<SemiExplicitDae<P>, None, ConstraintResidual<P>> residual_;
};

}  // namespace detail

template <Dae P, class Sweeps>
Solution sweep_solution(const P& problem, Sweeps& sweeps, const StateOf<P>& start,
                        const Interval& span, const Options& options, int iterates,
                        const Monitors<StateOf<P>>& monitors) {
  const auto before = std::chrono::steady_clock::now();
  Solution solution;
  RunReport report(solution.report, span, options);
  const FixedSteps nodes(span, *options.h);
  std::vector<double> lengths(static_cast<std::size_t>(nodes.count()));
  for (long i = 0; i < nodes.count(); ++i) {
    // As the time loop forms them: the difference from where the step before has ended.
    lengths[i] = nodes.node(i + 1) - nodes.node(i);
  }
  if (!sweeps.run(span.begin, start, lengths, iterates)) report.diverged(sweeps.failure());
  detail::DriftOf<P> drift(problem);
  solution.nz = static_cast<int>(start.size());
  solution.second_order = monitors.second_order;
  solution.carries_By = monitors.carries_By;
  const int last = sweeps.count() - 1;
  if (!report.goes_on()) {
    report.end(span.begin, sweeps.evaluations(), 0, 0);
    return solution;
  }
  for (int i = 0; i <= last; ++i) {
    const auto& at = sweeps.at(i);
    const double t = i == last ? span.end : sweeps.t(i);
    if (i > 0) report.accepted(std::abs(lengths[static_cast<std::size_t>(i - 1)]));
    if (monitors.drift) report.drift(drift(t, at.x));
    if (monitors.energy) report.energy(monitors.energy(t, at.x));
    const bool wanted = i == 0 || i == last || (options.every > 0 && i % options.every == 0);
    if (!wanted) continue;
    solution.t.push_back(t);
    solution.states.insert(solution.states.end(), at.x.data(), at.x.data() + at.x.size());
    if (options.multipliers) {
      solution.ny = static_cast<int>(at.carried.size());
      solution.multipliers.insert(solution.multipliers.end(), at.carried.data(),
                                  at.carried.data() + at.carried.size());
    }
    if (options.sink && !options.sink({i, t, at.x.data(), at.carried.data()})) {
      report.stopped("the sink", t);
      break;
    }
  }
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - before;
  report.end(solution.t.back(), sweeps.evaluations(), 0, took.count());
  return solution;
}

}  // namespace daewave::ivp
