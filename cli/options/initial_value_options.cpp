#include "cli/options/initial_value_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cli/options/loop_options.hpp"
#include "cli/options/method_options.hpp"
#include "core/error.hpp"
#include "core/machine/memory.hpp"

namespace daewave::cli {
namespace {

/// States kept without being asked for more.
constexpr long most_kept = 20000;

/// Each n-th step, so that a long run stays in memory and readable.
long every_of(const SolveCommand& command, const Interval& span) {
  if (command.every) return *command.every;
  if (!command.h || !(*command.h > 0)) return 1;
  const double steps = span.length() / *command.h;
  constexpr double most = 1e18;  // What a long holds; so many steps are refused later.
  return steps <= most_kept
             ? 1
             : static_cast<long>(std::min(most, std::ceil(steps / (most_kept / 2.0))));
}

/// As it was given, not as what it becomes.
double checked(double tolerance) {
  if (tolerance > 0 && tolerance < 1) return tolerance;
  throw InvalidOption(fmt::format("--tolerance {}: must be > 0 and < 1", tolerance));
}

}  // namespace

void check_kept(const ivp::Options& options, const Interval& span, int entries) {
  if (!options.keep) return;
  const auto count = static_cast<double>(options.times.size());
  const double steps = options.h && *options.h > 0 ? span.length() / *options.h : 0;
  const double rows = count > 0           ? count
                      : options.every > 0 ? steps / static_cast<double>(options.every)
                                          : 0;
  // Of each t, the state and as many multipliers, twice: vectors that grow are copied.
  refuse_beyond_memory(16 * rows * (1 + 2.0 * entries),
                       fmt::format("{:.0f} rows of --npy, --svg or --report", rows),
                       "give out fewer by --every or --points, or take --csv, which is written as "
                       "they come");
}

void refuse_boundary_options(const SolveCommand& command) {
  const auto refuse = [](bool given, const char* option, const char* instead) {
    if (given) {
      throw InvalidOption(fmt::format("{}: is for boundary value solves; {}", option, instead));
    }
  };
  refuse(command.scheme.has_value(), "--scheme", "take --stepper gauss or radau");
  refuse(command.intervals.has_value(), "--intervals", "take --h, or --rtol");
  refuse(!command.fixed_nodes.empty(), "--fixed-nodes", "leave it out");
  refuse(!command.relative.empty(), "--relative", "take --rtol");
  refuse(!command.absolute.empty(), "--absolute", "take --atol");
  refuse(command.truncation.has_value(), "--truncation", "leave it out");
  refuse(command.max_intervals.has_value(), "--max-intervals", "leave it out");
  refuse(command.samples.has_value(), "--samples", "leave it out");
  refuse(command.residual_tolerance.has_value(), "--residual-tolerance", "leave it out");
  refuse(command.shooting_back, "--shooting-back", "take --exact-start 0, 1 or 2");
  refuse(command.linear_solver != "auto", "--solver", "leave it out");
  refuse(command.partitions.has_value(), "--partitions", "leave it out");
  refuse(command.singular != "auto", "--singular", "srm passes singular points by itself");
}

ivp::Options initial_value_options(const SolveCommand& command, const Interval& span) {
  ivp::Options options;
  options.method = method_asked_for(command);
  give_loop_options(command, options);
  options.h = command.h;
  options.first_step = command.first_step;
  options.largest_step = command.largest_step;
  if (command.tolerance) options.atol = options.rtol = checked(*command.tolerance);
  if (command.rtol) options.rtol = *command.rtol;
  if (command.atol) options.atol = *command.atol;
  options.estimate_error = command.estimate_error;
  options.accuracy = command.accuracy;
  options.repair_start = command.repair;
  options.every = every_of(command, span);
  options.restart_times = command.restart_times;
  if (command.every && command.points > 0) {
    throw InvalidOption(fmt::format(
        "--every {}: --points {} gives out at times of its own, whatever the steps; leave one of "
        "the two out",
        *command.every, command.points));
  }
  refuse_beyond_memory(8.0 * command.points, fmt::format("--points {}", command.points),
                       "take fewer");
  options.times.reserve(static_cast<std::size_t>(command.points));
  for (int i = 0; i < command.points; ++i) {
    options.times.push_back(span.begin + span.length() * i / (command.points - 1));
  }
  if (command.points > 0) options.times.back() = span.end;
  // Where the interval is passed backward too.
  if (span.length() < 0) std::reverse(options.times.begin(), options.times.end());
  return options;
}

}  // namespace daewave::cli
