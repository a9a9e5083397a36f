#include "models/planar/planar_names.hpp"

namespace daewave::models {

std::vector<std::string> planar_state_names(const PlanarMechanism& mechanism) {
  std::vector<std::string> names;
  for (const char* const rate : {"", "'"}) {
    for (const PlanarBody& body : mechanism.bodies) {
      for (const char* const coordinate : {".x", ".y", ".phi"}) {
        names.push_back(body.name + coordinate + rate);
      }
    }
  }
  return names;
}

std::vector<std::string> planar_state_units(const PlanarMechanism& mechanism) {
  std::vector<std::string> units;
  for (const char* const rate : {"", "/s"}) {
    for (std::size_t b = 0; b < mechanism.bodies.size(); ++b) {
      for (const char* const unit : {"m", "m", "rad"}) units.push_back(std::string(unit) + rate);
    }
  }
  return units;
}

PlanarNames::PlanarNames(Graph& graph, const Parameters& parameters,
                         const PlanarMechanism& mechanism, const Variables& variables)
    : NumberNames(graph, parameters) {
  variable_of_["t"] = Variables::t;
  const std::vector<std::string> names = planar_state_names(mechanism);
  for (std::size_t i = 0; i < names.size(); ++i) {
    variable_of_[names[i]] = variables.q(static_cast<int>(i));
  }
}

std::optional<Ref> PlanarNames::of(const std::string& name) {
  const auto found = variable_of_.find(name);
  if (found != variable_of_.end()) return graph().variable(found->second);
  return NumberNames::of(name);
}

std::vector<std::string> PlanarNames::known() const {
  std::vector<std::string> all = NumberNames::known();
  for (const auto& [name, variable] : variable_of_) all.push_back(name);
  return all;
}

}  // namespace daewave::models
