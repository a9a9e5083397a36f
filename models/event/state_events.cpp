#include "models/event/state_events.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "core/nearest_names.hpp"
#include "models/event/impact.hpp"
#include "models/problem/state_functions.hpp"

namespace daewave::models {
namespace {

class EventBuilding {
 public:
  EventBuilding(const TextSource& source, const EventScope& scope, const DaeProblemPtr& problem)
      : source_(source), scope_(scope), graph_(scope.graph), problem_(problem) {}

  StateEvent event(const EventStatement& said) {
    scope_.names.set_index(said.index);
    const Ref when = meaning_of(said.when);
    if (variables_.empty()) {
      source_.fail(said.when.place, fmt::format("event {}: neither t nor a state is in it: it "
                                                "never passes through 0",
                                                said.name));
    }
    StateEvent out;
    out.name = said.name;
    out.direction = said.direction;
    out.terminal = said.terminal;
    const auto function = std::make_shared<const StateFunctions>(functions({when}));
    out.function = [function](double t, const VecX& state) { return (*function)(t, state)[0]; };
    if (!said.set.empty()) out.change = change(said);
    if (said.restitution) out.change = impact(said, when);
    return out;
  }

 private:
  StateFunctions functions(const std::vector<Ref>& of) const {
    return {graph_, of, scope_.variables};
  }

  /// With the variables that are in it. @throws ModelError for one that is not of the state.
  Ref meaning_of(const Written& of) {
    const Ref found = models::meaning(source_, of, graph_, scope_.names);
    variables_ = graph_.variables_of(found);
    const auto states = static_cast<int>(scope_.state_names.size());
    if (!variables_.empty() && variables_.back() > states) {
      source_.fail(of.place,
                   "an event knows t and the state, no algebraic unknowns: write what they are");
    }
    return found;
  }

  std::function<VecX(double, const VecX&)> change(const EventStatement& said) {
    std::vector<Ref> after;
    const auto states = static_cast<int>(scope_.state_names.size());
    for (int i = 0; i < states; ++i) after.push_back(graph_.variable(1 + i));
    std::map<std::string, Ref> values;
    for (const auto& [name, of] : said.set) {
      values[name] = meaning_of(of);
      const auto found = std::find(scope_.state_names.begin(), scope_.state_names.end(), name);
      if (found == scope_.state_names.end()) continue;
      after[static_cast<std::size_t>(found - scope_.state_names.begin())] = values[name];
      values.erase(name);
    }
    if (scope_.set_others) scope_.set_others(values, after);
    for (const auto& [name, of] : said.set) {
      if (values.contains(name)) refuse_unknown(said, name, of);
    }
    const auto functions = std::make_shared<const StateFunctions>(this->functions(after));
    return [functions](double t, const VecX& state) { return (*functions)(t, state); };
  }

  [[noreturn]] void refuse_unknown(const EventStatement& said, const std::string& name,
                                   const Written& of) const {
    std::string near = did_you_mean(name, scope_.state_names);
    if (near.empty()) near = "; algebraic unknowns and parameters are not set, they follow or stay";
    source_.fail(of.place, fmt::format("event {}: sets '{}', which is no entry of the state{}",
                                       said.name, name, near));
  }

  std::function<VecX(double, const VecX&)> impact(const EventStatement& said, Ref when) {
    if (problem_->kind() != Kind::multibody) {
      source_.fail(said.place, fmt::format("event {}: restitution is for mechanisms of bodies; of "
                                           "equations write what is set",
                                           said.name));
    }
    const auto is_v = [this](int one) { return scope_.variables.is_v(one); };
    const auto is_q = [this](int one) { return scope_.variables.is_q(one); };
    if (std::any_of(variables_.begin(), variables_.end(), is_v) ||
        std::none_of(variables_.begin(), variables_.end(), is_q)) {
      source_.fail(said.when.place, fmt::format("event {}: with restitution, when is a distance: "
                                                "of coordinates, without velocities",
                                                said.name));
    }
    return impact_change(problem_, graph_, when, scope_.variables, *said.restitution);
  }

  const TextSource& source_;
  const EventScope& scope_;
  Graph& graph_;
  DaeProblemPtr problem_;
  std::vector<int> variables_;
};

}  // namespace

std::vector<StateEvent> events_of(const std::vector<EventStatement>& statements,
                                  const TextSource& source, const EventScope& scope,
                                  const DaeProblemPtr& problem) {
  std::vector<StateEvent> all;
  EventBuilding building(source, scope, problem);
  for (const EventStatement& said : statements) all.push_back(building.event(said));
  return all;
}

}  // namespace daewave::models
