#include "ivp/run/constraints_between.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>

#include "ivp/run/thrown.hpp"

namespace daewave::ivp {
namespace {

/// Times of the interval at which it is looked whether constraints are driven, and places of steps
/// at which those are looked at. Neither is evenly spread, as a drive that repeats itself may be;
/// both fill lanes.
constexpr int times_looked_at = 16, places = 8;

/// Number i of `count`, in (0, 1).
double spread(int i, int count) {
  constexpr double golden = 0.6180339887498949, most = 0.3;
  return (i + 0.5 + most * (std::fmod((i + 1) * golden, 1.0) - 0.5)) / count;
}

/// Parts of a step: the places, then its ends.
std::array<double, places + 2> make_parts() {
  std::array<double, places + 2> parts{};
  for (int p = 0; p < places; ++p) parts[static_cast<std::size_t>(p)] = spread(p, places);
  parts[places] = 0;
  parts[places + 1] = 1;
  return parts;
}
const std::array<double, places + 2> parts = make_parts();

/// A step that is too long is tried again so much shorter, down to that part of the longest one: of
/// drives whose derivatives are differences in t, shorter steps would see how these jump.
constexpr double shorter = 0.1, longer = 0.5, least_part = 5e-4;

}  // namespace

ConstraintsBetween::ConstraintsBetween(const DaeProblem& problem, const VecX& start,
                                       const Interval& span, const Options& options)
    : evaluation_(problem.evaluation()),
      tolerance_(options, static_cast<int>(start.size())),
      chooses_(!options.h),
      nq_(problem.sizes().nq),
      ny_(problem.kind() == Kind::invariants ? 0 : problem.sizes().ny),
      has_velocity_(problem.has_velocity()),
      is_driven_(static_cast<std::size_t>(ny_), false),
      size_(start.cwiseAbs()) {
  if (ny_ == 0) return;
  // Where the problem is not known to the end, it is looked at in each step.
  const auto part_of_span = [&](int i) {
    return span.begin + spread(i, times_looked_at) * span.length();
  };
  looks_in_steps_ =
      thrown_in([&] { find_driven(part_of_span, times_looked_at, start); }).has_value();
}

/// Row i at point p is at [i * stride + p].
const Terms& ConstraintsBetween::evaluate(int count) {
  const auto size = static_cast<std::size_t>(nq_ * count);
  if (v_.size() < size) v_.resize(size);  // Which g does not depend on.
  return evaluation_->evaluate(
      Ask::g, {count, count, t_.data(), q_.data(), has_velocity_ ? v_.data() : nullptr, nullptr});
}

void ConstraintsBetween::make_room(int count) {
  t_.resize(static_cast<std::size_t>(count));
  q_.resize(static_cast<std::size_t>(nq_ * count));
}

void ConstraintsBetween::put(int point, int count, double t, const double* q) {
  t_[static_cast<std::size_t>(point)] = t;
  for (int i = 0; i < nq_; ++i) q_[static_cast<std::size_t>(i * count + point)] = q[i];
}

/// What changes at these times, the state being held.
void ConstraintsBetween::find_driven(const std::function<double(int)>& time, int count,
                                     const VecX& state) {
  make_room(count);
  for (int p = 0; p < count; ++p) put(p, count, time(p), state.data());
  const Terms& terms = evaluate(count);
  for (int i = 0; i < ny_; ++i) {
    const double* const g = terms.g + i * terms.stride;
    if (is_driven_[static_cast<std::size_t>(i)]) continue;
    if (std::all_of(g, g + count, [g](double one) { return one == g[0]; })) continue;
    is_driven_[static_cast<std::size_t>(i)] = true;
    driven_.push_back(i);
    allowed_.push_back(0);
    found_.push_back({});
    largest_.push_back({});
  }
}

/// What a state may be off that is wrong by `away`, as far as that is along a few directions,
/// the signs of which are those of sines, so that entries do not cancel.
void ConstraintsBetween::allow(double t, const VecX& state, const VecX& away) {
  constexpr int directions = 4, count = 2 * directions + 1;
  make_room(count);
  put(0, count, t, state.data());
  for (int k = 1; k < count; ++k) {
    shifted_ = state;
    for (int i = 0; i < nq_; ++i) {
      const double sign = std::sin((k + 1) / 2 * (1.3 * i + 1)) < 0 ? -1 : 1;
      shifted_[i] += (k % 2 == 0 ? -sign : sign) * away[i];
    }
    put(k, count, t, shifted_.data());
  }
  const Terms& terms = evaluate(count);
  for (std::size_t k = 0; k < driven_.size(); ++k) {
    const double* const g = terms.g + driven_[k] * terms.stride;
    double most = 0;
    for (int p = 1; p < count; ++p) most = std::max(most, std::abs(g[p] - g[0]));
    allowed_[k] = most;
  }
}

/// Of one tolerance.
VecX ConstraintsBetween::tolerances() const {
  VecX away(nq_);
  for (int i = 0; i < nq_; ++i) away[i] = tolerance_.weight(i, size_[i], size_[i]);
  return away;
}

/// All in a step from `begin`, whose states are in q_: found_.
/// @param count  of points, the last two of which are the ends where that is more than `places`:
/// what
///               they are off there counts twice for what they may be off.
void ConstraintsBetween::look(double begin, double length, int count) {
  for (int p = 0; p < count; ++p)
    t_[static_cast<std::size_t>(p)] = begin + parts[static_cast<std::size_t>(p)] * length;
  const Terms& terms = evaluate(count);
  for (std::size_t k = 0; k < driven_.size(); ++k) {
    const double* const g = terms.g + driven_[k] * terms.stride;
    double ends = 0;
    for (int p = places; p < count; ++p) ends = std::max(ends, 2 * std::abs(g[p]));
    Place& found = found_[k] = {};
    for (int p = 0; p < places; ++p) {
      const double off = std::abs(g[p]) - ends;
      if (off > found.off) found = {t_[static_cast<std::size_t>(p)], off, 0};
    }
  }
}

void ConstraintsBetween::look_roughly(double begin, double length, Step& step) {
  make_room(places);
  step.roughly(parts.data(), places, nq_, q_.data());
  look(begin, length, places);
}

void ConstraintsBetween::look_closely(double begin, double length, Step& step) {
  constexpr int count = places + 2;
  make_room(count);
  for (int p = 0; p < count; ++p) {
    step.interpolate(parts[static_cast<std::size_t>(p)], inside_);
    put(p, count, 0, inside_.data());
  }
  look(begin, length, count);
}

/// The most that one of `places` is off, of what is allowed.
double ConstraintsBetween::largest_part(const std::vector<Place>& off) const {
  double part = 0;
  for (std::size_t k = 0; k < off.size(); ++k) {
    if (off[k].off > 0) part = std::max(part, off[k].off / allowed_[k]);
  }
  return part;
}

double ConstraintsBetween::part_of_step(double begin, double end, Step& step, double many) {
  const VecX& state = step.state();
  const double length = end - begin, size = std::abs(length);
  if (looks_in_steps_) {
    find_driven([&](int p) { return begin + parts[static_cast<std::size_t>(p)] * length; }, places,
                state);
  }
  if (driven_.empty()) return 1;
  size_ = size_.cwiseMax(state.cwiseAbs());
  look_roughly(begin, length, step);
  double part = largest_part(found_) / many;
  if (part > 1) {
    allow(end, state, tolerances());
    part = largest_part(found_) / many;
  }
  if (part > 1) {
    look_closely(begin, length, step);
    part = largest_part(found_) / many;
  }
  const bool may_be_shorter = size > least_part * longest_ && size < 0.99 * refused_;
  if (chooses_ && part > 1 && may_be_shorter) {
    refused_ = size;
    return std::clamp(0.5 / part, shorter, longer);
  }
  refused_ = std::numeric_limits<double>::infinity();
  longest_ = std::max(longest_, size);
  for (std::size_t k = 0; k < driven_.size(); ++k) {
    if (found_[k].off > largest_[k].off) largest_[k] = found_[k];
  }
  if (has_velocity_ && chooses_) see_moved(end, size, step, many);
  end_ = end;
  state_ = state;
  return 1;
}

ConstraintsBetween::Place ConstraintsBetween::worst(const VecX& away) {
  Place worst;
  if (!(largest_part(largest_) > 0)) return worst;
  allow(end_, state_, away);
  for (std::size_t k = 0; k < largest_.size(); ++k) {
    const double part = largest_[k].off > 0 ? largest_[k].off / allowed_[k] : 0;
    if (part > worst.part) worst = {largest_[k].t, largest_[k].off, part};
  }
  return worst;
}

/// Positions move as velocities say, whatever a drive does: those inside of the step are asked for
/// where those at its ends do not explain it.
void ConstraintsBetween::see_moved(double end, double size, Step& step, double many) {
  constexpr double faster = 2;
  const VecX& state = step.state();
  begin_.resize(nq_);
  step.roughly(&parts[places], 1, nq_, begin_.data());
  const auto moved = [&] {
    Place most;
    for (int i = 0; i < nq_; ++i) {
      const double off = std::abs(state[i] - begin_[i]) - faster * size * speed_[i];
      const double allowed = many * tolerance_.weight(i, size_[i], size_[i]);
      if (off > allowed && off > most.off) most = {end, off, off / allowed};
    }
    return most;
  };
  speed_ = state.tail(nq_).cwiseAbs();
  if (state_.size() > 0) speed_ = speed_.cwiseMax(state_.tail(nq_).cwiseAbs());
  if (!(moved().off > 0)) return;
  for (int p = 0; p < places; ++p) {
    step.interpolate(parts[static_cast<std::size_t>(p)], inside_);
    speed_ = speed_.cwiseMax(inside_.tail(nq_).cwiseAbs());
  }
  if (const Place found = moved(); found.off > moved_.off) moved_ = found;
}

}  // namespace daewave::ivp
