#pragma once
// A mechanism in the plane as a model file states it, before it becomes equations: bodies with
// coordinates (x, y, phi) of the centre of mass in m and rad, joints, forces.

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "models/mechanism/mechanism_tables.hpp"

namespace daewave::models {

struct PlanarBody {
  std::string name;
  Place place;
  double mass = 1;                                ///< kg.
  double inertia = 1;                             ///< About the centre of mass, kg m^2.
  std::optional<std::array<double, 2>> position;  ///< First guess; open: from the joints.
  std::optional<double> angle;                    ///< First guess; open: from the joints, or 0.
  std::optional<std::array<double, 2>> velocity;  ///< First guess; open: from the joints.
  std::optional<double> angular_velocity;         ///< So is this; open: as joints turn it, or 0.
};

/// A point of a body, in its own frame, or of the ground.
struct BodyPoint {
  int body = ground;
  std::array<double, 2> at{};
};

/// Whatever a table says of a joint or a force; which of it counts depends on its type.
struct PlanarElement {
  std::string type;
  std::string name;  ///< Of the file, or "revolute crank-rod".
  Place place;
  int index = 0;  ///< i of a repeated one; 0: it is not.
  BodyPoint first, second;
  std::array<double, 2> axis{1, 0};  ///< Of unit length, in the frame of the first body.
  std::optional<double> angle;       ///< rad.
  double length = 0, radius = 0;     ///< m.
  double stiffness = 0, damping = 0;
  std::vector<Written> expressions;  ///< g, w, driven, force or torque.
  bool in_body_frame = false;
};

struct PlanarMechanism {
  std::array<double, 2> gravity{};  ///< m / s^2.
  std::vector<PlanarBody> bodies;
  std::vector<PlanarElement> joints, forces;
};

/// Takes gravity, body, joint and force from the tables of a file. @throws ModelError
PlanarMechanism read_planar(TableReader& file, Parameters& parameters);

}  // namespace daewave::models
