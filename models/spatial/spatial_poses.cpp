#include "models/spatial/spatial_poses.hpp"

#include "models/spatial/orientation.hpp"

namespace daewave::models {
namespace {

SpatialPose pose_of(Graph& graph, const Variables& variables, int body) {
  const int first = of_spatial_body * body;
  const auto q = [&](int k) { return Term(graph, graph.variable(variables.q(first + k))); };
  const auto v = [&](int k) { return Term(graph, graph.variable(variables.v(first + k))); };
  SpatialPose pose;
  pose.position = {q(0), q(1), q(2)};
  pose.e = {q(3), q(4), q(5), q(6)};
  pose.velocity = {v(0), v(1), v(2)};
  pose.e_rate = {v(3), v(4), v(5), v(6)};
  pose.angular_velocity = Term(2) * vector_part(pose.e_rate * conjugate(pose.e));
  pose.spin = Term(2) * vector_part(conjugate(pose.e) * pose.e_rate);
  return pose;
}

}  // namespace

SpatialPoses::SpatialPoses(Graph& graph, const Variables& variables, int bodies) {
  SpatialPose of_ground;
  of_ground.e.w = 1;
  poses_.push_back(of_ground);
  for (int body = 0; body < bodies; ++body) poses_.push_back(pose_of(graph, variables, body));
}

Vector<Term> SpatialPoses::arm(const SpatialPoint& of) const {
  return (*this)[of.body].in_ground(vector_of<Term>(of.at));
}

Vector<Term> SpatialPoses::velocity(const SpatialPoint& of) const {
  const SpatialPose& at = (*this)[of.body];
  return at.velocity + cross(at.angular_velocity, arm(of));
}

Vector<Term> SpatialPoses::direction(int body, const Vector<double>& of) const {
  return (*this)[body].in_ground({of.x, of.y, of.z});
}

Quaternion<Term> turn_between(const SpatialPoses& poses, const SpatialElement& of) {
  const Quaternion<double> to_first = shortest_turn({0, 0, 1}, of.axis_of_first);
  const Quaternion<double> to_second =
      shortest_turn(of.axis_of_first, of.axis_of_second) * to_first;
  return quaternion_of<Term>(conjugate(to_first)) * conjugate(poses[of.first.body].e) *
         poses[of.second.body].e * quaternion_of<Term>(to_second);
}

}  // namespace daewave::models
