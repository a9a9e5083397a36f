#pragma once
// The formula of a step, of methods that take any one-step formula.

#include <optional>
#include <string>
#include <vector>

namespace daewave::ivp {

enum class Stepper {
  forward_euler,
  heun,
  explicit_midpoint,
  ralston,
  rk4,
  dopri5,  ///< Dormand and Prince 5(4), with dense output.
  dop853,  ///< Dormand and Prince 8(5,3), with dense output of order 7.
  backward_euler,
  gauss,  ///< Collocation; see Formula::stages.
  radau,  ///< Radau IIA. Variable steps need an odd number of stages, of gauss too; 3 by default.
};

const char* name_of(Stepper stepper);
/// @throws InvalidOption naming the known steppers. "forward-euler", with - for _.
Stepper stepper_named(const std::string& name);
const std::vector<Stepper>& all_steppers();

/// {Stepper::heun}, or {Stepper::radau, 5}.
struct Formula {
  std::optional<Stepper> stepper{};  ///< Open: as the method needs, and whether h is fixed.
  std::optional<int> stages{};       ///< Of gauss and radau, >= 1.
};

/// @param fixed  h is given; errors need not be estimated.
/// @throws InvalidOption for stages that a stepper does not have, and for what estimates no errors.
void check(const Formula& formula, bool fixed);

}  // namespace daewave::ivp
