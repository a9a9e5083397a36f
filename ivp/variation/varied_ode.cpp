#include "ivp/variation/varied_ode.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "ivp/variation/end_difference.hpp"

namespace daewave::ivp {

VariedOde::VariedOde(OdeSystem& system, OdeSystem& beside, VecX unit, double part, int starts,
                     std::vector<MovedSystems> parameters)
    : system_(system),
      beside_(beside),
      n_(static_cast<int>(unit.size())),
      starts_(starts),
      unit_(std::move(unit)),
      part_(part),
      parameters_(std::move(parameters)) {
  z_ = slope_ = s_ = x_ = x_slope_ = state_moved_ = slope_moved_ = state_sum_ = slope_sum_ =
      VecX::Zero(n_);
}

void VariedOde::tries_from(double t) {
  system_.tries_from(t);
  beside_.tries_from(t);
  for (MovedSystems& moved : parameters_) {
    for (const auto& one : moved.at) one->tries_from(t);
  }
}

void VariedOde::looks_inside(bool begins) {
  system_.looks_inside(begins);
  beside_.looks_inside(begins);
  for (MovedSystems& moved : parameters_) {
    for (const auto& one : moved.at) one->looks_inside(begins);
  }
}

bool VariedOde::rhs_at(OdeSystem& system, double t, VecX& x, VecX& slope) {
  if (system.rhs(t, x, slope)) return true;
  failure_ = system.failure();
  return false;
}

bool VariedOde::stepped_at(OdeSystem& system, double t, VecX& x, VecX& slope) {
  if (system.rhs(t, x, slope) && system.after_step(t, x, slope)) return true;
  failure_ = system.failure();
  return false;
}

/// Of z_ along s: into state_moved_ and slope_moved_.
template <class Evaluate>
bool VariedOde::along(const VecX& s, Evaluate evaluate) {
  state_moved_.setZero();
  slope_moved_.setZero();
  const double size = (s.array() / unit_.array()).abs().maxCoeff();
  if (!(size > 0)) return true;
  const double d = part_ / size;
  for (int i = 0; i < 4; ++i) {
    x_ = z_ + (difference_point[i] * d) * s;
    if (!evaluate(beside_, x_, x_slope_)) return false;
    state_moved_ += (difference_weight[i] / d) * x_;
    slope_moved_ += (difference_weight[i] / d) * x_slope_;
  }
  return true;
}

/// The same of z_ by a parameter.
template <class Evaluate>
bool VariedOde::by_parameter(MovedSystems& moved, Evaluate evaluate) {
  state_moved_.setZero();
  slope_moved_.setZero();
  for (int i = 0; i < 4; ++i) {
    x_ = z_;
    if (!evaluate(*moved.at[static_cast<std::size_t>(i)], x_, x_slope_)) return false;
    state_moved_ += (difference_weight[i] / moved.step) * x_;
    slope_moved_ += (difference_weight[i] / moved.step) * x_slope_;
  }
  return true;
}

/// All columns of z; `states` null: their slopes alone.
template <class Evaluate>
bool VariedOde::vary(const VecX& z, Evaluate evaluate, VecX* states, VecX& slopes) {
  for (int j = 0; j < columns(); ++j) {
    const int at = (1 + j) * n_;
    s_ = z.segment(at, n_);
    if (!along(s_, evaluate)) return false;
    state_sum_ = state_moved_;
    slope_sum_ = slope_moved_;
    if (j >= starts_) {
      if (!by_parameter(parameters_[static_cast<std::size_t>(j - starts_)], evaluate)) return false;
      state_sum_ += state_moved_;
      slope_sum_ += slope_moved_;
    }
    if (states != nullptr) states->segment(at, n_) = state_sum_;
    slopes.segment(at, n_) = slope_sum_;
  }
  return true;
}

bool VariedOde::rhs(double t, const VecX& z, VecX& slope) {
  z_ = z.head(n_);
  if (!rhs_at(system_, t, z_, slope_)) return false;
  slope.head(n_) = slope_;
  return vary(
      z, [&](OdeSystem& system, VecX& x, VecX& out) { return rhs_at(system, t, x, out); }, nullptr,
      slope);
}

bool VariedOde::after_step(double t, VecX& z, VecX& slope) {
  if (!stabilizes()) return true;
  z_ = z.head(n_);
  states_ = z;
  // The columns first: rhs(t, z) stays what system_ was asked for last.
  if (!vary(
          z, [&](OdeSystem& system, VecX& x, VecX& out) { return stepped_at(system, t, x, out); },
          &states_, slope)) {
    return false;
  }
  slope_ = slope.head(n_);
  if (!system_.after_step(t, z_, slope_)) {
    failure_ = system_.failure();
    return false;
  }
  z = states_;
  z.head(n_) = z_;
  slope.head(n_) = slope_;
  return true;
}

bool VariedOde::jacobian(double t, const VecX& z, MatX& J) {
  J.setZero(z.size(), z.size());
  z_ = z.head(n_);
  for (int k = 0; k < n_; ++k) {
    const double d = 1e-6 * std::max(unit_[k], std::abs(z_[k]));
    for (const double sign : {1.0, -1.0}) {
      x_ = z_;
      x_[k] += sign * d;
      if (!rhs_at(beside_, t, x_, x_slope_)) return false;
      J.col(k).head(n_) += (sign / (2 * d)) * x_slope_;
    }
  }
  for (int j = 1; j <= columns(); ++j) {
    J.block(j * n_, j * n_, n_, n_) = J.topLeftCorner(n_, n_);
  }
  return true;
}

bool VariedOde::multiplier(double t, const VecX& z, VecX& multiplier) {
  if (system_.multiplier(t, z.head(n_), multiplier)) return true;
  failure_ = system_.failure();
  return false;
}

}  // namespace daewave::ivp
