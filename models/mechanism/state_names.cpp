#include "models/mechanism/state_names.hpp"

namespace daewave::models {

StateNames::StateNames(Graph& graph, const Parameters& parameters,
                       const std::vector<std::string>& names, const Variables& variables)
    : NumberNames(graph, parameters) {
  add("t", graph.variable(Variables::t));
  for (std::size_t i = 0; i < names.size(); ++i) {
    add(names[i], graph.variable(variables.q(static_cast<int>(i))));
  }
}

std::optional<Ref> StateNames::of(const std::string& name) {
  const auto found = ref_of_.find(name);
  if (found != ref_of_.end()) return found->second;
  return NumberNames::of(name);
}

std::vector<std::string> StateNames::known() const {
  std::vector<std::string> all = NumberNames::known();
  for (const auto& [name, of] : ref_of_) all.push_back(name);
  return all;
}

}  // namespace daewave::models
