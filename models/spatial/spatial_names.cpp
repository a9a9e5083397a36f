#include "models/spatial/spatial_names.hpp"

namespace daewave::models {

std::vector<std::string> spatial_state_names(const SpatialMechanism& mechanism) {
  std::vector<std::string> names;
  for (const char* const rate : {"", "'"}) {
    for (const SpatialBody& body : mechanism.bodies) {
      for (const char* const coordinate : {".x", ".y", ".z", ".e0", ".e1", ".e2", ".e3"}) {
        names.push_back(body.name + coordinate + rate);
      }
    }
  }
  return names;
}

std::vector<std::string> spatial_state_units(const SpatialMechanism& mechanism) {
  std::vector<std::string> units;
  for (const bool rate : {false, true}) {
    for (std::size_t b = 0; b < mechanism.bodies.size(); ++b) {
      units.insert(units.end(), 3, rate ? "m/s" : "m");
      units.insert(units.end(), 4, rate ? "1/s" : "1");
    }
  }
  return units;
}

StateNames spatial_names(Graph& graph, const Parameters& parameters,
                         const SpatialMechanism& mechanism, const Variables& variables,
                         const SpatialPoses& poses) {
  StateNames names(graph, parameters, spatial_state_names(mechanism), variables);
  for (std::size_t b = 0; b < mechanism.bodies.size(); ++b) {
    const SpatialPose& pose = poses[static_cast<int>(b)];
    const auto add = [&](const Vector<Term>& of, const std::array<const char*, 3>& ends) {
      const std::string& body = mechanism.bodies[b].name;
      names.add(body + ends[0], of.x.in(graph));
      names.add(body + ends[1], of.y.in(graph));
      names.add(body + ends[2], of.z.in(graph));
    };
    add(pose.angular_velocity, {".wx", ".wy", ".wz"});
    add(pose.spin, {".w1", ".w2", ".w3"});
  }
  return names;
}

}  // namespace daewave::models
