#pragma once
// An incompressible flow in a rectangle, its velocity given on all of the boundary:
//
//   u_t + (u . grad) u = nu lap u - grad p,    div u = 0.              [AL2] Example 2.1

#include <functional>
#include <string>

namespace daewave::flow {

/// A velocity or pressure at (x, y, t).
using FieldFunction = std::function<double(double x, double y, double t)>;

struct FlowCase {
  std::string name;
  double width = 1, height = 1;
  double viscosity = 0.01;  ///< nu; 1 / Re in units of the rectangle and of `speed`.
  double speed = 1;         ///< Largest velocity, for the choice of steps.
  double t_end = 1;
  bool steady = false;  ///< Asked for is what the flow becomes, not how it comes there.
  FieldFunction u, v;   ///< On the boundary; where exact is true, everywhere.
  FieldFunction p;      ///< Where exact, up to a constant.
  bool exact = false;
};

/// A square whose upper wall moves with velocity 1; at rest at the begin.
/// @param re  Reynolds number, > 0. @throws InvalidOption
FlowCase lid_driven_cavity(double re);

/// Vortices that decay, [0, 1]^2, the exact velocity on the boundary:
///   u = -cos(pi x) sin(pi y) d,  v = sin(pi x) cos(pi y) d,
///   p = -(cos(2 pi x) + cos(2 pi y)) d^2 / 4,   d = exp(-2 pi^2 nu t).   Taylor and Green 1937
/// @param re  1 / nu, > 0. @throws InvalidOption
FlowCase taylor_green(double re);

}  // namespace daewave::flow
