#pragma once
// Events of a model file as functions of t and the state.

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "core/problem/dae_problem.hpp"
#include "models/event/event_statement.hpp"
#include "models/problem/variables.hpp"

namespace daewave::models {

/// Where the expressions of events have their meaning.
struct EventScope {
  Graph& graph;
  NumberNames& names;
  Variables variables;
  std::vector<std::string> state_names;
  /// Takes out of what `set` says what is no entry of the state and moves some, as an angular
  /// velocity, and lets follow what goes with entries that are set; empty: there is no such thing.
  std::function<void(std::map<std::string, Ref>& said, std::vector<Ref>& after)> set_others{};
};

/// @param problem  whose M and constraints impulses go through.
/// @throws ModelError  what an event must not know, or cannot set.
std::vector<StateEvent> events_of(const std::vector<EventStatement>& statements,
                                  const TextSource& source, const EventScope& scope,
                                  const DaeProblemPtr& problem);

}  // namespace daewave::models
