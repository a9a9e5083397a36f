// Looks of which a call is dear: many intervals in one.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "bvp/nonlinear/curve_residual.hpp"

namespace daewave::bvp {

/// Of this interval and, where they are asked for one after the other, of some that follow.
IterateSystem::Batch CurveResidual::place_middles(int interval) {
  const int most = looks_ahead_ ? 4096 : 32, first = 4;
  const Mesh& mesh = curve_->mesh();
  const bool goes_on = middles_.count > 0 && interval == middles_.first + middles_.count;
  const int wanted = looks_ahead_ ? most : goes_on ? std::min(2 * middles_.count, most) : first;
  middles_.first = interval;
  middles_.count = std::min(wanted, end_ - interval);
  middles_.stride = padded(middles_.count);
  const int n = system_.nx(), m = system_.carried(), stride = middles_.stride;
  const auto size = [stride](int rows) { return static_cast<std::size_t>(rows * stride); };
  const int later = padded(std::min(most, end_ - interval));
  const auto room = [&](UnsetVector& of, int rows) {
    of.reserve(static_cast<std::size_t>(rows * later));
    of.resize(size(rows));
  };
  room(middles_.J, n * n + 1);  // Whole registers are read.
  room(middle_x_, n + 1);
  room(middle_slope_, n + 1);
  room(middle_before_, m + 1);
  t_of_middles_.clear();
  const int k = curve_->scheme().stages;
  const CollocationValues& values = curve_->values();
  const StagePolynomials::Weights integrals = curve_->polynomials().integrals(0.5);
  for (int p = 0; p < middles_.count; ++p) {
    const int i = interval + p;
    t_of_middles_.push_back(mesh.node(i) + 0.5 * mesh.step(i));
    for (int r = 0; r < n; ++r) {
      double sum = 0;
      for (int j = 0; j < k; ++j) sum += integrals[j] * values.slopes(r, i * k + j);
      middle_x_[size(r) + static_cast<std::size_t>(p)] = values.x(r, i) + mesh.step(i) * sum;
    }
    if (m > 0) curve_->carried_in(i, 0.5, before_point_);
    for (int r = 0; r < m; ++r) {
      middle_before_[size(r) + static_cast<std::size_t>(p)] = before_point_[r];
    }
  }
  middle_carried_ = middle_before_;
  return {{middles_.count, stride, t_of_middles_.data(), middle_x_.data(), middle_before_.data()},
          middle_slope_.data(),
          middle_carried_.data()};
}

void CurveResidual::find_middles(int interval) {
  const IterateSystem::Batch middles = place_middles(interval);
  std::string failure;
  middles_.known = system_.linearize_batch(middles, moved_, middles_.J.data(), {}, failure);
}

void CurveResidual::expect(std::vector<FirstLook> looks) {
  if (looks_ahead_) expected_ = std::move(looks);
}

/// What is asked for in this interval first, with what will be in those that follow.
void CurveResidual::look_ahead(int interval, const Places& at) {
  const auto& intervals = ahead_.intervals;
  if (std::binary_search(intervals.begin(), intervals.end(), interval)) return;
  std::vector<double> theta;
  const double left = curve_->mesh().node(interval), h = curve_->mesh().step(interval);
  for (const double t : at.t) theta.push_back((t - left) / h);
  place_ahead(looks_from(interval, theta, *at.polynomials));
  if (evaluate_ahead()) return;
  ahead_.intervals.clear();
  looks_ahead_ = false;  // Each has to be looked at by itself.
}

/// Those that are expected; else the same places in all that follow.
std::vector<FirstLook> CurveResidual::looks_from(int interval, const std::vector<double>& theta,
                                                 const PolynomialsAt& at) const {
  constexpr int most = 16384;
  const int stages = curve_->scheme().stages;
  const auto expected = std::find_if(expected_.begin(), expected_.end(), [&](const FirstLook& one) {
    return one.interval == interval;
  });
  std::vector<FirstLook> looks;
  int points = 0;
  const auto add = [&](const FirstLook& one) {
    points += stages + static_cast<int>(one.theta->size());
    if (!looks.empty() && points > most) return false;
    looks.push_back(one);
    return true;
  };
  for (auto one = expected; one != expected_.end() && add(*one);) ++one;
  for (int i = interval; expected == expected_.end() && i < end_; ++i) {
    if (!add({i, &theta, &at})) break;
  }
  return looks;
}

void CurveResidual::place_ahead(const std::vector<FirstLook>& looks) {
  const int n = system_.nx(), m = system_.carried(), stages = curve_->scheme().stages;
  const Mesh& mesh = curve_->mesh();
  ahead_.intervals.clear();
  ahead_.begin.assign(1, 0);
  for (const FirstLook& look : looks) {
    ahead_.intervals.push_back(look.interval);
    ahead_.begin.push_back(ahead_.begin.back() + stages + static_cast<int>(look.theta->size()));
  }
  const int all = ahead_.begin.back();
  const auto size = [all](int rows) { return static_cast<std::size_t>(rows * all); };
  ahead_.t.clear();
  ahead_.x.resize(size(n));
  ahead_.before.resize(size(m));
  for (std::size_t k = 0; k < looks.size(); ++k) {
    const FirstLook& look = looks[k];
    const int i = look.interval, first = ahead_.begin[k], points = ahead_.begin[k + 1] - first;
    for (int j = 0; j < stages; ++j) ahead_.t.push_back(curve_->stage_time(i, j));
    for (const double part : *look.theta) ahead_.t.push_back(mesh.node(i) + mesh.step(i) * part);
    place(i, stages, {{}, look.at});
    for (int r = 0; r < n; ++r) {
      std::copy_n(x_.data() + r * stride_, points, ahead_.x.data() + r * all + first);
    }
    for (int r = 0; r < m; ++r) {
      std::copy_n(before_.data() + r * stride_, points, ahead_.before.data() + r * all + first);
    }
  }
}

/// With J in the middles of those intervals. False where anything is not known there.
bool CurveResidual::evaluate_ahead() {
  const auto has = [this](double time) { return has_equations(time); };
  if (!std::all_of(ahead_.t.begin(), ahead_.t.end(), has)) return false;
  const int all = ahead_.begin.back(), first = ahead_.intervals.front();
  ahead_.slopes.resize(ahead_.x.size());
  ahead_.carried = ahead_.before;
  const IterateSystem::Batch points{
      {all, all, ahead_.t.data(), ahead_.x.data(), ahead_.before.data()},
      ahead_.slopes.data(),
      ahead_.carried.data()};
  std::string failure;
  if (!dependent_.empty() || middles_.has(first)) {
    return system_.evaluate_batch(points.at, points.slope, points.carried, nullptr, failure);
  }
  const IterateSystem::Batch middles = place_middles(first);
  middles_.known = system_.linearize_batch(middles, moved_, middles_.J.data(), points, failure);
  if (!middles_.known) middles_.count = 0;  // Each by itself, or all, may be known.
  return middles_.known;
}

/// What was found before at the times asked for now.
bool CurveResidual::take_from_ahead(int interval) {
  const auto found = std::lower_bound(ahead_.intervals.begin(), ahead_.intervals.end(), interval);
  if (found == ahead_.intervals.end() || *found != interval) return false;
  const auto k = static_cast<std::size_t>(found - ahead_.intervals.begin());
  const int first = ahead_.begin[k], points = ahead_.begin[k + 1] - first;
  if (points != static_cast<int>(t_.size())) return false;
  const double close = 1e-12 * curve_->mesh().step(interval);
  for (int p = 0; p < points; ++p) {
    if (!(std::abs(t_[static_cast<std::size_t>(p)] - ahead_.t[first + p]) <= close)) return false;
  }
  stride_ = padded(points);
  const int n = system_.nx(), m = system_.carried(), all = ahead_.begin.back();
  const auto copy = [&](const UnsetVector& from, int rows, UnsetVector& to) {
    const auto size = static_cast<std::size_t>(rows + 1) * static_cast<std::size_t>(stride_);
    if (to.size() < size) to.resize(size);
    for (int i = 0; i < rows; ++i) {
      std::copy_n(from.data() + i * all + first, points, to.data() + i * stride_);
    }
  };
  copy(ahead_.slopes, n, slopes_at_);
  copy(ahead_.carried, m, carried_at_);
  return true;
}

}  // namespace daewave::bvp
