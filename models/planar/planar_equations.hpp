#pragma once
// The equations of a mechanism in the plane, in absolute coordinates:
//
//   q = (x, y, phi of each body),  M = diag(m, m, J, ...),  0 = g(q, t) of joints,  0 = w(q, v, t).
//
// Rows of joints between a point p_a of body a and p_b of body b, with the axis u of a's frame and
// its normal n, d = p_b - p_a:
//
//   revolute       d                        distance   (|d|^2 - L^2) / (2 L)
//   point_on_line  n . d                    angle      phi_b - phi_a - value
//   prismatic      phi_b - phi_a - angle, n . d
//   fixed          d, phi_b - phi_a - angle
//   rolling        n . d - R,  u . d + R (phi_b - phi_a) - its value at the start
//   driven         phi_b - phi_a - value of a revolute joint, u . d - value of a prismatic one

#include "models/mechanism/mechanism_equations.hpp"
#include "models/planar/mechanism.hpp"

namespace daewave::models {

/// @param t_begin  where rolling joints are at their start. @throws ModelError
MechanismEquations planar_equations(const PlanarMechanism& mechanism, const TextSource& source,
                                    const Parameters& parameters, double t_begin);

}  // namespace daewave::models
