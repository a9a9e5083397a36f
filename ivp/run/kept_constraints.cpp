#include "ivp/run/kept_constraints.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <variant>

#include "core/not_finite.hpp"
#include "ivp/run/thrown.hpp"
#include "ivp/run/tolerance.hpp"

namespace daewave::ivp {
namespace {

std::string way_out(const Options& options) {
  const std::string finer = options.h ? "a smaller h" : "a smaller rtol";
  const bool is_open = std::holds_alternative<Automatic>(options.method);
  return fmt::format(
      "take {}{}; where G or curvature is given, check_derivatives() tells whether it is that of g",
      is_open ? "" : "a method that keeps the constraints (leave method open), or ", finer);
}

/// What an entry may be wrong by.
struct Measure {
  VecX away;
  std::string text;
};

/// An entry that hardly moves may be wrong by what moves it: the others of its kind.
VecX motion_of(const Solution& solution) {
  constexpr double part = 0.1;
  VecX range = solution.motion.range();
  const Eigen::Index half = solution.second_order ? range.size() / 2 : range.size();
  for (auto kind : {range.head(half), range.tail(range.size() - half)}) {
    kind = kind.cwiseMax(part * largest_size(kind)).eval();
  }
  return range;
}

class DriftOfRun {
 public:
  /// @param is  the largest on the way. @param what  the constraints are called.
  DriftOfRun(const DriftOf& drift, const Drift& is, const char* what, const Options& options,
             const Solution& solution)
      : drift_(drift),
        options_(options),
        solution_(solution),
        is_(is),
        what_(what),
        size_(solution.motion.least.cwiseAbs().cwiseMax(solution.motion.greatest.cwiseAbs())) {}

  Measure tolerances(double many) const {
    const Tolerance tolerance(options_, solution_.nz);
    VecX away(solution_.nz);
    for (int i = 0; i < solution_.nz; ++i) away[i] = many * tolerance.weight(i, size_[i], size_[i]);
    return {away, fmt::format("{:g} times the tolerance", many)};
  }
  Measure motion(double part) const {
    return {part * motion_of(solution_), fmt::format("{:g} of its motion", part)};
  }

  /// A state that is given out and wrong by so much may be off as much, wherever on the way.
  /// @param least  what is none of its faults.
  bool within(const Measure& measure, double least = rounding) {
    constexpr int most_states = 8;
    const VecX away = measure.away.array() + rounding * largest_size(size_);
    const int count = solution_.count(), each = std::max(1, (count - 1) / most_states);
    allowed_ = {least, least};
    for (int i = count - 1; i >= 0; i -= each) {
      if (is_within()) return true;
      const double t = solution_.t[static_cast<std::size_t>(i)];
      const VecX z = solution_.state(i);
      const Drift here = allowed_drift(drift_, t, z, away, drift_(t, z), is_);
      allowed_.position = std::max(allowed_.position, here.position);
      allowed_.velocity = std::max(allowed_.velocity, here.velocity);
    }
    return is_within();
  }

  /// Of the last measure, which was exceeded.
  std::string text(const Measure& measure) const {
    const bool position = !(is_.position <= allowed_.position);
    return fmt::format(
        "the {} was off by {:.1e} on the way, where a state that is right to {} is off by {:.1e}",
        position ? what_ : "derivative of the constraint", position ? is_.position : is_.velocity,
        measure.text, position ? allowed_.position : allowed_.velocity);
  }

 private:
  static constexpr double rounding = 1e-12;

  bool is_within() const {
    return is_.position <= allowed_.position && is_.velocity <= allowed_.velocity;
  }

