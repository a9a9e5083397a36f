#include "ivp/run/event_changes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <new>
#include <utility>

#include "core/error.hpp"
#include "core/not_finite.hpp"
#include "ivp/run/crossing.hpp"

namespace daewave::ivp {
namespace {

/// Runs it; what it throws, as what it did is told.
template <class Work>
std::optional<EventChanges::Failure> guarded(const Event& event, double t, const char* advice,
                                             const Work& work) {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& thrown) {
    return EventChanges::Failure{Termination::stopped, EventChanges::told(event, t, thrown.what()),
                                 advice};
  }
}

/// What rounding of a state is of it.
constexpr double state_rounding = 1e-14;

/// What the function changes by at most where time and state are moved by so much, each several
/// ways.
double moved(const Event& event, const EventChanges::Place& at, const VecX& state, const VecX& by) {
  constexpr int ways = 8;
  const double value = event.function(at.t, state);
  double most = 0;
  for (const double dt : {-at.rounding, at.rounding}) {
    most = larger(most, std::abs(event.function(at.t + dt, state) - value));
  }
  unsigned random = 1;
  for (int way = 0; way < ways; ++way) {
    VecX near = state;
    for (double& entry : near) {
      random = random * 1664525U + 1013904223U;
      const double part = by[&entry - near.data()];
      entry += (random >> 31) != 0 ? part : -part;
    }
    most = larger(most, std::abs(event.function(at.t, near) - value));
  }
  return most;
}

/// In which the fastest moves by that part of the state.
double time_of_motion(const VecX& state, const VecX& slope, double part) {
  return part * (1 + largest_size(state)) / std::max(largest_size(slope), 1e-300);
}

}  // namespace

bool EventChanges::any_changes(const std::vector<Occurrence>& found) const {
  return std::any_of(found.begin(), found.end(), [this](const Occurrence& one) {
    return static_cast<bool>(event_of(one).change);
  });
}

const Event* EventChanges::end_among(const std::vector<Occurrence>& found) const {
  const auto end = std::find_if(found.begin(), found.end(),
                                [this](const Occurrence& one) { return event_of(one).ends_run(); });
  return end == found.end() ? nullptr : &event_of(*end);
}

std::optional<EventChanges::Failure> EventChanges::apply(double t,
                                                         const std::vector<Occurrence>& found,
                                                         VecX& z) {
  const char* const mend = "what is given out until there is valid; mend the change of the event";
  for (const Occurrence& one : found) {
    const Event& event = event_of(one);
    if (!event.change) continue;
    const auto failure = guarded(event, t, mend, [&]() -> std::optional<Failure> {
      VecX after = event.change(t, z);
      if (after.size() != z.size()) {
        return Failure{Termination::stopped,
                       told(event, t,
                            fmt::format("its change gave {} entries, the state has {}",
                                        after.size(), z.size())),
                       mend};
      }
      if (!after.allFinite()) {
        return Failure{Termination::diverged, told(event, t, "its change is not finite"), mend};
      }
      z = made_consistent(event, t, after);
      return {};
    });
    if (failure) return failure;
  }
  return {};
}

std::optional<EventChanges::Failure> EventChanges::stuck(const Place& at,
                                                         const std::vector<Occurrence>& found,
                                                         const VecX& before, const VecX& after,
                                                         bool at_begin) const {
  const double t = at.t;
  for (const Occurrence& one : found) {
    const Event& event = event_of(one);
    if (!event.change) continue;
    const auto failure = guarded(
        event, t, "what is given out until there is valid; mend the function of the event",
        [&]() -> std::optional<Failure> {
          const bool rested = at_begin && rests(at, event, before) && rests(at, event, after);
          if (!rested && !sticks(at, one, before, after)) return {};
          if (!goes_on(event, at, one.rising ? 1 : -1, after)) return {};
          if (leaves_zero(at, event, before, after)) return {};
          return Failure{Termination::step_too_small,
                         told(event, t,
                              rested ? "what is at rest there is pushed through, and its change "
                                       "gives it no velocity away"
                                     : "its change takes the velocity towards it away and gives "
                                       "none back: the state would go through"),
                         "what has come to rest is no longer the same system: stop there, and go "
                         "on with one constraint more"};
        });
    if (failure) return failure;
  }
  return {};
}

std::optional<EventChanges::Failure> EventChanges::leave_zero(const Place& at,
                                                              const std::vector<Occurrence>& found,
                                                              const VecX& before, const VecX& after,
                                                              std::vector<int>& passed) const {
  for (std::size_t i = 0; i < passed.size(); ++i) {
    if (passed[i] == 0) continue;
    const Event& event = options_.events[i];
    const bool now = std::any_of(found.begin(), found.end(), [i](const Occurrence& one) {
      return static_cast<std::size_t>(one.event) == i;
    });
    const auto failure = guarded(
        event, at.t, "what is given out until there is valid; mend the function of the event",
        [&]() -> std::optional<Failure> {
          if (leaves_zero(at, event, before, after) ||
              (!now && turns_back(at, event, passed[i], before, after))) {
            passed[i] = 0;
          }
          return {};
        });
    if (failure) return failure;
  }
  return {};
}

