#include "ivp/srm/srm_iterate.hpp"

#include <limits>
#include <utility>

#include "core/not_finite.hpp"
#include "ivp/srm/stage_rows.hpp"

namespace daewave::ivp {

SrmIterate::SrmIterate(RegularizedOde& ode, std::vector<double> points, const Tolerance& tolerance)
    : points_(std::move(points)), tolerance_(tolerance), ode_(&ode) {}

SrmIterate::~SrmIterate() = default;

double SrmIterate::refused() const { return std::numeric_limits<double>::quiet_NaN(); }

void SrmIterate::residuals(double t, const IterateState& at, const VecX& before, double& position,
                           double& velocity) {
  if (!at_end_) evaluate(at.x, t, before, slope_, carried_);
  at_end_ = true;
  ode_->residuals(position, velocity);
}

void SrmIterate::residuals_of(double t, const IterateState& other, const VecX& before,
                              double& position, double& velocity) {
  at_end_ = false;
  ode_->evaluate(other.x, t, before, slope_, carried_);
  ode_->residuals(position, velocity);
}

void SrmIterate::resize(int nx, int carried) {
  x_.setZero(nx);
  slope_.setZero(nx);
  carried_.setZero(carried);
}

bool SrmIterate::evaluate(const VecX& x, double t, const VecX& before, VecX& slope, VecX& carried) {
  ++evaluations_;
  at_end_ = false;
  if (ode_->evaluate(x, t, before, slope, carried)) return true;
  failure_ = ode_->failure();
  return false;
}

bool SrmIterate::evaluate_end(const VecX& x, double t, const VecX& before, IterateState& at) {
  at_end_ = evaluate(x, t, before, at.slope, at.carried);
  return at_end_;
}

bool SrmIterate::finite(const char* what, const VecX& x, double t) {
  // The sum costs less, and is not finite in all cases that matter.
  return sums_up(x.data(), static_cast<int>(x.size())) || all_finite(what, x, t, failure_);
}

}  // namespace daewave::ivp
