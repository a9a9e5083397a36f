// Where a window that was swept is looked at before its end is taken.

#include <algorithm>
#include <cstddef>
#include <optional>

#include "ivp/windows/missed_accelerations.hpp"
#include "ivp/windows/window_places.hpp"
#include "ivp/windows/window_step.hpp"

namespace daewave::ivp {

/// Where the window is looked at between its nodes; nowhere where a call is dear and nothing is
/// expected.
std::optional<double> WindowStep::place_to_look() {
  if (!estimates_) return {};
  return modelled_ == nullptr ? look_.next(tried_, trial_) : look_.next_turn(tried_, trial_);
}

/// The window between its nodes and at its end, whose slope is slope_ then. False where that cannot
/// be evaluated.
bool WindowStep::look(double t, Looked& looked) {
  const double* const series = tried_.series.data();
  looked.missed = missed_at(Side::begin, series, weight_, slope_, trial_next_);
  const std::optional<double> theta = place_to_look();
  if (theta) {
    const LegendreAt place(*theta);
    looked_at_.resize(2 * nq_);
    looked_slope_.resize(2 * nq_);
    tried_.at(*theta, place, looked_at_);
    looked.in_lanes = look_in_lanes(*theta, place, t, looked);
    if (!looked.in_lanes && !look_one_by_one(*theta, place, looked)) return false;
  }
  if (!looked.in_lanes) {
    ++evaluations_;
    if (!system_.rhs(t, trial_, slope_)) return false;
  }
  looked.missed =
      std::max(looked.missed, missed_at(Side::end, series, weight_, slope_, trial_next_));
  if (theta && !looked.in_lanes && modelled_ == nullptr) looked.left = left_at_end();
  return true;
}

/// All in one evaluation. False where that is to be done one by one.
bool WindowStep::look_in_lanes(double theta, const LegendreAt& place, double t, Looked& looked) {
  WindowCheck check{
      t_, tried_.h, z_.data(), tried_.series.data(), weight_.data(), trial_next_.data()};
  WindowPoint end{t, trial_.data(), slope_.data() + nq_, 0};
  WindowPoint inside{t_ + theta * tried_.h, looked_at_.data(), looked_slope_.data() + nq_, 0};
  if (!lanes_ || !lanes_->look(check, end, inside)) return false;
  evaluations_ += nodes;
  slope_.head(nq_) = trial_.tail(nq_);
  PivotWatch& pivots = system_.pivots();
  pivots.see(inside.t, inside.pivot, true);
  pivots.see(end.t, end.pivot, true);
  looked.left = check.left;
  looked.missed =
      std::max(looked.missed, missed_at(place, tried_.series.data(), weight_, looked_slope_));
  return true;
}

/// The place, and where calls are not dear those of window_places().
bool WindowStep::look_one_by_one(double theta, const LegendreAt& place, Looked& looked) {
  ++evaluations_;
  if (!system_.rhs(t_ + theta * tried_.h, looked_at_, looked_slope_)) return false;
  looked.missed =
      std::max(looked.missed, missed_at(place, tried_.series.data(), weight_, looked_slope_));
  return modelled_ != nullptr || look_at_places();
}

/// What is missed at the begin is in trial_next_; what at the end, is not known yet.
bool WindowStep::look_at_places() {
  const WindowPlaces& places = window_places();
  constexpr int count = WindowPlaces::count;
  missed_at_places_.resize(static_cast<std::size_t>(nq_ * count));
  for (int p = 0; p < count; ++p) {
    if (p == WindowPlaces::end) continue;
    const bool is_begin = p == WindowPlaces::begin;
    const LegendreAt place(places.theta[p]);
    if (!is_begin) {
      tried_.at(places.theta[p], place, looked_at_);
      ++evaluations_;
      if (!system_.rhs(t_ + places.theta[p] * tried_.h, looked_at_, looked_slope_)) return false;
    }
    for (int i = 0; i < nq_; ++i) {
      double value = 0;
      for (int k = count; k-- > 0;) value += place.value[k] * tried_.series[i * count + k];
      missed_at_places_[i * count + p] = is_begin ? trial_next_[i] : looked_slope_[nq_ + i] - value;
    }
  }
  return true;
}

/// After the end was evaluated.
double WindowStep::left_at_end() {
  for (int i = 0; i < nq_; ++i) {
    missed_at_places_[i * WindowPlaces::count + WindowPlaces::end] = trial_next_[i];
  }
  return left_at_places(missed_at_places_, weight_, rounding_of(slope_));
}

}  // namespace daewave::ivp
