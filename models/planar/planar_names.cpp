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

}  // namespace daewave::models
