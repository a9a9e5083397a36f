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

Quaternion<Term> half(const Vector<Term>& w) {
  return {0, Term(0.5) * w.x, Term(0.5) * w.y, Term(0.5) * w.z};
}

/// Whether an event says any of four entries of the state.
bool is_set(Graph& graph, const Quaternion<Term>& before, const Quaternion<Term>& after) {
  return before.w.in(graph) != after.w.in(graph) || before.x.in(graph) != after.x.in(graph) ||
         before.y.in(graph) != after.y.in(graph) || before.z.in(graph) != after.z.in(graph);
}

/// Four entries of a state.
Quaternion<Term> entries(Graph& graph, const std::vector<Ref>& state, std::size_t first) {
  return {Term(graph, state[first]), Term(graph, state[first + 1]), Term(graph, state[first + 2]),
          Term(graph, state[first + 3])};
}

/// Of unit length, to which the state is brought back.
Quaternion<Term> unit(const Quaternion<Term>& e) {
  const Term length = sqrt(squared_norm(e));
  return {e.w / length, e.x / length, e.y / length, e.z / length};
}

}  // namespace

void set_angular_velocities(Graph& graph, const SpatialMechanism& mechanism,
                            const SpatialPoses& poses, std::map<std::string, Ref>& said,
                            std::vector<Ref>& after) {
  const auto bodies = static_cast<int>(mechanism.bodies.size());
  for (int b = 0; b < bodies; ++b) {
    const std::string& name = mechanism.bodies[static_cast<std::size_t>(b)].name;
    const SpatialPose& pose = poses[b];
    const auto orientation = static_cast<std::size_t>(of_spatial_body * b + 3);
    const auto rates_at = static_cast<std::size_t>(of_spatial_body * (bodies + b) + 3);
    const Quaternion<Term> said_e = entries(graph, after, orientation);
    const bool is_turned = is_set(graph, pose.e, said_e);
    // Rates belong to the orientation behind the event.
    const Quaternion<Term> e = is_turned ? unit(said_e) : pose.e;
    Vector<Term> in_ground = pose.angular_velocity, in_body = pose.spin;
    Quaternion<Term> rate;
    if (take(graph, name, {".wx", ".wy", ".wz"}, said, in_ground)) {
      rate = half(in_ground) * e;
    } else if (take(graph, name, {".w1", ".w2", ".w3"}, said, in_body)) {
      rate = e * half(in_body);
    } else if (is_turned && !is_set(graph, pose.e_rate, entries(graph, after, rates_at))) {
      rate = half(in_ground) * e;
    } else {
      continue;
    }
    const Term rates[] = {rate.w, rate.x, rate.y, rate.z};
    for (std::size_t k = 0; k < 4; ++k) after[rates_at + k] = rates[k].in(graph);
  }
}

}  // namespace daewave::models