  const DriftOf& drift_;
  const Options& options_;
  const Solution& solution_;
  const Drift is_;
  const char* what_;
  VecX size_;
  Drift allowed_;
};

/// @param how      the run ended, where that is too much. @param advice  of that, and of a warning.
void judge(DriftOfRun run, const std::string& how, const std::string& advice,
           const Options& options, Report& report) {
  constexpr double many = 100, part = 0.01, far = 1e4, far_part = 0.1;
  const Measure near = options.h ? run.motion(part) : run.tolerances(many);
  if (run.within(near)) return;
  const std::string beyond = run.text(near);
  const auto not_met = [&](const Measure& measure) {
    // The start may be off by that.
    if (run.within(measure, options.start_tolerance)) return false;
    report.termination = Termination::tolerance_not_met;
    report.message = run.text(measure) + how;
    report.advice = advice;
    return true;
  };
  if (not_met(run.motion(far_part))) return;
  const double steps = static_cast<double>(report.integration.steps);
  if (!options.h && not_met(run.tolerances(std::max(far, steps)))) return;
  report.warnings.push_back(beyond + ": states are as wrong there; " + advice);
}

/// Of states that are given out, of these at most.
constexpr int most_looks = 500;

Drift largest_of(const DriftOf& drift, const Solution& solution) {
  const int count = solution.count(), each = std::max(1, (count - 1) / most_looks);
  Drift largest;
  for (int i = count - 1; i >= 0; i -= each) {
    const Drift here = drift(solution.t[static_cast<std::size_t>(i)], solution.state(i));
    largest.position = larger(largest.position, here.position);
  }
  return largest;
}

}  // namespace

/// Signs of the entries are those of a few sines, so that rows do not cancel.
Drift allowed_drift(const DriftOf& drift, double t, const VecX& z, const VecX& away,
                    const Drift& found, const Drift& enough) {
  constexpr int directions = 4;
  Drift most;
  VecX moved = z;
  for (int k = 1; k <= directions; ++k) {
    for (const double way : {1.0, -1.0}) {
      if (most.position >= enough.position && most.velocity >= enough.velocity) return most;
      for (int i = 0; i < away.size(); ++i) {
        moved[i] = z[i] + (std::sin(k * (1.3 * i + 1)) < 0 ? -way : way) * away[i];
      }
      const Drift there = drift(t, moved);
      most.position = std::max(most.position, there.position - found.position);
      most.velocity = std::max(most.velocity, there.velocity - found.velocity);
    }
  }
  return most;
}

void judge_drift(const DriftOf& drift, const Options& options, Solution& solution) {
  if (!solution.report.usable() || solution.count() == 0) return;
  // Where the constraints cannot be evaluated beside the run, nothing is known of it.
  const IntegrationReport& went = solution.report.integration;
  thrown_in([&] {
    judge(DriftOfRun(drift, {went.drift_position, went.drift_velocity}, "constraint", options,
                     solution),
          ": the run has left its constraints", way_out(options), options, solution.report);
  });
}

void judge_between(ConstraintsBetween& between, const Options& options, Solution& solution) {
  const ConstraintsBetween::Place& moved = between.moved();
  if (!solution.report.usable() || solution.count() == 0) return;
  if (moved.off > 0) {
    solution.report.termination = Termination::tolerance_not_met;
    solution.report.message = fmt::format(
        "at t = {:.10g}, where what drives constraints turns, the way back to them has moved "
        "positions by {:.2g}, however short the step",
        moved.t, moved.off);
    solution.report.advice =
        "take a method that brings positions and velocities back one after the other (s-both2, or "
        "leave method open), or a drive that is smooth";
    return;
  }
  const std::string advice =
      options.h
          ? "take a smaller h, or leave h open: steps are as short then as what drives it asks"
          : "what drives it turns or jumps there: let steps end there (restart_times), or take a "
            "drive that is smooth";
  const double warned = options.h ? 1 : 100, failed = options.h ? 10 : 1e4;
  thrown_in([&] {
    const VecX away = options.h ? VecX(0.01 * motion_of(solution)) : between.tolerances();
    const ConstraintsBetween::Place worst = between.worst(away);
    if (!(worst.part > warned)) return;
    const std::string told = fmt::format(
        "the driven constraint was off by {:.1e} inside of a step, at t = {:.10g}, {:.2g} times "
        "what a state is that is right to {}",
        worst.off, worst.t, worst.part, options.h ? "0.01 of its motion" : "the tolerance");
    if (!(worst.part > failed)) {
      solution.report.warnings.push_back(told + "; " + advice);
      return;
    }
    solution.report.termination = Termination::tolerance_not_met;
    solution.report.message = told;
    solution.report.advice = advice;
  });
}

void judge_implied(const DaeProblem& problem, const Options& options, Solution& solution) {
  const std::string names = problem.implied_names();
  if (names.empty() || !solution.report.usable() || solution.count() == 0) return;
  const DriftOf drift = [&problem, nq = problem.sizes().nq](double t, const VecX& z) {
    return Drift{problem.implied(z.data(), z.data() + nq, t), 0};
  };
  thrown_in([&] {
    judge(
        DriftOfRun(drift, largest_of(drift, solution), "constraint that was left out", options,
                   solution),
        fmt::format(": others implied rows of {} at the start, and do not on the way", names),
        "state these joints before others, so that rows of others are left out, or drives that do "
        "not contradict each other",
        options, solution.report);
  });
}

}  // namespace daewave::ivp
