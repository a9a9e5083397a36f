#include "ivp/options/formula.hpp"

#include <fmt/format.h>

#include "core/error.hpp"
#include "core/time/collocation_scheme.hpp"
#include "ivp/options/names.hpp"
#include "ivp/options/number_rules.hpp"

namespace daewave::ivp {
namespace {

bool has_open_stages(Stepper stepper) {
  return stepper == Stepper::gauss || stepper == Stepper::radau;
}

/// Collocation does with an odd number of stages; open is 3.
bool estimates_errors(Stepper stepper, int stages) {
  return stepper == Stepper::dopri5 || stepper == Stepper::dop853 ||
         (has_open_stages(stepper) && stages % 2 == 1);
}

}  // namespace

const char* name_of(Stepper stepper) {
  switch (stepper) {
    case Stepper::forward_euler:
      return "forward-euler";
    case Stepper::heun:
      return "heun";
    case Stepper::explicit_midpoint:
      return "explicit-midpoint";
    case Stepper::ralston:
      return "ralston";
    case Stepper::rk4:
      return "rk4";
    case Stepper::dopri5:
      return "dopri5";
    case Stepper::dop853:
      return "dop853";
    case Stepper::backward_euler:
      return "backward-euler";
    case Stepper::gauss:
      return "gauss";
    case Stepper::radau:
      return "radau";
  }
  return "unknown";
}

const std::vector<Stepper>& all_steppers() {
  static const std::vector<Stepper> steppers{Stepper::forward_euler,
                                             Stepper::heun,
                                             Stepper::explicit_midpoint,
                                             Stepper::ralston,
                                             Stepper::rk4,
                                             Stepper::dopri5,
                                             Stepper::dop853,
                                             Stepper::backward_euler,
                                             Stepper::gauss,
                                             Stepper::radau};
  return steppers;
}

Stepper stepper_named(const std::string& name) {
  return detail::named("stepper", name, all_steppers());
}

void check(const Formula& formula, bool fixed) {
  detail::require_at_least_one("stages", formula.stages);
  if (!formula.stepper) return;
  const Stepper stepper = *formula.stepper;
  if (formula.stages && !has_open_stages(stepper)) {
    throw InvalidOption(
        fmt::format("stages = {} with stepper = {}: only gauss and radau have a "
                    "number of stages to choose; leave stages open",
                    *formula.stages, name_of(stepper)));
  }
  if (formula.stages) {  // Which that formula has.
    collocation(stepper == Stepper::gauss ? Scheme::gauss : Scheme::radau, *formula.stages);
  }
  if (fixed || estimates_errors(stepper, formula.stages.value_or(3))) return;
  if (formula.stages) {
    throw InvalidOption(
        fmt::format("stages = {} with stepper = {}: only an odd number of them estimates errors; "
                    "take stages = 3; or give h",
                    *formula.stages, name_of(stepper)));
  }
  throw InvalidOption(
      fmt::format("stepper = {}: does not estimate errors; leave stepper open; or take stepper = "
                  "dopri5; or give h",
                  name_of(stepper)));
}

}  // namespace daewave::ivp
