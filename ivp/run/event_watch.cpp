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
    : events_(events), before_(events.size()), after_(events.size()), overlooked_(events.size()) {}

bool EventWatch::start(double t, const VecX& state) {
  for (std::size_t i = 0; i < events_.size(); ++i) before_[i] = value(i, t, state);
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
  const auto stop = std::find_if(found_.begin(), found_.end(),
                                 [this](const Occurrence& one) { return stops(one); });
  if (stop != found_.end()) found_.erase(stop + 1, found_.end());
  return found_;
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

bool EventWatch::stops(const Occurrence& occurrence) const {
  return events_[static_cast<std::size_t>(occurrence.event)].then == Event::Then::stop;
}

Occurrence EventWatch::locate(int event, double t0, double t1, double after, const VecX& end,
                              const Interpolant& at) {
  const double before = before_[static_cast<std::size_t>(event)];
  if (after == 0) return {event, t1, end, false};
  VecX state = end;
  const auto value_at = [&](double theta) {
    at(theta, state);
    return value(static_cast<std::size_t>(event), t0 + theta * (t1 - t0), state);
  };
  const double rounding = 2 * std::numeric_limits<double>::epsilon();
  const double theta = bracketed_root(value_at, 0.0, 1.0, before, after, rounding);
  at(theta, state);
  return {event, t0 + theta * (t1 - t0), state, false};
}

}  // namespace daewave::ivp
