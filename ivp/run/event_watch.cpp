#include "ivp/run/event_watch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "ivp/run/bracketed_root.hpp"
#include "ivp/run/crossing.hpp"

namespace daewave::ivp {
namespace {

/// Steps of which the inside is looked at.
constexpr long looked_at_first = 16, looked_at_each = 16;
/// More changes of sign than that at so few places are too many to be all.
constexpr int most_changes = 3;
/// Where a parabola through three values has its vertex so near to zero, as part of the least of
/// them, that is looked at; so often anew around it.
constexpr double near_zero = 0.5;
constexpr int most_vertices = 4;
/// Where slopes at the ends of a step are taken from, as part of it.
constexpr double beside_end = 0.01;

/// Times in a step are the same where they differ by no more.
double time_rounding(double t0, double t1) {
  return 16 * std::numeric_limits<double>::epsilon() * std::max(std::abs(t0), std::abs(t1));
}

/// Where in (0, 1) the cubic through the values of a step at 0, beside_end, 1 - beside_end, 1 turns
/// toward zero and comes near to it, or is beyond it.
class Turns {
 public:
  Turns(double begin, double after_begin, double before_end, double end) {
    const double d = beside_end, first = (after_begin - begin) / d,
                 middle = (before_end - after_begin) / (1 - 2 * d), last = (end - before_end) / d;
    const double left = (middle - first) / (1 - d), right = (last - middle) / (1 - d);
    const double cubic = right - left;
    // p' = a + 2 b theta + 3 cubic theta^2.
    const double a = first - left * d + cubic * d * (1 - d), b = left - cubic;
    const double root = b * b - 3 * cubic * a;
    if (!(root > 0)) return;
    const double q = -(b + std::copysign(std::sqrt(root), b));
    double at[] = {q / (3 * cubic), a / q};
    if (!(at[0] <= at[1])) std::swap(at[0], at[1]);
    double value[4] = {begin};
    int count = 1;
    double theta[4] = {0};
    for (const double one : at) {
      if (!(one > 0 && one < 1)) continue;
      theta[count] = one;
      value[count++] = begin + one * (first + (one - d) * (left + (one - 1 + d) * cubic));
    }
    value[count] = end;
    for (int k = 1; k < count; ++k) {
      const double sign = value[k - 1] < 0 ? -1 : 1;
      const double least = std::min(sign * value[k - 1], sign * value[k + 1]);
      if (least > 0 && sign * value[k] < near_zero * least) theta_[count_++] = theta[k];
    }
  }
  const double* begin() const { return theta_; }
  const double* end() const { return theta_ + count_; }