double EventChanges::rounding_of(int event, const Place& at, const VecX& z) const {
  const Event& one = options_.events[static_cast<std::size_t>(event)];
  return moved(one, at, z, state_rounding * size_of(z, z));
}

std::optional<EventChanges::Failure> EventChanges::pass_gap(double t0, double t1, double t,
                                                            const VecX& z,
                                                            std::vector<Occurrence>& found) const {
  std::vector<bool> known(options_.events.size());
  for (const Occurrence& one : found) known[static_cast<std::size_t>(one.event)] = true;
  for (std::size_t i = 0; i < known.size(); ++i) {
    if (known[i]) continue;
    const Event& event = options_.events[i];
    const auto failure =
        guarded(event, t, "what is given out until there is valid; mend the function of the event",
                [&]() -> std::optional<Failure> {
                  const int way = crossing(event, event.function(t0, z), event.function(t1, z));
                  if (way != 0) found.push_back({static_cast<int>(i), t, z, way > 0});
                  return {};
                });
    if (failure) return failure;
  }
  return {};
}

std::string EventChanges::happened(const Event& event, double t) {
  return fmt::format("event \"{}\" at t = {:.10g}", event.name, t);
}

void EventChanges::tell_end(const Event& event, double t, Report& report) {
  report.message = happened(event, t);
  if (event.then != Event::Then::fail) return;
  report.termination = Termination::refused;
  report.advice = event.advice;
}

std::string EventChanges::told(const Event& event, double t, const std::string& what) {
  return fmt::format("{}: {}", happened(event, t), what);
}

std::string EventChanges::take_warning() { return std::exchange(warning_, {}); }

/// To rounding, or, where that cannot be, as well as a start has to be.
VecX EventChanges::on_constraints(double t, const VecX& given, Use use) const {
  Options options = options_;
  options.repair_start = true;
  options.start_tolerance = std::min(1e-13, options_.start_tolerance);
  VecX z = given;
  try {
    make_consistent_(z, t, options, use);
  } catch (const InvalidProblem&) {
    options.start_tolerance = options_.start_tolerance;
    z = given;
    make_consistent_(z, t, options, use);
  }
  return z;
}

VecX EventChanges::made_consistent(const Event& event, double t, const VecX& given) {
  VecX z = on_constraints(t, given, Use::goes_on);
  const auto positions = second_order_ ? z.size() / 2 : z.size();
  const double moved = largest_size(z.head(positions) - given.head(positions));
  const double size = 1 + largest_size(given.head(positions));
  if (moved > 1e-6 * size && !std::exchange(told_moved_, true)) {
    warning_ = told(event, t,
                    fmt::format("the state it gives is off the constraints, and was moved by "
                                "{:.3g}, max norm",
                                moved));
  }
  return z;
}

/// Of the state that meets the constraints: what it is before t, and `behind` it.
VecX EventChanges::change_across(double t, double beside, const VecX& z, VecX& behind) const {
  behind = on_constraints(t + beside, z, Use::look);
  return behind - on_constraints(t - beside, z, Use::look);
}

std::optional<VecX> EventChanges::beyond_turn(double t, double beside, const VecX& z) {
  if (!second_order_) return {};
  constexpr double rounding = 1e-9, smooth = 1.5;
  const Eigen::Index n = z.size() / 2;
  const double least = rounding * (1 + largest_size(z.tail(n)));
  VecX behind, changed;
  try {
    VecX farther;
    changed = change_across(t, beside, z, behind);
    const double size = largest_size(changed);
    if (!(size > least)) return {};
    // What moves smoothly, and fast, changes twice as much over twice the time.
    if (largest_size(change_across(t, 2 * beside, z, farther)) > smooth * size) return {};
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception&) {
    return {};  // The next piece tells.
  }
  const double velocity = largest_size(changed.tail(n)), position = largest_size(changed.head(n));
  if (!std::exchange(told_turn_, true)) {
    warning_ = fmt::format(
        "constraints are driven another way from t = {:.10g} on: velocities were changed there by "
        "{:.3g}, as by an impulse{}, max norm",
        t, velocity,
        position > least ? fmt::format(", and positions were moved by {:.3g}", position) : "");
  }
  return behind;
}

