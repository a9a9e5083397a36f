#include "ivp/run/accumulation.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace daewave::ivp {

std::string Accumulation::at_once(int event) {
  if (++at_once_[event] <= most_at_once) return {};
  return fmt::format("events accumulate: it has happened {} times at that time", most_at_once + 1);
}

std::string Accumulation::at(double t, int event) {
  if (t == last_) return at_once(event);
  at_once_ = {{event, 1}};
  const double between = std::abs(t - last_), sign = t < last_ ? -1 : 1;
  double before = before_;
  last_ = t;
  before_ = between;
  longest_ = std::max(longest_, between);
  // Twice the same may be the last two bounces that can be seen, of a ball that was dropped.
  if (++count_ == 2 && event != event_) {
    shrinking_ = halving_ = -1;
    before = INFINITY;
  }
  event_ = event;
  shrinking_ = between < before ? shrinking_ + 1 : 0;
  halving_ = between <= 0.5 * before ? halving_ + 1 : 0;
  const double ratio = between / before,
               least = std::max(short_part * longest_, short_of_step * h_);
  short_ = between <= least ? short_ + 1 : 0;
  // The next would be as short: it might not be seen.
  const bool next_brief = between * std::min(ratio, 1.0) <= least;
  const bool shrinks =
      (shrinking_ >= most_shrinking && ratio < hardly_shrinks) || halving_ >= most_halving;
  const bool is_endless = short_ >= most_short && !(std::abs(end_ - t) <= most_to_come * between);
  if (!(next_brief && shrinks) && !is_endless) return {};
  const std::string where = ratio < 1 ? fmt::format(", which end at t = {:.10g} if they go on so",
                                                    t + sign * between * ratio / (1 - ratio))
                                      : std::string();
  return fmt::format("events accumulate: the last two are {:.3g} apart, {:.3g} the two before{}",
                     between, before, where);
}

}  // namespace daewave::ivp
