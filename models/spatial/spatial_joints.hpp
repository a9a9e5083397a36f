#pragma once
// Rows of constraints of joints in space; which they are is in spatial_equations.hpp.

#include "models/mechanism/written_rows.hpp"
#include "models/spatial/spatial_poses.hpp"

namespace daewave::models {

class SpatialJoints {
 public:
  SpatialJoints(MechanismEquations& out, const SpatialPoses& poses, WrittenRows& written)
      : out_(out), poses_(poses), written_(written) {}

  /// |e| = 1 of a body.
  void add_norm(int body, const SpatialBody& of);
  /// @param values  what the expressions of the joint mean.
  void add(const SpatialElement& joint, const std::vector<Ref>& values);
  /// That a rolling joint does not slide; behind all rows of positions.
  void add_rolling_velocities(const SpatialElement& joint);

 private:
  void add_row(const Term& row);
  void add_rows(const Vector<Term>& rows);
  void add_point_rows(const SpatialElement& joint);
  void add_turn_rows(const SpatialElement& joint);
  void add_axis_rows(const SpatialElement& joint);
  void add_line_rows(const SpatialElement& joint);
  void add_distance_row(const SpatialElement& joint);
  void add_rolling_row(const SpatialElement& joint);
  void add_driven_row(const SpatialElement& joint, Ref value);
  Vector<Term> between(const SpatialElement& joint) const;
  /// From the centre of what rolls to where it touches the plane.
  Vector<Term> to_contact(const SpatialElement& joint) const;

  MechanismEquations& out_;
  const SpatialPoses& poses_;
  WrittenRows& written_;
};

}  // namespace daewave::models
