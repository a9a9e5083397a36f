#include "ivp/options/options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "ivp/options/number_rules.hpp"
#include "ivp/options/over_ranks.hpp"

namespace daewave::ivp {
namespace {

using detail::require;
using detail::require_positive;

void check_tolerances(const Options& options) {
  require(options.rtol > 0 && options.rtol < 1, "rtol", options.rtol, "> 0 and < 1");
  if (options.rtol < least_rtol) {
    throw InvalidOption(fmt::format(
        "rtol = {:g}: must be >= {:.2g}, ten roundings: numbers of double precision hold no "
        "smaller relative error; take rtol = {:.2g} or more",
        options.rtol, least_rtol, 2.3e-15));
  }
  require_positive("atol", options.atol);
  if (options.atol && !options.atol_each.empty()) {
    throw InvalidOption(
        fmt::format("atol = {:g} given with atol_each: each component has one of its own there; "
                    "leave out one of the two",
                    *options.atol));
  }
  for (std::size_t i = 0; i < options.atol_each.size(); ++i) {
    require_positive(fmt::format("atol_each[{}]", i), options.atol_each[i]);
  }
}

void check_control(const Control& control) {
  const auto between = [](const char* name, double value) {
    require(value > 0 && value < 1, name, value, "> 0 and < 1");
  };
  between("control.safety", control.safety);
  between("control.shrink", control.shrink);
  require(control.beta >= 0 && control.beta <= 0.2, "control.beta", control.beta,
          "between 0 and 0.2");
  require(control.grow > 1 && std::isfinite(control.grow), "control.grow", control.grow,
          "> 1 and finite");
}

/// A step that is given leaves nothing to those that shape controlled ones.
void check_beside_h(const Options& options) {
  if (!options.h) return;
  const auto refuse = [&](const char* name, const std::optional<double>& given) {
    if (!given) return;
    throw InvalidOption(
        fmt::format("{} = {:g} given with h = {:g}: every step is h, the last one shortened; leave "
                    "out {}, or h to have steps controlled",
                    name, *given, *options.h, name));
  };
  refuse("first_step", options.first_step);
  refuse("largest_step", options.largest_step);
  if (options.control) {
    throw InvalidOption(
        fmt::format("control = given with h = {:g}: a fixed step is not controlled; leave out "
                    "control, or h",
                    *options.h));
  }
}

void check_steps(const Options& options) {
  require_positive("h", options.h);
  require_positive("first_step", options.first_step);
  require_positive("largest_step", options.largest_step);
  require(options.most_steps >= 1, "most_steps", options.most_steps, ">= 1");
  check_beside_h(options);
  check_tolerances(options);
  require_positive("accuracy", options.accuracy);
  if (options.control) check_control(*options.control);
}

void check_output(const Options& options) {
  require(options.every >= 0, "every", options.every, ">= 0; 0 gives out the end only");
  for (std::size_t i = 0; i < options.times.size(); ++i) {
    require(std::isfinite(options.times[i]), fmt::format("times[{}]", i), options.times[i],
            "finite");
    if (i > 0 && !(options.times[i] > options.times[i - 1])) {
      throw InvalidOption(fmt::format("times[{}] = {}: must be > times[{}] = {}", i,
                                      options.times[i], i - 1, options.times[i - 1]));
    }
  }
  for (std::size_t i = 0; i < options.events.size(); ++i) {
    if (!options.events[i].function) {
      throw InvalidOption(
          fmt::format("events[{}] (\"{}\") has no function: give function(t, state)", i,
                      options.events[i].name));
    }
    if (options.events[i].change && options.events[i].ends_run()) {
      throw InvalidOption(fmt::format(
          "events[{}] (\"{}\") stops and has a change: nothing comes after; leave out one of them",
          i, options.events[i].name));
    }
  }
}

/// Loops that run ahead of the last iterate, and files of where they are, know one start only.
void check_restarts(const Options& options) {
  for (std::size_t i = 0; i < options.restart_times.size(); ++i) {
    const double time = options.restart_times[i];
    require(std::isfinite(time), fmt::format("restart_times[{}]", i), time, "finite");
    if (i > 0 && !(time > options.restart_times[i - 1])) {
      throw InvalidOption(fmt::format("restart_times[{}] = {}: must be > restart_times[{}] = {}", i,
                                      time, i - 1, options.restart_times[i - 1]));
    }
  }
  if (ranks_of(options) != nullptr && (options.estimate_error || options.accuracy)) {
    throw InvalidOption(
        "estimate_error, accuracy: the error of a run over ranks is not estimated, as one rank "
        "alone knows what it comes to; leave them out, or take one machine");
  }
  const auto* srm = std::get_if<Srm>(&options.method);
  if (srm == nullptr || !starts_anew(options)) return;
  const char* const asked =
      options.restart_times.empty() ? "events with a change" : "restart_times";
  if (!std::holds_alternative<StepLocal>(srm->loops)) {
    throw InvalidOption(fmt::format(
        "loops = {}: iterates run ahead of each other and cannot start anew at {}; take "
        "loops = step-local",
        name_of(srm->loops), asked));
  }
  const Checkpoints* const checkpoints = checkpoints_of(srm->loops);
  if (checkpoints && (checkpoints->save || checkpoints->resume)) {
    throw InvalidOption(fmt::format(
        "checkpoints: hold one start of the formula, and not what events have changed beside the "
        "state: not with {}; leave out checkpoints, or solve from one event that stops to the next",
        asked));
  }
}

/// Those of loops are checked with these.
void check_legs(const Options& options) {
  const Checkpoints& asked = options.checkpoints;
  require(asked.seconds >= 0, "checkpoints.seconds", asked.seconds, ">= 0");
  require(asked.steps >= 1, "checkpoints.steps", asked.steps, ">= 1");
  if (!uses_checkpoints(options)) return;
  if (std::holds_alternative<Srm>(options.method)) {
    throw InvalidOption(
        "checkpoints: srm takes its own, between any two steps of a fixed h: give them to its "
        "loops, Srm{.loops = StepLocal{.checkpoints = ...}}; or leave method open");
  }
  for (const Event& event : options.events) {
    if (!event.change) continue;
    throw InvalidOption(fmt::format(
        "checkpoints: do not hold what the event \"{}\" has changed beside the state; leave out "
        "checkpoints, or solve from one event that stops to the next",
        event.name));
  }
  if (options.estimate_error || options.accuracy) {
    throw InvalidOption(
        "checkpoints: the error of a run is estimated by another one from its start, not from "
        "where it went on; leave out estimate_error and accuracy, or checkpoints");
  }
  if (options.checkpoints.resume && options.dense) {
    throw InvalidOption(
        "dense: a run that goes on from a checkpoint knows nothing of what was before; ask for "
        "times, or leave out checkpoints.resume");
  }
  if (asked.resume && asked.resume->iterates.size() != 1) {
    throw InvalidOption(fmt::format(
        "checkpoints.resume: it holds {} iterates, those of a run by srm; go on by the method of "
        "that run",
        asked.resume->iterates.size()));
  }
}

}  // namespace

bool uses_checkpoints(const Options& options) {
  return options.checkpoints.save || options.checkpoints.resume;
}

bool starts_anew(const Options& options) {
  return !options.restart_times.empty() ||
         std::any_of(options.events.begin(), options.events.end(),
                     [](const Event& event) { return static_cast<bool>(event.change); });
}

void check(const Options& options) {
  check_steps(options);
  check(options.method, options.h.has_value());
  check_output(options);
  check_restarts(options);
  check_legs(options);
  require_positive("start_tolerance", options.start_tolerance);
  require(options.rank_tolerance >= 0 && options.rank_tolerance < 1, "rank_tolerance",
          options.rank_tolerance, ">= 0 and < 1");
}

}  // namespace daewave::ivp