 private:
  double theta_[2] = {};
  int count_ = 0;
};

}  // namespace

EventWatch::EventWatch(const std::vector<Event>& events)
    : events_(events),
      before_(events.size()),
      after_(events.size()),
      from_(events.size()),
      level_(events.size()),
      overlooked_(events.size()),
      last_change_(events.size()),
      turns_(events.size()),
      seen_(events.size()),
      near_start_(events.size()),
      largest_(events.size()) {}

bool EventWatch::start(double t, const VecX& state, const std::vector<int>& passed,
                       const Rounding& rounding) {
  passed_ = passed;
  passed_.resize(events_.size());
  rounding_ = rounding;
  steps_ = 0;
  start_ = state;
  std::fill(level_.begin(), level_.end(), 0);
  for (std::size_t i = 0; i < events_.size(); ++i) before_[i] = value(i, t, state);
  noise_ = before_;
  for (std::size_t i = 0; i < events_.size(); ++i) {
    if (passed_[i] != 0) before_[i] = 0;
  }
  return failure_.empty();
}

bool EventWatch::go_back(double t, const VecX& state) {
  for (std::size_t i = 0; i < events_.size(); ++i) before_[i] = value(i, t, state);
  return failure_.empty();
}

/// Remembers the first that is not a number; an infinite one has a sign.
double EventWatch::value(std::size_t event, double t, const VecX& state) {
  const double value = value_in(event, t, state);
  if (std::isnan(value) && failure_.empty()) {
    failure_ = fmt::format("event \"{}\" is not a number at t = {:.10g}", events_[event].name, t);
  }
  return value;
}

const std::vector<Occurrence>& EventWatch::step(double t0, double t1, const VecX& end,
                                                const Interpolant& at, bool is_long,
                                                const Solved& solved) {
  found_.clear();
  located_.clear();
  solved_ = solved ? &solved : nullptr;
  for (std::size_t i = 0; i < events_.size(); ++i) {
    after_[i] = value(i, t1, end);
    from_[i] = 0;
    near_start_[i].clear();
    if (steps_ == 0 && passed_[i] != 0) {
      leave_passed(i, t0, t1, end, at);
    } else if (steps_ == 0 && may_start(i)) {
      leave_start(i, t0, t1, end, at);
    } else if (before_[i] == 0) {
      leave_zero(i, 0, steps_ == 0 ? rounding_at_start(i, t0) : 0, t0, t1, end, at);
    }
  }
  if (!found_.empty()) return found_;  // At the start: all else comes later.
  const bool all = is_long || steps_ < looked_at_first || steps_ % looked_at_each == 0;
  if (failure_.empty()) foresee_turns(t0, t1, end, at, is_long);
  if (failure_.empty()) look_inside(t0, t1, end, at, all);
  for (std::size_t i = 0; i < events_.size() && failure_.empty(); ++i) {
    const std::vector<Seen>& seen = seen_[i];
    if (!seen.empty()) {
      look_at_turns(i, t0, t1, end, at);
      take_signs(i, is_long);
    }
    if (!seen.empty()) {
      for (std::size_t k = 0; k < seen.size(); k += 2) {
        find_zero(i, seen[k], seen[k + 1], t0, t1, end, at);
      }
    } else {
      find_zero(i, {from_[i], before_[i]}, {1, after_[i]}, t0, t1, end, at);
    }
  }
  last_length_ = std::abs(t1 - t0);
  ++steps_;
  for (std::size_t i = 0; i < events_.size(); ++i) level_out(i);
  before_.swap(after_);
  const double sign = t1 < t0 ? -1 : 1;
  std::stable_sort(found_.begin(), found_.end(), [sign](const Occurrence& a, const Occurrence& b) {
    return sign * a.t < sign * b.t;
  });
  auto stop = std::find_if(found_.begin(), found_.end(),
                           [this](const Occurrence& one) { return ends(one); });
  if (stop == found_.end()) return found_;
  const double rounding = time_rounding(t0, t1), until = stop->t;
  while (stop != found_.end() && std::abs(stop->t - until) <= rounding) ++stop;
  found_.erase(stop, found_.end());
  return found_;
}

/// A parabola that is beyond zero inside of a step only changes more, in this step or, at the
/// length of this one, in that before, than it is off zero at one of the ends.
bool EventWatch::may_turn(std::size_t event, double length) {
  const double change = after_[event] - before_[event];
  const double before = last_change_[event] * (length / last_length_);
  last_change_[event] = change;
  const double least = std::min(std::abs(before_[event]), std::abs(after_[event]));
  return before_[event] != 0 && std::isfinite(change) &&
         (steps_ == 0 || least <= std::max(std::abs(change), std::abs(before)));
}

/// Fills turns_. Long steps are looked into wherever they turn.
void EventWatch::foresee_turns(double t0, double t1, const VecX& end, const Interpolant& at,
                               bool is_long) {
  bool any = false;
  for (std::size_t i = 0; i < events_.size(); ++i) {
    turns_[i].clear();
    if (is_long || !may_turn(i, std::abs(t1 - t0))) continue;
    turns_[i] = {{beside_end, 0}, {1 - beside_end, 0}};
    any = true;
  }
  if (!any) return;
  VecX state = end;
  for (const int side : {0, 1}) {
    const double theta = side == 0 ? beside_end : 1 - beside_end;
    at(theta, state);
    for (std::size_t i = 0; i < events_.size(); ++i) {
      if (turns_[i].empty()) continue;
      turns_[i][side].value = value_in(i, t0 + theta * (t1 - t0), state);
    }
  }
  for (std::size_t i = 0; i < events_.size(); ++i) {
    std::vector<Seen>& turns = turns_[i];
    if (turns.empty()) continue;
    const Turns found(from_[i] > 0 ? 0 : before_[i], turns[0].value, turns[1].value, after_[i]);
    turns.clear();
    for (const double theta : found) turns.push_back({theta, 0});
  }
}

/// Fills seen_ with what is at the places and the turns of the events that have any, or of all.
void EventWatch::look_inside(double t0, double t1, const VecX& end, const Interpolant& at,
                             bool all) {
  const auto looks = [&](std::size_t i) {
    return all || !turns_[i].empty() || !near_start_[i].empty();
  };
  bool any = all;
  for (std::size_t i = 0; i < events_.size(); ++i) {
    seen_[i] = near_start_[i];
    any = any || looks(i);
  }
  if (!any) return;
  ++looks_;
  VecX state = end;
  // Not value(): what is no number inside, and at no end, ends nothing.
  const auto see = [&](std::size_t i, double theta) {
    const double value = value_in(i, t0 + theta * (t1 - t0), state);
    if (theta > from_[i] && !std::isnan(value)) seen_[i].push_back({theta, value});
  };
  for (const double theta : places_) {
    at(theta, state);
    for (std::size_t i = 0; i < events_.size(); ++i) {
      if (looks(i)) see(i, theta);
    }
  }
  for (std::size_t i = 0; i < events_.size(); ++i) {
    for (const Seen& turn : turns_[i]) {
      at(turn.theta, state);
      see(i, turn.theta);
    }
    if (turns_[i].empty()) continue;
    std::sort(seen_[i].begin(), seen_[i].end(),
              [](const Seen& a, const Seen& b) { return a.theta < b.theta; });
  }
}

/// Adds to seen_ where a function of one sign comes near to zero and turns: it may have been beyond
/// it between two places.
void EventWatch::look_at_turns(std::size_t event, double t0, double t1, const VecX& end,
                               const Interpolant& at) {
  std::vector<Seen>& seen = seen_[event];
  seen.insert(seen.begin(), {from_[event], before_[event]});
  seen.push_back({1, after_[event]});
  VecX state = end;
  const auto vertex_of = [&seen](std::size_t k) {
    const Seen &a = seen[k - 1], &b = seen[k], &c = seen[k + 1];
    const double left = (b.value - a.value) / (b.theta - a.theta);
    const double right = (c.value - b.value) / (c.theta - b.theta);
    const double bend = (right - left) / (c.theta - a.theta),
                 slope = left + bend * (b.theta - a.theta);
    const double off = -0.5 * slope / bend;
    return Seen{b.theta + off, b.value + 0.5 * slope * off};
  };
  for (std::size_t k = 1; k + 1 < seen.size(); ++k) {
    std::size_t middle = k;
    for (int tries = 0; tries < most_vertices; ++tries) {
      const Seen &a = seen[middle - 1], &b = seen[middle], &c = seen[middle + 1];
      const double sign = b.value < 0 ? -1 : 1;
      if (!(sign * a.value > 0 && sign * b.value > 0 && sign * c.value > 0)) break;
      const Seen vertex = vertex_of(middle);
      const double least = std::min({std::abs(a.value), std::abs(b.value), std::abs(c.value)});
      const bool inside =
          vertex.theta > a.theta && vertex.theta < c.theta && vertex.theta != b.theta;
      if (!inside || !(sign * vertex.value < near_zero * least)) break;
      at(vertex.theta, state);
      const double value = value_in(event, t0 + vertex.theta * (t1 - t0), state);
      if (std::isnan(value)) break;
      const bool before = vertex.theta < b.theta;
      const auto place =
          seen.insert(seen.begin() + static_cast<std::ptrdiff_t>(before ? middle : middle + 1),
                      {vertex.theta, value});
      middle = static_cast<std::size_t>(place - seen.begin());
    }
  }
  seen.erase(seen.begin());
  seen.pop_back();
}

/// Leaves of what was seen of an event, where its sign changes more than once, the places before
/// and after each change; else nothing.
void EventWatch::take_signs(std::size_t event, bool is_long) {
  std::vector<Seen>& seen = seen_[event];
  double& largest = largest_[event];
  const auto enlarge = [&largest](double value) {
    if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
  };
  enlarge(before_[event]);
  enlarge(after_[event]);
  for (const Seen& one : seen) enlarge(one.value);
  int changes = 0;
  Seen last{from_[event], before_[event]};
  std::vector<Seen> kept;
  const auto take = [&](const Seen& one) {
    const double sign = last.value < 0 ? -1 : 1;
    if (last.value != 0 && !(sign * one.value > 0)) {
      ++changes;
      kept.insert(kept.end(), {last, one});
    }
    last = one;
  };
  for (const Seen& one : seen) {
    if (std::abs(one.value) > rounding_part_ * largest) take(one);
  }
  take({1, after_[event]});
  const bool all_seen = is_long || !turns_[event].empty();
  overlooked_[event] += changes > (all_seen ? most_changes : 1) ? 1 : 0;
  // Of a single change the whole step is the bracket, from where it has a sign.
  if (changes < 2) kept.clear();
  seen.swap(kept);
}

void EventWatch::find_zero(std::size_t event, const Seen& from, const Seen& to, double t0,
                           double t1, const VecX& end, const Interpolant& at) {
  const int way = crossing(events_[event], from.value, to.value);
  if (way == 0) return;
  found_.push_back(locate(static_cast<int>(event), from, to, t0, t1, end, at));
  found_.back().rising = way > 0;
}

std::vector<std::string> EventWatch::overlooked() const {
  std::vector<std::string> told;
  for (std::size_t i = 0; i < events_.size(); ++i) {
    if (overlooked_[i] == 0) continue;
    told.push_back(fmt::format(
        "event \"{}\" changed its sign more than once in {} of the {} steps that were looked into: "
        "of zeros that are so close not all are found; take a smaller h, or largest_step",
        events_[i].name, overlooked_[i], looks_));
  }
  return told;
}

bool EventWatch::ends(const Occurrence& occurrence) const {
  const Event& event = events_[static_cast<std::size_t>(occurrence.event)];
  return event.ends_run() || event.change;
}

Occurrence EventWatch::locate(int event, const Seen& from, const Seen& to, double t0, double t1,
                              const VecX& end, const Interpolant& at) {
  if (to.theta == 1 && to.value == 0) return {event, t1, end, false};
  VecX state = end;
  const auto value_at = [&](double theta) {
    at(theta, state);
    return value(static_cast<std::size_t>(event), t0 + theta * (t1 - t0), state);
  };
  const double rounding = 2 * std::numeric_limits<double>::epsilon();
  const double theta =
      bracketed_root(value_at, from.theta, to.theta, from.value, to.value, rounding);
  at(theta, state);
  Located zero{theta, state};
  if (solved_ != nullptr)
    zero = solved_at(static_cast<std::size_t>(event), zero, from, to, t0, t1, at);
  return {event, t0 + zero.theta * (t1 - t0), zero.state, false};
}

/// What the interpolant has at one time but for rounding stays so: events of the same time are all
/// taken.
EventWatch::Located EventWatch::solved_at(std::size_t event, const Located& by_interpolant,
                                          const Seen& from, const Seen& to, double t0, double t1,
                                          const Interpolant& at) {
  const double theta = by_interpolant.theta;
  const double rounding = time_rounding(t0, t1) / std::abs(t1 - t0);
  for (const auto& [other, zero] : located_) {
    if (std::abs(other - theta) <= rounding) return zero;
  }
  Located zero = by_interpolant;
  if (!solve_for_zero(event, zero, from, to, t0, t1, at)) zero = by_interpolant;
  located_.emplace_back(theta, zero);
  return zero;
}

/// By secants, the first of them that of the interpolant. False where that does not come to a zero
/// between the two places, as where the function touches zero.
bool EventWatch::solve_for_zero(std::size_t event, Located& zero, const Seen& from, const Seen& to,
                                double t0, double t1, const Interpolant& at) {
  constexpr int most_solves = 8;
  constexpr double beside = 1e-4;
  // Over a way so short the interpolant moves as the solution does, but for rounding.
  constexpr double near = 1e-10;
  VecX state = zero.state, other = state;
  const auto value_of = [&](double theta, const VecX& z) {
    return value_in(event, t0 + theta * (t1 - t0), z);
  };
  double& theta = zero.theta;
  double last = theta > 0.5 ? theta - beside : theta + beside;
  at(last, other);
  double last_value = value_of(last, other);
  at(theta, other);
  double slope = (value_of(theta, other) - last_value) / (theta - last);
  for (int solves = 0; solves < most_solves; ++solves) {
    if (!(*solved_)(theta, state)) return false;
    const double value = value_of(theta, state);
    if (solves > 0) slope = (value - last_value) / (theta - last);
    const double move = -value / slope;
    if (!(theta + move >= from.theta && theta + move <= to.theta)) return false;
    if (std::abs(move) <= near) {
      at(theta, other);
      at(theta + move, zero.state);
      zero.state += state - other;
      theta += move;
      return true;
    }
    last = theta;
    last_value = value;
    theta += move;
  }
  return false;
}

}  // namespace daewave::ivp