/// Of each entry, what rounding of it is a part of.
VecX EventChanges::size_of(const VecX& before, const VecX& after) const {
  constexpr double beside_largest = 1e-4;
  VecX size = before.cwiseAbs().cwiseMax(after.cwiseAbs());
  const auto with_largest = [&](auto part) {
    if (part.size() > 0) part.array() += beside_largest * part.maxCoeff();
  };
  const Eigen::Index positions = second_order_ ? size.size() / 2 : size.size();
  with_largest(size.head(positions));
  with_largest(size.tail(size.size() - positions));
  return size;
}

/// By more than it changes by rounding, of the time at which it was found too, and by the way back
/// to the constraints: in a step the state is off them by what steps may be wrong by, and that way
/// is none of the change.
bool EventChanges::leaves_zero(const Place& at, const Event& event, const VecX& before,
                               const VecX& after) const {
  constexpr double rounding = 1e-9;
  const double off = std::abs(event.function(at.t, after));
  if (off <= 10 * moved(event, at, after, rounding * size_of(before, after))) return false;
  VecX back;
  try {
    back = on_constraints(at.t, before, Use::look);
  } catch (const InvalidProblem&) {
    return true;  // No way back: the change alone has found one.
  }
  const double by_way = std::abs(event.function(at.t, back) - event.function(at.t, before));
  // Twice: the way from what the change gives is about as long, in about that direction.
  return off > 2 * larger(by_way, moved(event, at, after, (back - before).cwiseAbs()));
}

VecX EventChanges::slope_at(double t, const VecX& z) const {
  VecX slope = slope_ ? slope_(t, z) : VecX();
  if (!slope.allFinite()) slope.resize(0);
  return slope;
}

/// Along the motion, of which velocities are what is known in any case: where there are any, by
/// them and by time alone, so that an event that looks at nothing else has none.
std::optional<EventChanges::Rate> EventChanges::rate_of(const Event& event, const Place& at,
                                                        const VecX& z) const {
  VecX way;
  if (second_order_) {
    const auto n = z.size() / 2;
    way.setZero(z.size());
    way.head(n) = z.tail(n);
  } else {
    way = slope_at(at.t, z);
  }
  if (way.size() != z.size()) return {};
  const double rounding = moved(event, at, z, state_rounding * size_of(z, z));
  const double after = 1e6 * at.rounding;
  double rate = (event.function(at.t + after, z) - event.function(at.t - after, z)) / (2 * after);
  double open = rate != 0 ? rounding / after : 0;
  if (way.isZero(0)) return Rate{rate, open};
  const double dt = time_of_motion(z.head(second_order_ ? z.size() / 2 : z.size()), way, 1e-6);
  rate += (event.function(at.t, z + dt * way) - event.function(at.t, z - dt * way)) / (2 * dt);
  open += rounding / dt;
  return Rate{rate, open};
}

/// Whether what is at zero with no rate is driven through; where its slope is not known, it may be.
bool EventChanges::goes_on(const Event& event, const Place& at, double passing,
                           const VecX& after) const {
  const VecX slope = slope_at(at.t, after);
  if (slope.size() != after.size()) return second_order_;
  const double dt = time_of_motion(after, slope, 1e-3);
  const auto now = rate_of(event, at, after);
  const auto then = rate_of(event, {at.t + dt, at.rounding}, after + dt * slope);
  if (!now || !then) return second_order_;
  return passing * (then->value - now->value) > 4 * (now->rounding + then->rounding);
}

/// Its rate is gone and has not turned.
bool EventChanges::sticks(const Place& at, const Occurrence& one, const VecX& before,
                          const VecX& after) const {
  const Event& event = event_of(one);
  const auto was = rate_of(event, at, before), is = rate_of(event, at, after);
  const double passing = one.rising ? 1 : -1;
  return was && is && passing * was->value > 0 &&
         std::abs(is->value) <= 1e-5 * std::abs(was->value);
}

/// Where the event looks at positions alone, those that it looks at do not move.
bool EventChanges::rests(const Place& at, const Event& event, const VecX& state) const {
  const double value = event.function(at.t, state);
  if (second_order_) {
    const auto n = state.size() / 2;
    VecX other = state;
    other.tail(n) = 2 * state.tail(n).array() + 1;
    if (event.function(at.t, other) != value) return false;
  }
  const auto rate = rate_of(event, at, state);
  const double rounding = moved(event, at, state, state_rounding * size_of(state, state));
  return rate && std::abs(value) <= rounding && std::abs(rate->value) <= 100 * rate->rounding;
}

/// What went away from zero after it was passed comes back to it.
bool EventChanges::turns_back(const Place& at, const Event& event, int passing, const VecX& before,
                              const VecX& after) const {
  const auto was = rate_of(event, at, before), is = rate_of(event, at, after);
  return was && is && passing * was->value < 0 && passing * is->value > 0;
}

}  // namespace daewave::ivp
