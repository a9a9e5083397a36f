#include "models/spatial/spatial_events.hpp"

#include <array>

namespace daewave::models {
namespace {

/// Components that are said, in the place of those that are; false where none is.
bool take(Graph& graph, const std::string& body, const std::array<const char*, 3>& ends,
          std::map<std::string, Ref>& said, Vector<Term>& omega) {
  bool any = false;
  Term* const components[] = {&omega.x, &omega.y, &omega.z};
  for (std::size_t k = 0; k < 3; ++k) {
    const auto found = said.find(body + ends[k]);
    if (found == said.end()) continue;
    *components[k] = Term(graph, found->second);
    said.erase(found);
    any = true;
  }
  return any;
}

}  // namespace

void set_angular_velocities(Graph& graph, const SpatialMechanism& mechanism,
                            const SpatialPoses& poses, std::map<std::string, Ref>& said,
                            std::vector<Ref>& after) {
  const auto bodies = static_cast<int>(mechanism.bodies.size());
  for (int b = 0; b < bodies; ++b) {
    const std::string& name = mechanism.bodies[static_cast<std::size_t>(b)].name;
    const SpatialPose& pose = poses[b];
    Vector<Term> in_ground = pose.angular_velocity, in_body = pose.spin;
    const auto half = [](const Vector<Term>& w) {
      return Quaternion<Term>{0, Term(0.5) * w.x, Term(0.5) * w.y, Term(0.5) * w.z};
    };
    Quaternion<Term> rate;
    if (take(graph, name, {".wx", ".wy", ".wz"}, said, in_ground)) {
      rate = half(in_ground) * pose.e;
    } else if (take(graph, name, {".w1", ".w2", ".w3"}, said, in_body)) {
      rate = pose.e * half(in_body);
    } else {
      continue;
    }
    const Term rates[] = {rate.w, rate.x, rate.y, rate.z};
    const auto first = static_cast<std::size_t>(of_spatial_body * (bodies + b) + 3);
    for (std::size_t k = 0; k < 4; ++k) after[first + k] = rates[k].in(graph);
  }
}

}  // namespace daewave::models
