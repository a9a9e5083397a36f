#pragma once
// Problems that depend on parameters.

#include <functional>
#include <vector>

#include "core/problem/dae_problem.hpp"
#include "ivp/options/options.hpp"

namespace daewave::ivp {

/// A problem and where it starts.
struct Member {
  DaeProblemPtr problem;
  VecX start;
  std::vector<Event> events{};  ///< In the place of Options::events; empty: those.
};
using Family = std::function<Member(const VecX& parameters)>;

}  // namespace daewave::ivp
