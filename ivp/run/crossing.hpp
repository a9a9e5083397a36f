#pragma once
// How an event's function passes through zero.

#include "ivp/options/event.hpp"

namespace daewave::ivp {

/// 1 where it rises through zero from the one value to the other, -1 where it falls, 0 where it
/// does neither, or not in the direction that the event looks in. A zero belongs to what leads to
/// it.
inline int crossing(const Event& event, double from, double to) {
  using Direction = Event::Direction;
  if (from < 0 && to >= 0) return event.direction != Direction::falling ? 1 : 0;
  if (from > 0 && to <= 0) return event.direction != Direction::rising ? -1 : 0;
  return 0;
}

}  // namespace daewave::ivp
