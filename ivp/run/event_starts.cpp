// Events whose function is zero at the begin of a step: it has the sign that it takes behind.

#include <algorithm>
#include <cmath>

#include "ivp/run/crossing.hpp"
#include "ivp/run/event_watch.hpp"

namespace daewave::ivp {

bool EventWatch::may_start(std::size_t event) const {
  const Event& one = events_[event];
  return rounding_ && passed_[event] == 0 && one.change && one.direction != Event::Direction::any;
}

/// An event whose function is zero at the start: where it first is more than rounding tells whether
/// that happens at once, or its function has gone to the side that it may come back from.
void EventWatch::leave_start(std::size_t event, double t0, double t1, const VecX& end,
                             const Interpolant& at) {
  const double rounding = rounding_at_start(event, t0);
  if (!(std::abs(before_[event]) <= rounding)) return;
  leave_zero(event, before_[event], rounding, t0, t1, end, at);
  const double left = before_[event];
  if (const int way = crossing(events_[event], -left, left)) {
    found_.push_back({static_cast<int>(event), t0, start_, way > 0});
  }
}

/// What is zero at the start but for rounding, where it has `begin`, has the sign that it takes
/// behind: where it is first seen away from `begin` and from zero, both on one side. What is seen
/// near the start is kept: the next zero may be there. Nowhere seen: before_ is 0.
void EventWatch::leave_zero(std::size_t event, double begin, double rounding, double t0, double t1,
                            const VecX& end, const Interpolant& at) {
  constexpr double beyond = 100;
  std::vector<Seen>& near = near_start_[event];
  VecX state = end;
  double largest = std::abs(after_[event]);
  for (double theta = nearest_to_start_; theta < 1; theta *= 2) {
    at(theta, state);
    near.push_back({theta, value_in(event, t0 + theta * (t1 - t0), state)});
    if (std::isfinite(near.back().value)) largest = std::max(largest, std::abs(near.back().value));
  }
  near.push_back({1, after_[event]});
  const double least = std::max(beyond * rounding, rounding_part_ * largest);
  const auto left = std::find_if(near.begin(), near.end(), [&](const Seen& one) {
    const double side = one.value < 0 ? -1 : 1;
    return side * one.value > least && side * (one.value - begin) > least;
  });
  before_[event] = left == near.end() ? 0 : left->value;
  from_[event] = left == near.end() ? 0 : left->theta;
  // Beyond the first of the places these are no nearer to each other than places are.
  near.erase(std::remove_if(near.begin(), near.end(),
                            [&](const Seen& one) {
                              return one.theta <= from_[event] || one.theta >= places_[0] ||
                                     !(std::abs(one.value) > least);
                            }),
             near.end());
}

/// What begins beyond zero but for what its location is off by, and is on its way back in all of
/// the step, is at zero there; all else has the sign that it takes behind the start.
void EventWatch::leave_passed(std::size_t event, double t0, double t1, const VecX& end,
                              const Interpolant& at) {
  Return back;
  if (passed_[event] * after_[event] > 0) back = return_of(event, t0, t1, end, after_[event], at);
  if (!back.seen && back.away == 1) {
    level_[event] = noise_[event];
    after_[event] -= level_[event];
    return;
  }
  leave_zero(event, noise_[event], rounding_at_start(event, t0), t0, t1, end, at);
  // What came back by little more than rounding came first.
  if (back.seen && (before_[event] == 0 || from_[event] > back.from)) {
    before_[event] = -passed_[event] * back.back;
    from_[event] = back.from;
  }
}

double EventWatch::rounding_at_start(std::size_t event, double t0) const {
  return rounding_ ? rounding_(static_cast<int>(event), t0, start_) : 0;
}

}  // namespace daewave::ivp
