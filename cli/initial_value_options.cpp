#include "cli/initial_value_options.hpp"

#include <cmath>

#include "cli/method_options.hpp"

namespace daewave::cli {
namespace {

/// States kept without being asked for more.
constexpr long most_kept = 20000;

/// Each n-th step, so that a long run stays in memory and readable.
long every_of(const SolveCommand& command, const Interval& span) {
  if (command.every) return *command.every;
  if (!command.h || !(*command.h > 0)) return 1;
  const double steps = span.length() / *command.h;
  return steps <= most_kept ? 1 : static_cast<long>(std::ceil(steps / (most_kept / 2.0)));
}

}  // namespace

ivp::Options initial_value_options(const SolveCommand& command, const Interval& span) {
  ivp::Options options;
  options.method = method_asked_for(command);
  options.h = command.h;
  if (command.tolerance) options.atol = options.rtol = *command.tolerance;
  if (command.rtol) options.rtol = *command.rtol;
  if (command.atol) options.atol = *command.atol;
  options.repair_start = command.repair;
  options.every = every_of(command, span);
  for (int i = 0; i < command.points; ++i) {
    options.times.push_back(span.begin + span.length() * i / (command.points - 1));
  }
  if (command.points > 0) options.times.back() = span.end;
  return options;
}

}  // namespace daewave::cli
