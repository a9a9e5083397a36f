#pragma once
// Events along a solution, as whoever solves is told of them.

#include <functional>
#include <string>
#include <vector>

#include "core/types.hpp"

namespace daewave::models {

/// A zero of a function of t and the state, x or (q, v), and what comes of it.
struct StateEvent {
  enum class Direction { any, rising, falling };

  std::string name{};
  std::function<double(double t, const VecX& state)> function{};
  Direction direction = Direction::any;
  bool terminal = false;  ///< The run ends there.
  /// The state after it, from that before it, to be brought back to the constraints; empty: the
  /// state stays.
  std::function<VecX(double t, const VecX& state)> change{};
  bool of_equations = false;  ///< Not of the file: its equations do not hold beyond.
  std::string advice{};       ///< What helps there.
};

/// The same in the words of a solver that this library does not know: events_as<ivp::Event>(...).
template <class Event>
std::vector<Event> events_as(const std::vector<StateEvent>& events) {
  std::vector<Event> all;
  for (const StateEvent& one : events) {
    Event& event = all.emplace_back();
    event.name = one.name;
    event.function = one.function;
    event.change = one.change;
    event.then = one.of_equations ? Event::Then::fail
                 : one.terminal   ? Event::Then::stop
                                  : Event::Then::go_on;
    event.advice = one.advice;
    event.direction = one.direction == StateEvent::Direction::rising    ? Event::Direction::rising
                      : one.direction == StateEvent::Direction::falling ? Event::Direction::falling
                                                                        : Event::Direction::any;
  }
  return all;
}

}  // namespace daewave::models
