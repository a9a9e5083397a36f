#pragma once
// A mechanism in space as a model file states it, before it becomes equations: bodies with
// coordinates (x, y, z) of the centre of mass in m and Euler parameters (e0, e1, e2, e3), joints,
// forces.

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "models/mechanism/mechanism_tables.hpp"
#include "models/spatial/quaternion.hpp"

namespace daewave::models {

/// Their mass matrices depend on their orientation, and that of all is dense.
inline constexpr int most_bodies_in_space = 100;

using Numbers3 = std::array<double, 3>;

struct SpatialBody {
  std::string name;
  Place place;
  double mass = 1;                             ///< kg.
  std::array<Numbers3, 3> inertia{};           ///< In its own frame, about the centre, kg m^2.
  Quaternion<double> orientation{1, 0, 0, 0};  ///< First guess, of unit length.
  bool is_oriented = false;                    ///< That is given, or follows from a joint.
  std::optional<Vector<double>> position;      ///< First guess; open: from the joints.
  std::optional<Vector<double>> velocity;      ///< So is this.
  /// In the frame of the ground, rad/s; open: as joints turn it, or none.
  std::optional<Vector<double>> angular_velocity;
};

/// A point of a body, in its own frame, or of the ground.
struct SpatialPoint {
  int body = ground;
  Numbers3 at{};
};

/// Whatever a table says of a joint or a force; which of it counts depends on its type.
struct SpatialElement {
  std::string type;
  std::string name;  ///< Of the file, or "revolute crank-rod".
  Place place;
  int index = 0;  ///< i of a repeated one; 0: it is not.
  SpatialPoint first, second;
  /// Of unit length, each in the frame of its body: axes of a joint, which are one line where it
  /// holds; of a rolling joint the normal of the plane and the axis of the disk.
  Vector<double> axis_of_first{0, 0, 1}, axis_of_second{0, 0, 1};
  bool is_ball = false;                 ///< What rolls.
  Quaternion<double> turn{1, 0, 0, 0};  ///< From the second frame to the first where it is fixed.
  double angle = 0;                     ///< rad.
  double length = 0, radius = 0;        ///< m.
  double stiffness = 0, damping = 0;
  std::vector<Written> expressions;  ///< g, w, driven, force or torque.
  bool in_body_frame = false;
};

struct SpatialMechanism {
  Vector<double> gravity{};  ///< m / s^2.
  std::vector<SpatialBody> bodies;
  std::vector<SpatialElement> joints, forces;
};

/// Takes gravity, body, joint and force from the tables of a file. @throws ModelError
SpatialMechanism read_spatial(TableReader& file, Parameters& parameters);

}  // namespace daewave::models
