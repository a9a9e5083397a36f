#include "ivp/run/event_watch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "ivp/run/bracketed_root.hpp"

namespace daewave::ivp {
namespace {

/// Steps of which the inside is looked at, and how.
constexpr long looked_at_first = 16, looked_at_each = 16;
constexpr double places[] = {0.11, 0.23, 0.36, 0.5, 0.64, 0.77, 0.89};

}  // namespace

EventWatch::EventWatch(const std::vector<Event>& events)
    : events_(events),
      before_(events.size()),
      after_(events.size()),
      from_(events.size()),
      overlooked_(events.size()) {}

bool EventWatch::start(double t, const VecX& state, const std::vector<int>& passed) {
  passed_ = passed;
  passed_.resize(events_.size());
  for (std::size_t i = 0; i < events_.size(); ++i) before_[i] = value(i, t, state);
  noise_ = before_;
  for (std::size_t i = 0; i < events_.size(); ++i) {
    if (passed_[i] != 0) before_[i] = 0;
  }
  return failure_.empty();
}

/// Remembers the first that is not a number; an infinite one has a sign.
double EventWatch::value(std::size_t event, double t, const VecX& state) {
  const double value = events_[event].function(t, state);
  if (std::isnan(value) && failure_.empty()) {
    failure_ = fmt::format("event \"{}\" is not a number at t = {:.10g}", events_[event].name, t);
  }
  return value;
}

const std::vector<Occurrence>& EventWatch::step(double t0, double t1, const VecX& end,
                                                const Interpolant& at) {
  found_.clear();
  for (std::size_t i = 0; i < events_.size(); ++i) {
    after_[i] = value(i, t1, end);
    from_[i] = 0;
    if (steps_ == 0 && passed_[i] * after_[i] > 0) look_for_return(i, t0, t1, end, at);
    const bool rising = before_[i] < 0 && after_[i] >= 0;
    const bool falling = before_[i] > 0 && after_[i] <= 0;
    using Direction = Event::Direction;
    if (!failure_.empty()) continue;
    if ((rising && events_[i].direction != Direction::falling) ||
        (falling && events_[i].direction != Direction::rising)) {
      found_.push_back(locate(static_cast<int>(i), t0, t1, after_[i], end, at));
      found_.back().rising = rising;
    }
  }
  if (failure_.empty() && (steps_ < looked_at_first || steps_ % looked_at_each == 0)) {
    look_inside(t0, t1, end, at);
  }
  ++steps_;
  before_.swap(after_);
  const double sign = t1 < t0 ? -1 : 1;
  std::stable_sort(found_.begin(), found_.end(), [sign](const Occurrence& a, const Occurrence& b) {
    return sign * a.t < sign * b.t;
  });
  auto stop = std::find_if(found_.begin(), found_.end(),
                           [this](const Occurrence& one) { return ends(one); });
  if (stop == found_.end()) return found_;
  const double rounding =
      16 * std::numeric_limits<double>::epsilon() * std::max(std::abs(t0), std::abs(t1));
  const double until = stop->t;
  while (stop != found_.end() && std::abs(stop->t - until) <= rounding) ++stop;
  found_.erase(stop, found_.end());
  return found_;
}

/// An event that was passed at the start is beyond zero at the end of the first step. Where the
/// change of the state threw it back, it came back and went through once more in that step; where
/// not, it goes on from there. Rounding about zero is no return.
void EventWatch::look_for_return(std::size_t event, double t0, double t1, const VecX& end,
                                 const Interpolant& at) {
  VecX state = end;
  double largest = std::abs(after_[event]), back = 0, where = 0;
  for (double theta = std::ldexp(1.0, -20); theta < 1; theta *= 2) {
    at(theta, state);
    const double inside = events_[event].function(t0 + theta * (t1 - t0), state);
    largest = std::max(largest, std::abs(inside));
    if (-passed_[event] * inside > back) {
      back = -passed_[event] * inside;
      where = theta;
    }
  }
  if (back <= std::max(100 * std::abs(noise_[event]), 1e-8 * largest)) return;
  before_[event] = -passed_[event] * back;
  from_[event] = where;
}

void EventWatch::look_inside(double t0, double t1, const VecX& end, const Interpolant& at) {
  ++looks_;
  std::vector<double> last = before_;
  std::vector<int> changes(events_.size(), 0);
  const auto see = [&](std::size_t i, double value) {
    if (value == 0) return;
    if (last[i] != 0 && (value < 0) != (last[i] < 0)) ++changes[i];
    last[i] = value;
  };
  VecX state = end;
  for (const double theta : places) {
    at(theta, state);
    // Not value(): what is no number inside, and at no end, ends nothing.
    for (std::size_t i = 0; i < events_.size(); ++i) {
      const double inside = events_[i].function(t0 + theta * (t1 - t0), state);
      if (!std::isnan(inside)) see(i, inside);
    }
  }
  for (std::size_t i = 0; i < events_.size(); ++i) {
    see(i, after_[i]);
    overlooked_[i] += changes[i] > 1 ? 1 : 0;
  }
}

std::vector<std::string> EventWatch::overlooked() const {
  std::vector<std::string> told;
  for (std::size_t i = 0; i < events_.size(); ++i) {
    if (overlooked_[i] == 0) continue;
    told.push_back(fmt::format(
        "event \"{}\" changed its sign more than once in {} of the {} steps that were looked into: "
        "zeros whose signs cancel within a step are not found; take a smaller h, or largest_step",
        events_[i].name, overlooked_[i], looks_));
  }
  return told;
}

bool EventWatch::ends(const Occurrence& occurrence) const {
  const Event& event = events_[static_cast<std::size_t>(occurrence.event)];
  return event.then == Event::Then::stop || event.change;
}

Occurrence EventWatch::locate(int event, double t0, double t1, double after, const VecX& end,
                              const Interpolant& at) {
  const double before = before_[static_cast<std::size_t>(event)];
  const double from = from_[static_cast<std::size_t>(event)];
  if (after == 0) return {event, t1, end, false};
  VecX state = end;
  const auto value_at = [&](double theta) {
    at(theta, state);
    return value(static_cast<std::size_t>(event), t0 + theta * (t1 - t0), state);
  };
  const double rounding = 2 * std::numeric_limits<double>::epsilon();
  const double theta = bracketed_root(value_at, from, 1.0, before, after, rounding);
  at(theta, state);
  return {event, t0 + theta * (t1 - t0), state, false};
}

}  // namespace daewave::ivp
