#include "models/planar/planar_guess.hpp"

#include <cmath>
#include <set>
#include <vector>

namespace daewave::models {
namespace {

bool holds_points_together(const PlanarElement& joint) {
  return joint.type == "revolute" || joint.type == "fixed";
}

/// Where its bodies may be put so that the points are one.
bool has_common_point(const PlanarElement& joint) {
  return holds_points_together(joint) || joint.type == "prismatic" || joint.type == "point_on_line";
}

/// Its bodies turn alike.
bool holds_angle(const PlanarElement& joint) {
  return joint.type == "fixed" || joint.type == "prismatic";
}

/// What says the angle between its bodies.
bool has_angle(const PlanarElement& joint) { return holds_angle(joint) && joint.angle; }

/// Of positions, or of velocities: what is not given follows along the joints.
class Guess {
 public:
  explicit Guess(const PlanarMechanism& mechanism) : of_(mechanism) {
    const auto point = [](const std::optional<std::array<double, 2>>& of) {
      return of ? std::optional<Vec<2>>({(*of)[0], (*of)[1]}) : std::nullopt;
    };
    for (const PlanarBody& body : of_.bodies) {
      position_.push_back(point(body.position));
      velocity_.push_back(point(body.velocity));
      angle_.push_back(body.angle);
      rate_.push_back(body.angular_velocity);
    }
    turn_all();
    follow(position_, joints_that(has_common_point),
           [this](const BodyPoint& of) { return arm(of); });
    const Joints turning_alike = joints_that(holds_angle);
    while (turn_some(rate_, turning_alike, [](const PlanarElement&) { return 0.0; })) {
    }
    // What may slide is as good as at rest only where nothing else says how a body moves.
    const auto velocity = [this](const BodyPoint& of) -> Vec<2> {
      const Vec<2> from_centre = arm(of);
      return value(rate_, of.body) * Vec<2>(-from_centre[1], from_centre[0]);
    };
    follow(velocity_, joints_that(holds_points_together), velocity);
    follow(velocity_, joints_that(has_common_point), velocity);
  }

  VecX state() const {
    const auto count = static_cast<int>(of_.bodies.size());
    VecX z(6 * count);
    for (int b = 0; b < count; ++b) {
      z.segment<3>(3 * b) << centre(position_, b), value(angle_, b);
      z.segment<3>(3 * (count + b)) << centre(velocity_, b), value(rate_, b);
    }
    return z;
  }

 private:
  using Points = std::vector<std::optional<Vec<2>>>;
  using Numbers = std::vector<std::optional<double>>;
  using Joints = std::vector<const PlanarElement*>;

  template <class Is>
  Joints joints_that(Is is) const {
    Joints found;
    for (const PlanarElement& joint : of_.joints) {
      if (is(joint)) found.push_back(&joint);
    }
    return found;
  }

  template <class Found>
  static bool knows(const Found& found, int body) {
    return body == ground || found[static_cast<std::size_t>(body)].has_value();
  }
  static double value(const Numbers& of, int body) {
    return body == ground ? 0 : of[static_cast<std::size_t>(body)].value_or(0);
  }
  static Vec<2> centre(const Points& of, int body) {
    const Vec<2> none(0, 0);
    return body == ground ? none : of[static_cast<std::size_t>(body)].value_or(none);
  }

  /// Angles that are not given, along the joints that say them. Where they say none of all that are
  /// joined so, the first body of the file stays as it is.
  void turn_all() {
    const Joints joints = joints_that(has_angle);
    const auto turn_along = [&] {
      while (turn_some(angle_, joints, [](const PlanarElement& joint) { return *joint.angle; })) {
      }
    };
    turn_along();
    std::set<int> joined;
    for (const PlanarElement* joint : joints) {
      joined.insert({joint->first.body, joint->second.body});
    }
    for (const int body : joined) {
      if (knows(angle_, body)) continue;
      angle_[static_cast<std::size_t>(body)] = 0;
      turn_along();
    }
  }
  /// @param between  what the second of two bodies has more than the first.
  template <class F>
  static bool turn_some(Numbers& found, const Joints& joints, F between) {
    bool any = false;
    for (const PlanarElement* joint : joints) {
      const int first = joint->first.body, second = joint->second.body;
      if (knows(found, first) == knows(found, second)) continue;
      const bool to_second = knows(found, first);
      found[static_cast<std::size_t>(to_second ? second : first)] =
          to_second ? value(found, first) + between(*joint)
                    : value(found, second) - between(*joint);
      any = true;
    }
    return any;
  }

  /// A point of a body seen from its centre, turned.
  Vec<2> arm(const BodyPoint& of) const {
    const double phi = value(angle_, of.body);
    const double c = std::cos(phi), s = std::sin(phi);
    return {c * of.at[0] - s * of.at[1], s * of.at[0] + c * of.at[1]};
  }

  /// Along the joints, as far as each round gets; joints are mostly written in that order.
  template <class F>
  static void follow(Points& found, const Joints& joints, F from_centre) {
    for (bool any = true; any;) {
      any = false;
      for (const PlanarElement* joint : joints) {
        if (knows(found, joint->first.body) == knows(found, joint->second.body)) continue;
        const bool second_is_known = knows(found, joint->second.body);
        const BodyPoint& from = second_is_known ? joint->second : joint->first;
        const BodyPoint& to = second_is_known ? joint->first : joint->second;
        found[static_cast<std::size_t>(to.body)] =
            centre(found, from.body) + from_centre(from) - from_centre(to);
        any = true;
      }
    }
  }

  const PlanarMechanism& of_;
  Points position_, velocity_;
  Numbers angle_, rate_;
};

}  // namespace

VecX planar_guess(const PlanarMechanism& mechanism) { return Guess(mechanism).state(); }

StatedVelocities planar_velocities(const PlanarMechanism& mechanism) {
  StatedVelocities all;
  int first = 0;
  for (const PlanarBody& body : mechanism.bodies) {
    if (body.velocity) {
      all.emplace_back(first, (*body.velocity)[0]);
      all.emplace_back(first + 1, (*body.velocity)[1]);
    }
    if (body.angular_velocity) all.emplace_back(first + 2, *body.angular_velocity);
    first += 3;
  }
  return all;
}

}  // namespace daewave::models
