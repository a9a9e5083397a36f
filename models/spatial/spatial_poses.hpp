#pragma once
// Bodies in space, and the ground, in expressions of the state.

#include <vector>

#include "models/expression/term.hpp"
#include "models/problem/variables.hpp"
#include "models/spatial/mechanism.hpp"

namespace daewave::models {

/// Coordinates of a body.
inline constexpr int of_spatial_body = 7;

struct SpatialPose {
  Vector<Term> position;
  Quaternion<Term> e;
  Vector<Term> velocity;
  Quaternion<Term> e_rate;
  Vector<Term> angular_velocity;  ///< In the frame of the ground, 2 e' e*.
  Vector<Term> spin;              ///< The same in that of the body, 2 e* e'.

  /// A vector of the body's frame, in that of the ground.
  Vector<Term> in_ground(const Vector<Term>& of) const { return turned(e, of); }
};

class SpatialPoses {
 public:
  SpatialPoses(Graph& graph, const Variables& variables, int bodies);

  const SpatialPose& operator[](int body) const {
    return poses_[static_cast<std::size_t>(body + 1)];
  }

  /// From the centre of its body.
  Vector<Term> arm(const SpatialPoint& of) const;
  Vector<Term> point(const SpatialPoint& of) const { return (*this)[of.body].position + arm(of); }
  Vector<Term> velocity(const SpatialPoint& of) const;
  /// A direction of a body.
  Vector<Term> direction(int body, const Vector<double>& of) const;

 private:
  std::vector<SpatialPose> poses_;  ///< The ground first.
};

/// The turn about an axis that is fixed in both bodies, as half of the angle between them:
/// p = (cos(angle / 2), 0, 0, sin(angle / 2)) where the axes are one. The angle is 0 where the
/// frames are parallel and, with an axis that is not the same in both, where the second is turned
/// from there by the shortest way that lets the axes agree.
Quaternion<Term> turn_between(const SpatialPoses& poses, const SpatialElement& of);

}  // namespace daewave::models
