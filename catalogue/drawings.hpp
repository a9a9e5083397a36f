#pragma once
// What problems of the catalogue look like: mechanisms in the plane, whose coordinates need not be
// those of their bodies.

#include <functional>
#include <string>

#include "core/report/drawing.hpp"
#include "core/types.hpp"

namespace daewave::catalogue {

struct DrawnMotion {
  Drawing drawing;  ///< Without parts: none. Entries of its frames are those of poses().
  /// x, y, phi of each frame at a state.
  std::function<VecX(const VecX& state)> poses{};
};

/// @param name  of an initial value problem. @param state  one of its states, which tells its size.
DrawnMotion drawn_motion(const std::string& name, const VecX& state);

}  // namespace daewave::catalogue
