#include "models/planar/planar_guess.hpp"

#include <cmath>
#include <set>
#include <vector>

namespace daewave::models {
namespace {

bool has_common_point(const PlanarElement& joint) {
  return joint.type == "revolute" || joint.type == "fixed" || joint.type == "prismatic" ||
         joint.type == "point_on_line";
}

/// What says the angle between its bodies.
bool has_angle(const PlanarElement& joint) {
  return (joint.type == "fixed" || joint.type == "prismatic") && joint.angle;
}

class Guess {
 public:
  explicit Guess(const PlanarMechanism& mechanism) : of_(mechanism), q_(3 * count()) {
    for (int b = 0; b < count(); ++b) {
      const PlanarBody& body = of_.bodies[static_cast<std::size_t>(b)];
      known_.push_back(body.position.has_value());
      q_.segment<3>(3 * b) << body.position.value_or(std::array<double, 2>{})[0],
          body.position.value_or(std::array<double, 2>{})[1], body.angle.value_or(0);
      turned_.push_back(body.angle.has_value());
    }
    for (const PlanarElement& joint : of_.joints) {
      if (has_angle(joint)) with_angle_.push_back(&joint);
    }
    turn_all();
    // Along the joints, as far as each round gets; joints are mostly written in that order.
    while (place_some()) {
    }
  }

  VecX state() const {
    VecX z(6 * count());
    z.head(3 * count()) = q_;
    for (int b = 0; b < count(); ++b) {
      const auto& v = of_.bodies[static_cast<std::size_t>(b)].velocity;
      z.segment<3>(3 * (count() + b)) << v[0], v[1], v[2];
    }
    return z;
  }

 private:
  int count() const { return static_cast<int>(of_.bodies.size()); }
  bool known(int body) const { return body == ground || known_[static_cast<std::size_t>(body)]; }

  bool is_turned(int body) const {
    return body == ground || turned_[static_cast<std::size_t>(body)];
  }
  double angle(int body) const { return body == ground ? 0 : q_[3 * body + 2]; }

  /// Angles that are not given, along the joints that say them. Where they say none of all that are
  /// joined so, the first body of the file stays as it is.
  void turn_all() {
    turn_along_joints();
    std::set<int> joined;
    for (const PlanarElement* joint : with_angle_) {
      joined.insert({joint->first.body, joint->second.body});
    }
    for (const int body : joined) {
      if (is_turned(body)) continue;
      turned_[static_cast<std::size_t>(body)] = true;
      turn_along_joints();
    }
  }
  void turn_along_joints() {
    while (turn_some()) {
    }
  }
  bool turn_some() {
    bool any = false;
    for (const PlanarElement* joint : with_angle_) {
      const int first = joint->first.body, second = joint->second.body;
      if (is_turned(first) == is_turned(second)) continue;
      const int to = is_turned(first) ? second : first;
      q_[3 * to + 2] = to == second ? angle(first) + *joint->angle : angle(second) - *joint->angle;
      turned_[static_cast<std::size_t>(to)] = true;
      any = true;
    }
    return any;
  }

  /// A point of a body seen from its centre, turned.
  Vec<2> arm(const BodyPoint& of) const {
    const double phi = angle(of.body);
    const double c = std::cos(phi), s = std::sin(phi);
    return {c * of.at[0] - s * of.at[1], s * of.at[0] + c * of.at[1]};
  }
  Vec<2> centre(int body) const {
    return body == ground ? Vec<2>(0, 0) : Vec<2>(q_.segment<2>(3 * body));
  }

  bool place_some() {
    bool any = false;
    for (const PlanarElement& joint : of_.joints) {
      if (!has_common_point(joint) || known(joint.first.body) == known(joint.second.body)) continue;
      const bool second_is_known = known(joint.second.body);
      const BodyPoint& from = second_is_known ? joint.second : joint.first;
      const BodyPoint& to = second_is_known ? joint.first : joint.second;
      q_.segment<2>(3 * to.body) = centre(from.body) + arm(from) - arm(to);
      known_[static_cast<std::size_t>(to.body)] = true;
      any = true;
    }
    return any;
  }

  const PlanarMechanism& of_;
  VecX q_;
  std::vector<bool> known_, turned_;
  std::vector<const PlanarElement*> with_angle_;
};

}  // namespace

VecX planar_guess(const PlanarMechanism& mechanism) { return Guess(mechanism).state(); }

}  // namespace daewave::models
