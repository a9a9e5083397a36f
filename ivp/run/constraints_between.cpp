#include "ivp/run/constraints_between.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>

#include "ivp/run/thrown.hpp"

namespace daewave::ivp {
namespace {

/// Times of the interval at which it is looked whether constraints are driven.
constexpr int times_looked_at = 48;

/// Where in a step; at the ends states are as good as they can be.
constexpr std::array<double, 9> places{0, 0.07, 0.2, 0.35, 0.5, 0.65, 0.8, 0.93, 1};

/// A step that is too long is tried again so much shorter, down to that part of the longest one: of
/// drives whose derivatives are differences in t, shorter steps would see how these jump.
constexpr double shorter = 0.1, longer = 0.5, least_part = 5e-4;

}  // namespace

ConstraintsBetween::ConstraintsBetween(const DaeProblem& problem, const VecX& start,
                                       const Options& options)
    : evaluation_(problem.evaluation()),
      tolerance_(options, static_cast<int>(start.size())),
      chooses_(!options.h),
      nq_(problem.sizes().nq),
      ny_(problem.sizes().ny),
      has_velocity_(problem.has_velocity()),
      size_(start.cwiseAbs()) {}

std::unique_ptr<ConstraintsBetween> ConstraintsBetween::of(const DaeProblem& problem,
                                                           const VecX& start, const Interval& span,
                                                           const Options& options) {
  if (problem.sizes().ny == 0 || problem.kind() == Kind::invariants) return nullptr;
  std::unique_ptr<ConstraintsBetween> all(new ConstraintsBetween(problem, start, options));
  bool any = false;
  // Where they cannot be evaluated later, nothing is known; the run may not come to there.
  if (thrown_in([&] { any = all->find_driven(start, span); })) return nullptr;
  return any ? std::move(all) : nullptr;
}

void ConstraintsBetween::put(int point, int count, double t, const VecX& state) {
  const auto size = static_cast<std::size_t>(nq_ * count);
  t_.resize(static_cast<std::size_t>(count));
  q_.resize(size);
  v_.resize(has_velocity_ ? size : 0);
  t_[static_cast<std::size_t>(point)] = t;
  for (int i = 0; i < nq_; ++i) {
    q_[static_cast<std::size_t>(i * count + point)] = state[i];
    if (has_velocity_) v_[static_cast<std::size_t>(i * count + point)] = state[nq_ + i];
  }
}

/// Row i at point p is at [i * stride + p].
const Terms& ConstraintsBetween::evaluate(int count) {
  return evaluation_->evaluate(
      Ask::g, {count, count, t_.data(), q_.data(), has_velocity_ ? v_.data() : nullptr, nullptr});
}

bool ConstraintsBetween::find_driven(const VecX& start, const Interval& span) {
  for (int p = 0; p < times_looked_at; ++p) {
    const double part = static_cast<double>(p) / (times_looked_at - 1);
    put(p, times_looked_at, span.begin + part * span.length(), start);
  }
  const Terms& terms = evaluate(times_looked_at);
  for (int i = 0; i < ny_; ++i) {
    const double* const g = terms.g + i * terms.stride;
    if (std::any_of(g, g + times_looked_at, [g](double one) { return !(one == g[0]); })) {
      driven_.push_back(i);
    }
  }
  allowed_.assign(driven_.size(), 0);
  found_.resize(driven_.size());
  largest_ = found_;
  return !driven_.empty();
}

/// What a state may be off that is wrong by `away`, as far as that is along a few directions,
/// the signs of which are those of sines, so that entries do not cancel.
void ConstraintsBetween::allow(double t, const VecX& state, const VecX& away) {
  constexpr int directions = 4, count = 2 * directions + 1;
  put(0, count, t, state);
  for (int k = 1; k < count; ++k) {
    shifted_ = state;
    for (int i = 0; i < nq_; ++i) {
      const double sign = std::sin((k + 1) / 2 * (1.3 * i + 1)) < 0 ? -1 : 1;
      shifted_[i] += (k % 2 == 0 ? -sign : sign) * away[i];
    }
    put(k, count, t, shifted_);
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

/// All in a step whose states are these: found_. The most that one of them is off, of what is
/// allowed.
double ConstraintsBetween::look(double begin, double end, const StateAt& inside) {
  constexpr int count = static_cast<int>(places.size());
  for (int p = 0; p < count; ++p) {
    const double theta = places[static_cast<std::size_t>(p)];
    inside(theta, inside_);
    if (has_velocity_) see_speed(p == 0);
    put(p, count, begin + theta * (end - begin), inside_);
  }
  const Terms& terms = evaluate(count);
  double part = 0;
  for (std::size_t k = 0; k < driven_.size(); ++k) {
    const double* const g = terms.g + driven_[k] * terms.stride;
    const double ends = 2 * std::max(std::abs(g[0]), std::abs(g[count - 1]));
    Place& found = found_[k] = {};
    for (int p = 1; p + 1 < count; ++p) {
      const double off = std::abs(g[p]) - ends;
      if (off > found.off) found = {t_[static_cast<std::size_t>(p)], off, 0};
    }
    if (found.off > 0) part = std::max(part, found.off / allowed_[k]);
  }
  return part;
}

double ConstraintsBetween::part_of_step(double begin, double end, const VecX& state,
                                        const StateAt& roughly, const StateAt& inside,
                                        double many) {
  size_ = size_.cwiseMax(state.cwiseAbs());
  double part = look(begin, end, roughly) / many;
  if (part > 1) {
    allow(end, state, tolerances());
    part = look(begin, end, roughly) / many;
  }
  if (part > 1) part = look(begin, end, inside) / many;
  const double size = std::abs(end - begin);
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
  if (has_velocity_ && chooses_) see_moved(end, size, state, many);
  end_ = end;
  state_ = state;
  return 1;
}

ConstraintsBetween::Place ConstraintsBetween::worst(const VecX& away) {
  Place worst;
  if (state_.size() == 0) return worst;
  allow(end_, state_, away);
  for (std::size_t k = 0; k < driven_.size(); ++k) {
    const double part = largest_[k].off > 0 ? largest_[k].off / allowed_[k] : 0;
    if (part > worst.part) worst = {largest_[k].t, largest_[k].off, part};
  }
  return worst;
}

/// Of the state inside_.
void ConstraintsBetween::see_speed(bool is_begin) {
  if (is_begin) {
    begin_ = inside_.head(nq_);
    speed_.setZero(nq_);
  }
  speed_ = speed_.cwiseMax(inside_.tail(nq_).cwiseAbs());
}

/// Positions move as velocities say, whatever a drive does.
void ConstraintsBetween::see_moved(double end, double size, const VecX& state, double many) {
  constexpr double faster = 2;
  for (int i = 0; i < nq_; ++i) {
    const double off = std::abs(state[i] - begin_[i]) - faster * size * speed_[i];
    const double allowed = many * tolerance_.weight(i, size_[i], size_[i]);
    if (off > allowed && off > moved_.off) moved_ = {end, off, off / allowed};
  }
}

}  // namespace daewave::ivp
