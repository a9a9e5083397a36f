#pragma once
// What is varied around a run: how far each direction and parameter is moved, and where they begin.

#include <optional>
#include <vector>

#include "core/problem/dae_problem.hpp"
#include "ivp/doors/method_choice.hpp"
#include "ivp/options/options.hpp"
#include "ivp/variation/difference_step.hpp"
#include "ivp/variation/members_beside.hpp"
#include "ivp/variation/solve_varied.hpp"

namespace daewave::ivp {

/// Empty where a start beside this one cannot be brought back: MembersBeside::failure() tells why.
///
/// @param states, unit, longest  as for difference_step(), of the reduced problem.
/// @param chosen  of which no_variation() is empty.
/// @throws InvalidProblem as MembersBeside::at().
std::optional<Variation> variation_around(const DaeProblem& problem, MembersBeside& members,
                                          const std::vector<StateAt>& states,
                                          const MethodChoice& chosen, const Options& options,
                                          const VecX& unit, double longest);

}  // namespace daewave::ivp
