#pragma once
// A method for a second run, that shares neither the formula of the first one nor its tolerance.

#include <string>
#include <vector>

#include "core/problem/dae_problem.hpp"
#include "ivp/options/options.hpp"

namespace daewave::ivp {

/// Implicit ones are taken for stiff problems, which an explicit second run would not get through.
bool is_implicit(const Method& method);

struct SecondMethod {
  Method method;
  double rtol;
  std::string name;  ///< "projection with dopri5".
};

/// In the order in which they are to be tried, until one comes through.
/// @param stiff  the first run has changed to a formula for stiff problems; see stiff_change.hpp.
std::vector<SecondMethod> second_methods(const DaeProblem& problem, const Options& first,
                                         bool stiff);

}  // namespace daewave::ivp
