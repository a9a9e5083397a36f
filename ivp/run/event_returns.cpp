// Events that were passed at the start of a run or piece, and whose change threw the state back: it
// may come back and go through once more within the first step.

#include <algorithm>
#include <cmath>

#include "ivp/run/event_watch.hpp"

namespace daewave::ivp {

/// Of an event that was passed at the start and is beyond zero at the end of the first step. Where
/// the change of the state threw it back, it came back and went through once more in that step;
/// where not, it goes on from there. Rounding about zero is no return.
EventWatch::Return EventWatch::return_of(std::size_t event, double t0, double t1, const VecX& end,
                                         double after, const Interpolant& at) const {
  const double noise = noise_[event];
  const double rounding = rounding_at_start(event, t0);
  VecX state = end;
  Return found;
  double largest = std::abs(after);
  bool left = false;
  for (double theta = nearest_to_start_; theta <= 1; theta *= 2) {
    if (theta < 1) at(theta, state);
    const double inside =
        theta < 1 ? events_[event].function(t0 + theta * (t1 - t0), state) : after;
    largest = std::max(largest, std::abs(inside));
    if (-passed_[event] * inside > found.back) {
      found.back = -passed_[event] * inside;
      found.from = theta;
    }
    if (!left && !(std::abs(inside - noise) > rounding)) continue;
    const bool is_away = -passed_[event] * (inside - noise) > 0;
    if (is_away && (!left || found.away > 0)) found.away = theta;
    left = true;
  }
  found.seen = found.back > std::max(100 * std::abs(noise), 1e-8 * largest);
  return found;
}

double EventWatch::part_of_first(double t0, double t1, const VecX& end, const Interpolant& at) {
  // A part of the way up, which is half of that to the place where it was last seen, or all of it.
  constexpr double of_way = 1.0 / 8;
  double part = 1;
  for (std::size_t i = 0; i < events_.size() && steps_ == 0; ++i) {
    if (passed_[i] == 0) continue;
    const double after = events_[i].function(t1, end);
    if (!(passed_[i] * after > 0)) continue;
    const Return back = return_of(i, t0, t1, end, after, at);
    if (back.seen || back.away == 0 || back.away == 1) continue;
    if (of_way * back.away < part) returning_ = i;
    part = std::min(part, of_way * back.away);
  }
  return part;
}

/// Once it is on this side, zero is zero.
void EventWatch::level_out(std::size_t event) {
  const double after = after_[event] + level_[event];
  if (level_[event] == 0 || !(passed_[event] * after < 0)) return;
  after_[event] = after;
  level_[event] = 0;
}

}  // namespace daewave::ivp
