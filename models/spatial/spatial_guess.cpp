#include "models/spatial/spatial_guess.hpp"

namespace daewave::models {
namespace {

bool holds_points_together(const SpatialElement& joint) {
  for (const char* const type :
       {"spherical", "revolute", "universal", "cylindrical", "prismatic", "fixed"}) {
    if (joint.type == type) return true;
  }
  return false;
}

/// Its bodies turn alike.
bool holds_orientation(const SpatialElement& joint) {
  return joint.type == "prismatic" || joint.type == "fixed";
}

/// e' of an orientation e that turns so, in the frame of the ground.
Quaternion<double> rate_of(const Quaternion<double>& e, const Vector<double>& w) {
  return Quaternion<double>{0, w.x / 2, w.y / 2, w.z / 2} * e;
}

/// Of positions, or of velocities: what is not given follows along the joints.
class SpatialGuess {
 public:
  explicit SpatialGuess(const SpatialMechanism& mechanism) : of_(mechanism) {
    for (const SpatialBody& body : of_.bodies) {
      position_.push_back(body.position);
      velocity_.push_back(body.velocity);
      angular_velocity_.push_back(body.angular_velocity);
    }
    follow(position_, holds_points_together, [this](const SpatialPoint& of) { return arm(of); });
    follow(angular_velocity_, holds_orientation,
           [](const SpatialPoint&) { return Vector<double>{}; });
    follow(velocity_, holds_points_together, [this](const SpatialPoint& of) {
      return of.body == ground ? Vector<double>{} : cross(found(angular_velocity_, of), arm(of));
    });
  }

  VecX state() const {
    const auto count = static_cast<int>(of_.bodies.size());
    VecX z(14 * count);
    for (int b = 0; b < count; ++b) {
      const auto at = static_cast<std::size_t>(b);
      const SpatialBody& of = of_.bodies[at];
      const Vector<double> x = position_[at].value_or(Vector<double>{});
      const Vector<double> v = velocity_[at].value_or(Vector<double>{});
      const Quaternion<double>& e = of.orientation;
      const Vector<double> w = angular_velocity_[at].value_or(Vector<double>{});
      const Quaternion<double> rate = rate_of(e, w);
      z.segment<7>(7 * b) << x.x, x.y, x.z, e.w, e.x, e.y, e.z;
      z.segment<7>(7 * (count + b)) << v.x, v.y, v.z, rate.w, rate.x, rate.y, rate.z;
    }
    return z;
  }

 private:
  using Found = std::vector<std::optional<Vector<double>>>;

  const SpatialBody& body(const SpatialPoint& of) const {
    return of_.bodies[static_cast<std::size_t>(of.body)];
  }
  static Vector<double> found(const Found& of, const SpatialPoint& point) {
    return of[static_cast<std::size_t>(point.body)].value_or(Vector<double>{});
  }
  /// A point of a body seen from its centre, turned.
  Vector<double> arm(const SpatialPoint& of) const {
    const Vector<double> at = vector_of<double>(of.at);
    return of.body == ground ? at : turned(body(of).orientation, at);
  }

  /// Along the joints, as far as each round gets; joints are mostly written in that order.
  template <class Holds, class F>
  void follow(Found& found, Holds holds, F from_centre) const {
    const auto known = [&](const SpatialPoint& of) {
      return of.body == ground || found[static_cast<std::size_t>(of.body)].has_value();
    };
    for (bool any = true; any;) {
      any = false;
      for (const SpatialElement& joint : of_.joints) {
        if (!holds(joint) || known(joint.first) == known(joint.second)) continue;
        const bool second_is_known = known(joint.second);
        const SpatialPoint& from = second_is_known ? joint.second : joint.first;
        const SpatialPoint& to = second_is_known ? joint.first : joint.second;
        const Vector<double> centre =
            from.body == ground ? Vector<double>{} : *found[static_cast<std::size_t>(from.body)];
        found[static_cast<std::size_t>(to.body)] = centre + from_centre(from) - from_centre(to);
        any = true;
      }
    }
  }

  const SpatialMechanism& of_;
  Found position_, velocity_, angular_velocity_;
};

}  // namespace

VecX spatial_guess(const SpatialMechanism& mechanism) { return SpatialGuess(mechanism).state(); }

StatedVelocities spatial_velocities(const SpatialMechanism& mechanism, const VecX& state) {
  StatedVelocities all;
  const auto say = [&](int first, const auto&... values) {
    (all.emplace_back(first++, values), ...);
  };
  int first = 0;
  for (const SpatialBody& body : mechanism.bodies) {
    if (body.velocity) say(first, body.velocity->x, body.velocity->y, body.velocity->z);
    if (body.angular_velocity) {
      const double* const e = state.data() + first + 3;
      const Quaternion<double> rate = rate_of({e[0], e[1], e[2], e[3]}, *body.angular_velocity);
      say(first + 3, rate.w, rate.x, rate.y, rate.z);
    }
    first += 7;
  }
  return all;
}

}  // namespace daewave::models
