#pragma once
// Events: zeros of a scalar function along the solution, located on dense output. They are seen by
// different signs at the ends of a step: largest_step bounds what may be missed between.

#include <functional>
#include <string>

#include "core/types.hpp"

namespace daewave::ivp {

struct Event {
  enum class Direction { any, rising, falling };
  enum class Then { go_on, stop };

  std::string name{};
  std::function<double(double t, const VecX& state)> function{};  ///< state: x, or (q, v).
  Direction direction = Direction::any;
  Then then = Then::go_on;
};

/// A zero that was found.
struct Occurrence {
  int event = 0;  ///< Index into Options::events.
  double t = 0;   ///< To rounding of the dense output.
  VecX state;
  bool rising = false;  ///< As the run passes it, backward too.
};

}  // namespace daewave::ivp
