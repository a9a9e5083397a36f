#pragma once
// How far states are moved where an equation is differentiated by differences.

#include <functional>
#include <vector>

#include "core/types.hpp"
#include "ivp/run/ode_system.hpp"

namespace daewave::ivp {

struct DifferenceStep {
  double part = 1e-4;  ///< Of what counts as a move of one.
  /// How far differences of such steps are apart, relative to the largest of them: what they are
  /// good to, where it can be told.
  double apart = 0;
};

/// Of a run.
struct StateAt {
  double t = 0;
  VecX z;
};

/// F at one of the states where it is moved so far: its slope; false where it cannot be evaluated.
using MovedSlope = std::function<bool(const StateAt&, double far, VecX& slope)>;

/// For central differences of fourth order of z' = F(z, p, t) by what is moved, a direction of z or
/// a parameter: by the worst of some states.
///
/// A smooth F is known to rounding, and the step is 1e-4. One that is made of differences itself is
/// noise by 1e-9 of its size, which so small a step makes 1e-5 of: longer ones are better, as far
/// as F is smooth on their scale.
/// @param moved    by parts of what counts as a move of one.
/// @param unit     what counts as a move of one of each entry of z, > 0.
/// @param longest  step of the run, > 0: slopes that do nothing in it do not count.
DifferenceStep difference_step(const std::vector<MovedSlope>& moved,
                               const std::vector<StateAt>& states, const VecX& unit,
                               double longest);

/// The same of all entries of z at once: along some mixtures of them.
DifferenceStep difference_step(OdeSystem& system, const std::vector<StateAt>& states,
                               const VecX& unit, double longest);

}  // namespace daewave::ivp
