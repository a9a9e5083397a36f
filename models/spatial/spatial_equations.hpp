#pragma once
// The equations of a mechanism in space, in absolute coordinates:
//
//   q = (x, y, z, e0, e1, e2, e3 of each body),  |e| = 1,  M = diag(m, m, m, M_e, ...),
//   M_e = 4 L^T diag(J0, J) L,   L x = e* x,   J0 = tr J / 3,   T = 2 J0 (e . e')^2 + w^T J w / 2,
//
// w = 2 e* e' the angular velocity in the body's frame, so that M_e has full rank and e . e' = 0,
// the norm constraint on velocities, takes J0 out of accelerations. Lagrange's equations with it:
//
//   M_e e'' = -4 e' (0, J w) - 4 J0 |e'|^2 e + 2 (0, torque) e - G^T lambda.
//
// A ball, J = J0 I, has T = 2 J0 |e'|^2 where |e| = 1, and M_e = 4 J0 I.
//
// Rows of joints between a point p_a of body a and p_b of body b, with d = p_b - p_a, an axis u of
// a's frame, n1 and n2 normal to it, and p the turn about it (spatial_poses.hpp):
//
//   spherical       d                      distance        (|d|^2 - L^2) / (2 L)
//   revolute        d, 2 p_x, 2 p_y        point_on_line   n1 . d, n2 . d
//   cylindrical     n1 . d, n2 . d,        point_on_plane  u . d
//                   2 p_x, 2 p_y           universal       d, u_a . u_b
//   fixed           d, 2 (e_a* e_b turn*)  prismatic       n1 . d, n2 . d, 2 (e_a* e_b turn*)
//   rolling         u . d - R s of a plane with the normal u and a disk with the axis a,
//                   c = u . a, s = sqrt(1 - c^2) (c = 0, s = 1 of a ball); on velocities, that the
//                   disk does not slide at p_b - R (u - c a) / s
//   driven          2 sin((angle - value) / 2) of a revolute joint, u . d - value of a prismatic
//   one

#include "models/mechanism/mechanism_equations.hpp"
#include "models/spatial/mechanism.hpp"

namespace daewave::models {

/// @param t_begin  the start. @throws ModelError
MechanismEquations spatial_equations(const SpatialMechanism& mechanism, const TextSource& source,
                                     const Parameters& parameters, double t_begin);

}  // namespace daewave::models
