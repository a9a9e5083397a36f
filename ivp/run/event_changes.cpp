#include "ivp/run/event_changes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <new>
#include <utility>

#include "core/error.hpp"
#include "core/not_finite.hpp"

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

}  // namespace

bool EventChanges::any_changes(const std::vector<Occurrence>& found) const {
  return std::any_of(found.begin(), found.end(), [this](const Occurrence& one) {
    return static_cast<bool>(event_of(one).change);
  });
}

bool EventChanges::any_stops(const std::vector<Occurrence>& found) const {
  return std::any_of(found.begin(), found.end(), [this](const Occurrence& one) {
    return event_of(one).then == Event::Then::stop;
  });
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
      z = made_consistent(event, t, std::move(after));
      return {};
    });
    if (failure) return failure;
  }
  return {};
}

std::optional<EventChanges::Failure> EventChanges::stuck(double t,
                                                         const std::vector<Occurrence>& found,
                                                         const VecX& before,
                                                         const VecX& after) const {
  for (const Occurrence& one : found) {
    const Event& event = event_of(one);
    if (!event.change) continue;
    const auto failure = guarded(
        event, t, "what is given out until there is valid; mend the function of the event",
        [&]() -> std::optional<Failure> {
          if (!sticks(t, one, before, after)) return {};
          return Failure{Termination::step_too_small,
                         told(event, t,
                              "its change takes the velocity towards it away and gives none back: "
                              "the state would go through"),
                         "what has come to rest is no longer the same system: stop there, and go "
                         "on with one constraint more"};
        });
    if (failure) return failure;
  }
  return {};
}

std::optional<EventChanges::Failure> EventChanges::leave_zero(double t,
                                                              const std::vector<Occurrence>& found,
                                                              const VecX& before, const VecX& after,
                                                              std::vector<int>& passed) const {
  for (const Occurrence& one : found) {
    const Event& event = event_of(one);
    const auto failure =
        guarded(event, t, "what is given out until there is valid; mend the function of the event",
                [&]() -> std::optional<Failure> {
                  int& of_this = passed[static_cast<std::size_t>(one.event)];
                  if (leaves_zero(t, event, before, after)) of_this = 0;
                  return {};
                });
    if (failure) return failure;
  }
  return {};
}

std::string EventChanges::told(const Event& event, double t, const std::string& what) {
  return fmt::format("event \"{}\" at t = {:.10g}: {}", event.name, t, what);
}

std::string EventChanges::take_warning() { return std::exchange(warning_, {}); }

/// To rounding, or, where that cannot be, as well as a start has to be.
VecX EventChanges::made_consistent(const Event& event, double t, VecX z) {
  Options options = options_;
  options.repair_start = true;
  options.start_tolerance = std::min(1e-13, options_.start_tolerance);
  const VecX given = z;
  try {
    make_consistent_(z, t, options);
  } catch (const InvalidProblem&) {
    options.start_tolerance = options_.start_tolerance;
    z = given;
    make_consistent_(z, t, options);
  }
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

/// By more than it changes where the state is moved by some rounding in several directions.
bool EventChanges::leaves_zero(double t, const Event& event, const VecX& before,
                               const VecX& after) const {
  constexpr double rounding = 1e-9, beside_largest = 1e-4;
  constexpr int ways = 8;
  VecX near = before.cwiseAbs().cwiseMax(after.cwiseAbs());
  const auto with_largest = [&](auto part) {
    if (part.size() > 0) part.array() += beside_largest * part.maxCoeff();
  };
  const Eigen::Index positions = second_order_ ? near.size() / 2 : near.size();
  with_largest(near.head(positions));
  with_largest(near.tail(near.size() - positions));
  near *= rounding;
  const double value = event.function(t, after);
  double moved = 0;
  unsigned random = 1;
  for (int way = 0; way < ways; ++way) {
    VecX state = after;
    for (double& entry : state) {
      random = random * 1664525U + 1013904223U;
      const double by = near[&entry - state.data()];
      entry += (random >> 31) != 0 ? by : -by;
    }
    moved = larger(moved, std::abs(event.function(t, state) - value));
  }
  return std::abs(value) > 10 * moved;
}

/// Where the event looks at positions: its rate, by the velocities, is gone and has not turned.
bool EventChanges::sticks(double t, const Occurrence& one, const VecX& before,
                          const VecX& after) const {
  if (!second_order_) return false;
  const auto n = before.size() / 2;
  const Event& event = event_of(one);
  const auto rate = [&](const VecX& state) {
    const double speed = std::max(largest_size(before.tail(n)), 1e-300);
    const double dt = 1e-6 * (1 + largest_size(before.head(n))) / speed;
    VecX ahead = state, behind = state;
    ahead.head(n) += dt * state.tail(n);
    behind.head(n) -= dt * state.tail(n);
    return (event.function(t, ahead) - event.function(t, behind)) / (2 * dt);
  };
  const double was = rate(before), is = rate(after), passing = one.rising ? 1 : -1;
  return passing * was > 0 && std::abs(is) <= 1e-5 * std::abs(was);
}

}  // namespace daewave::ivp
