#pragma once
// Sweeps over the whole interval as a Solution, as the time loop would give it out.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <string>
#include <type_traits>
#include <vector>

#include "core/error.hpp"
#include "core/problem/constraint_residual.hpp"
#include "ivp/run/fixed_steps.hpp"
#include "ivp/run/monitors.hpp"
#include "ivp/run/run_report.hpp"
#include "ivp/run/solution.hpp"
#include "ivp/srm/srm_sweeps.hpp"

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

/// From where a step has come to, to the next node: as the time loop forms them, so that the bits
/// are the same.
inline std::vector<double> step_lengths(const FixedSteps& nodes, long most) {
  std::vector<double> lengths(static_cast<std::size_t>(std::min(nodes.count(), most)));
  double t = nodes.node(0);
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    lengths[i] = nodes.node(static_cast<long>(i) + 1) - t;
    t += lengths[i];
  }
  return lengths;
}

/// One state more; the last only, where no others are kept. False when the sink stops the run.
template <class At>
bool give_node(long i, double t, const At& at, const Options& options, Solution& solution) {
  if (!options.keep) {
    solution.t.clear();
    solution.states.clear();
    solution.multipliers.clear();
  }
  solution.t.push_back(t);
  solution.states.insert(solution.states.end(), at.x.data(), at.x.data() + at.x.size());
  if (options.multipliers) {
    solution.ny = static_cast<int>(at.carried.size());
    solution.multipliers.insert(solution.multipliers.end(), at.carried.data(),
                                at.carried.data() + at.carried.size());
  }
  if (!options.sink) return true;
  return options.sink({i, t, at.x.data(), options.multipliers ? at.carried.data() : nullptr,
                       solution.ny, solution.carries_By});
}

}  // namespace detail

/// Gives nothing out where a sweep fails: there is no interval in which all iterates are valid.
template <Dae P, class Sweeps>
Solution sweep_solution(const P& problem, Sweeps& sweeps, const StateOf<P>& start,
                        const Interval& span, const Options& options, int iterates,
                        const Monitors& monitors) {
  const auto before = std::chrono::steady_clock::now();
  Solution solution;
  solution.nz = static_cast<int>(start.size());
  solution.second_order = monitors.second_order;
  solution.carries_By = monitors.carries_By;
  RunReport report(solution.report, span, options);
  const FixedSteps nodes(span, *options.h);
  const std::vector<double> lengths = detail::step_lengths(nodes, options.most_steps);
  double reached = span.begin;
  if (!sweeps.run(span.begin, start, lengths, iterates)) report.diverged(sweeps.failure());
  detail::DriftOf<P> drift(problem);
  const long last = report.goes_on() ? static_cast<long>(lengths.size()) : -1;
  for (long i = 0; i <= last; ++i) {
    const auto& at = sweeps.at(static_cast<int>(i));
    reached = nodes.node(i);
    if (i > 0) report.accepted(std::abs(nodes.node(i) - nodes.node(i - 1)));
    if (monitors.drift) report.drift(drift(sweeps.t(static_cast<int>(i)), at.x));
    if (monitors.energy) report.energy(monitors.energy(reached, at.x));
    const bool wanted = i == 0 || i == last || (options.every > 0 && i % options.every == 0);
    if (!wanted || detail::give_node(i, reached, at, options, solution)) continue;
    report.stopped("the sink", reached);
    break;
  }
  if (report.goes_on() && last < nodes.count()) report.too_many_steps(reached);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - before;
  report.end(reached, sweeps.evaluations(), 0, took.count());
  return solution;
}

}  // namespace daewave::ivp
