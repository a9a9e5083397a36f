#include "ivp/lanes/lane_step.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "core/not_finite.hpp"
#include "ivp/run/lagrange.hpp"

namespace daewave::ivp {

LaneRescuer::LaneRescuer(std::unique_ptr<RegularizedOde> ode) : ode_(std::move(ode)) {
  x_.setZero(ode_->size());
  slope_ = x_;
  before_.setZero(ode_->carried());
  carried_ = before_;
}

LaneRescue LaneRescuer::rescue() {
  return {[](void* who, int, const double* x, double t, const double* before, double* slope,
             double* carried) {
            return static_cast<LaneRescuer*>(who)->evaluate(x, t, before, slope, carried);
          },
          this};
}

bool LaneRescuer::evaluate(const double* x, double t, const double* before, double* slope,
                           double* carried) {
  std::copy_n(x, x_.size(), x_.data());
  std::copy_n(before, before_.size(), before_.data());
  if (!ode_->evaluate(x_, t, before_, slope_, carried_)) return false;
  std::copy_n(slope_.data(), slope_.size(), slope);
  std::copy_n(carried_.data(), carried_.size(), carried);
  return true;
}

LaneStep::LaneStep(std::shared_ptr<LaneRescuer> rescuer, LaneFeed feed, const LaneFormula& formula,
                   int iterates)
    : rescuer_(std::move(rescuer)), feed_(std::move(feed)), iterates_(iterates) {
  of_step_ = evaluations_of_step(formula);
  points_.assign(1, 0);
  points_.insert(points_.end(), formula.point, formula.point + formula.points);
}

bool LaneStep::start(double t, const VecX& x) {
  t_ = t;
  h_ = 0;
  const bool ok = feed_.start(x.data());
  take();
  state_before_ = state_;
  slope_before_ = slope_;
  left_ = before(0);
  return ok;
}

double LaneStep::attempt(double h) {
  trial_h_ = h;
  left_ = before(0);
  return feed_.next() ? 0 : std::numeric_limits<double>::quiet_NaN();
}

bool LaneStep::accept() {
  state_before_ = state_;
  slope_before_ = slope_;
  take();
  h_ = trial_h_;
  t_ += h_;
  return true;
}

void LaneStep::interpolate(double theta, VecX& out) {
  out.resize(state_.size());
  for (int i = 0; i < state_.size(); ++i) {
    const double change = state_[i] - state_before_[i];
    const double begin = h_ * slope_before_[i] - change, end = change - h_ * slope_[i] - begin;
    out[i] = state_before_[i] + theta * (change + (1 - theta) * (begin + theta * end));
  }
}

bool LaneStep::multiplier(VecX& carried) {
  carried = carried_;
  return true;
}

bool LaneStep::multiplier_at(double t, const VecX& z, VecX& carried) {
  const double theta = 1 - (t_ - t) / h_;
  before_ = lagrange(points_, 0, theta) * left_;
  for (std::size_t i = 1; i < points_.size(); ++i) {
    before_ += lagrange(points_, i, theta) * before(static_cast<int>(i) - 1);
  }
  ++between_;
  return rescuer_->ode().evaluate(z, t, before_, rate_, carried);
}

std::string LaneStep::failure() const {
  return "iterate " + std::to_string(feed_.failed_iterate()) + ": " +
         failed_at_text("x or its slope is not finite after the step", t_);
}

void LaneStep::take() {
  const int nz = rescuer_->ode().size(), nc = rescuer_->ode().carried();
  state_ = Eigen::Map<const VecX>(feed_.x(), nz);
  slope_ = Eigen::Map<const VecX>(feed_.slope(), nz);
  carried_ = Eigen::Map<const VecX>(feed_.after(), nc);
}

}  // namespace daewave::ivp
