#include "ivp/reduced/underlying_solution.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "ivp/one_step/explicit_rk_step.hpp"
#include "ivp/run/step_control.hpp"

namespace daewave::ivp {
namespace {

/// Of an IndexTwoSystem.
class UnderlyingOde final : public OdeSystem {
 public:
  explicit UnderlyingOde(IndexTwoSystem& system) : system_(system) {}

  bool rhs(double t, const VecX& x, VecX& slope) override {
    return system_.underlying(t, x, slope, lambda_);
  }
  bool multiplier(double t, const VecX& x, VecX& lambda) override {
    return system_.underlying(t, x, slope_, lambda);
  }
  Drift drift(double t, const VecX& x) override { return system_.drift(t, x); }
  std::string failure() const override { return system_.failure(); }

 private:
  IndexTwoSystem& system_;
  VecX slope_, lambda_;
};

Tolerance relative_and_absolute(double tolerance, int nx) {
  Options options;
  options.atol = options.rtol = tolerance;
  return Tolerance(options, nx);
}

}  // namespace

class UnderlyingSolution::Steps {
 public:
  Steps(IndexTwoSystem& system, double tolerance)
      : own(std::make_unique<UnderlyingOde>(system)),
        step(*own, tableau(Stepper::dop853), relative_and_absolute(tolerance, system.nx())) {}
  Steps(OdeSystem& ode, int size, double tolerance)
      : step(ode, tableau(Stepper::dop853), relative_and_absolute(tolerance, size)) {}

  bool go_to(double t, double longest, int most_steps) {
    StepControl control(step.control(), step.error_order());
    const double begin = step.t(), sign = t < begin ? -1 : 1;
    const double tiny = 10 * std::numeric_limits<double>::epsilon() * std::abs(t);
    double h = std::min(length > 0 ? length : INFINITY, longest);
    for (int i = 0; i < most_steps; ++i) {
      const double left = std::abs(t - step.t());
      if (left <= tiny) return true;
      const bool last = 1.01 * h >= left;
      const double error = step.attempt(sign * (last ? left : h));
      if (error <= 1) {
        if (!step.accept()) return fails(step.failure());
        h = std::min(h * control.after_accepted(error), longest);
      } else {
        h = (last ? left : h) * control.after_rejected(error);
        if (h <= tiny) return fails(step.failure());
      }
      length = h;
    }
    return fails(
        fmt::format("{} steps do not lead from t = {:.9g} to {:.9g}", most_steps, begin, t));
  }

  bool fails(const std::string& why) {
    failure =
        why.empty() ? fmt::format("the step falls below rounding at t = {:.9g}", step.t()) : why;
    return false;
  }

  std::unique_ptr<UnderlyingOde> own;  ///< Of an IndexTwoSystem.
  ExplicitRkStep step;
  double length = 0;  ///< Of the step to come; 0: not known.
  std::string failure;
};

UnderlyingSolution::UnderlyingSolution(IndexTwoSystem& system, double tolerance)
    : steps_(std::make_unique<Steps>(system, tolerance)) {}
UnderlyingSolution::UnderlyingSolution(OdeSystem& ode, int size, double tolerance)
    : steps_(std::make_unique<Steps>(ode, size, tolerance)) {}
UnderlyingSolution::~UnderlyingSolution() = default;

bool UnderlyingSolution::start(double t, const VecX& x) {
  steps_->failure.clear();
  return steps_->step.start(t, x) || steps_->fails(steps_->step.failure());
}
bool UnderlyingSolution::go_to(double t, double longest, int most_steps) {
  return steps_->go_to(t, longest, most_steps);
}
double UnderlyingSolution::t() const { return steps_->step.t(); }
const VecX& UnderlyingSolution::x() const { return steps_->step.state(); }
const VecX& UnderlyingSolution::slope() const { return steps_->step.slope(); }
bool UnderlyingSolution::multiplier(VecX& lambda) {
  return steps_->step.multiplier(lambda) || steps_->fails(steps_->step.failure());
}
std::string UnderlyingSolution::failure() const { return steps_->failure; }
long UnderlyingSolution::evaluations() const { return steps_->step.evaluations(); }

}  // namespace daewave::ivp
