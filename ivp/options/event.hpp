#pragma once
// Events: zeros of a scalar function along the solution, located on dense output. They are seen by
// different signs at the ends of a step, and where the function seems to turn near zero within it;
// largest_step bounds what may be missed between. Windows, which are long, are looked into at seven
// places and where the function turns near zero. An event
// may change the state; there is no limit to their number, but events that accumulate in a point
// (a ball that comes to rest) end the run there, and it says so.

#include <functional>
#include <string>

#include "core/types.hpp"

namespace daewave::ivp {

struct Event {
  enum class Direction { any, rising, falling };
  /// fail: the run ends, as with stop, and has failed, as where equations do not hold beyond.
  enum class Then { go_on, stop, fail };

  std::string name{};
  std::function<double(double t, const VecX& state)> function{};  ///< state: x, or (q, v).
  Direction direction = Direction::any;
  Then then = Then::go_on;
  /// The state after the event, from that before it: an impact, a clutch. It is made consistent
  /// with the constraints, positions first, velocities in the metric M as by impulses of the
  /// multipliers, and the formula starts anew. Also where the state stays and what f reads changes
  /// (a mode: stick or slip); f is not called meanwhile. Empty: nothing changes. Only with
  /// Then::go_on. Events of the same time are taken in their order in Options::events. With a
  /// direction it also happens where the run starts, or behind the change of another event, with
  /// the function at zero, if that goes the way of the direction at once.
  std::function<VecX(double t, const VecX& state)> change{};
  std::string advice{};  ///< With Then::fail: ways out, as reports give them.

  bool ends_run() const { return then != Then::go_on; }
};

/// A zero that was found.
struct Occurrence {
  int event = 0;  ///< Index into Options::events.
  double t = 0;   ///< To rounding of what the step has inside.
  VecX state;
  bool rising = false;  ///< As the run passes it, backward too.
  VecX after{};         ///< The state after Event::change, consistent; empty where nothing changed.
};

}  // namespace daewave::ivp
