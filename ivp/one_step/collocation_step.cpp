#include "ivp/one_step/collocation_step.hpp"

#include <algorithm>
#include <cmath>

#include "core/not_finite.hpp"
#include "ivp/one_step/difference_jacobian.hpp"
#include "ivp/one_step/error_between.hpp"
#include "ivp/run/shifted.hpp"

namespace daewave::ivp {
CollocationStep::CollocationStep(OdeSystem& system, const Collocation& scheme,
                                 const Tolerance& tolerance, bool estimate)
    : system_(system),
      tolerance_(tolerance),
      accuracy_(accuracy_of(scheme, tolerance, estimate)),
      stabilizes_(system.stabilizes()),
      newton_(stage_transform(scheme), accuracy_.goal),
      // To rounding: zeros of events are looked for among such states.
      inside_(stage_transform(scheme), NewtonGoal{}) {}

bool CollocationStep::start(double t, const VecX& z) {
  t_ = begin_ = t;
  z_ = before_ = trial_ = looked_at_ = end_ = slope_ = trial_slope_ = weight_ = error_ = z;
  shift_.setZero(z.size());
  reliable_ = false;
  newton_.start(static_cast<int>(z.size()));
  return evaluate(t, z_, slope_) && all_finite("z'", slope_, t, failure_);
}

double CollocationStep::attempt(double h) {
  trial_h_ = h;
  system_.tries_from(t_);
  if (accuracy_.estimates) weigh(accuracy_, tolerance_, z_, weight_);
  const StageRow<double>& c = newton_.scheme().c;
  const bool solved = newton_.solve(
      z_, h, weight_, [&](int j, const VecX& X, VecX& F) { return evaluate(t_ + c[j] * h, X, F); },
      [&](int j, const VecX& X, const VecX& F, MatX& J) {
        return j < 0 ? differentiate_at_begin(h, J) : differentiate(h, t_ + c[j] * h, X, F, J);
      });
  unsolved_ = !solved;
  if (unsolved_) return not_solved();
  newton_.increment(trial_);
  trial_ += z_;
  if (!accuracy_.estimates) return 0.0;
  const double size = error(h);
  trial_between_ = size * accuracy_.unit;
  return size;
}

double CollocationStep::not_solved() {
  reliable_ = false;
  if (!newton_.evaluated()) return not_a_number;
  failure_ = newton_.failure(t_);
  return newton_.finite() && accuracy_.estimates ? accuracy_.not_converged : not_a_number;
}

bool CollocationStep::accept() {
  const double t = t_ + trial_h_;
  if (!evaluate(t, trial_, trial_slope_)) return false;
  if (!system_.follows() || (accuracy_.estimates && system_.refuses_end())) {
    failure_ = system_.failure();
    return false;
  }
  end_ = trial_;
  if (stabilizes_ && !system_.after_step(t, end_, trial_slope_)) {
    failure_ = system_.failure();
    return false;
  }
  if (!all_finite("z'", trial_slope_, t, failure_)) return false;
  newton_.accept(trial_h_);
  if (stabilizes_) shift_ = end_ - trial_;
  before_.swap(z_);
  z_.swap(end_);
  slope_.swap(trial_slope_);
  begin_ = t_;
  t_ = t;
  between_ = trial_between_;
  reliable_ = true;
  return true;
}

void CollocationStep::interpolate(double theta, VecX& out) {
  newton_.interpolate(theta, out);
  out += before_;
  if (stabilizes_) out += shifted(theta) * shift_;
}

/// 3 at least with a shift, which is a cubic.
int CollocationStep::dense_degree() const {
  return stabilizes_ ? std::max(3, newton_.scheme().stages) : newton_.scheme().stages;
}

int CollocationStep::solved_degree() const {
  return degree_of_solved(newton_.scheme(), accuracy_, between_);
}

bool CollocationStep::solve_inside(double theta, VecX& out) {
  const LookInside look(system_);
  return solve_end_inside(theta, out);
}

bool CollocationStep::solve_end_inside(double theta, VecX& out) {
  const double h = theta * newton_.last_length(), t = begin_ + h;
  inside_.go_inside(newton_, theta);
  if (!solve_stages_inside(h)) return false;
  inside_.increment(out);
  out += before_;
  if (stabilizes_ &&
      !(evaluate(t, out, trial_slope_) && system_.after_step(t, out, trial_slope_))) {
    return false;
  }
  return out.allFinite();
}

bool CollocationStep::solve_stages_inside(double h) {
  if (accuracy_.estimates) weigh(accuracy_, tolerance_, before_, weight_);
  const StageRow<double>& c = inside_.scheme().c;
  return inside_.solve(
      before_, h, weight_,
      [&](int j, const VecX& X, VecX& F) { return evaluate(begin_ + c[j] * h, X, F); },
      [&](int j, const VecX& X, const VecX& F, MatX& J) {
        if (j >= 0) return differentiate(h, begin_ + c[j] * h, X, F, J);
        return evaluate(begin_, before_, trial_slope_) &&
               differentiate(h, begin_, before_, trial_slope_, J);
      });
}

bool CollocationStep::multiplier_at(double t, const VecX& z, VecX& carried) {
  if (system_.multiplier(t, z, carried)) return true;
  failure_ = system_.failure();
  return false;
}

double CollocationStep::first_step(double sign, double most) {
  const double z = tolerance_.norm(z_, z_, z_), slope = tolerance_.norm(slope_, z_, z_);
  const double h = z <= 1e-5 || slope <= 1e-5 ? 1e-6 : 0.01 * (z / slope);
  return sign * std::min(h, most);
}

bool CollocationStep::evaluate(double t, const VecX& z, VecX& slope) {
  ++evaluations_;
  if (system_.rhs(t, z, slope)) return true;
  failure_ = system_.failure();
  return false;
}

bool CollocationStep::differentiate_at_begin(double h, MatX& J) {
  // What after_step() mended is no rhs(t, z): differences would divide what is missing by 1e-8.
  if (stabilizes_ && !system_.knows_jacobian()) {
    return evaluate(t_, z_, trial_slope_) && differentiate(h, t_, z_, trial_slope_, J);
  }
  return differentiate(h, t_, z_, slope_, J);
}

bool CollocationStep::differentiate(double h, double t, const VecX& z, const VecX& slope, MatX& J) {
  if (system_.knows_jacobian()) {
    if (system_.jacobian(t, z, J)) return true;
    failure_ = system_.failure();
    return false;
  }
  if (!accuracy_.estimates) weigh_by_digits(z_, weight_);
  error_ = z;
  return difference_jacobian([&](const VecX& moved, VecX& F) { return evaluate(t, moved, F); },
                             error_, slope, weight_, h, trial_, J);
}

double CollocationStep::error(double h) {
  newton_.estimate(h, slope_, error_);
  double size = tolerance_.norm(error_, z_, trial_) / accuracy_.unit;
  if (size >= 1 && !reliable_) {
    // Once more at the corrected begin: fast components that the first steps or a failure have
    // excited no longer count.                                             [HW2] (8.20)
    error_ += z_;
    if (evaluate(t_, error_, trial_slope_)) {
      newton_.estimate(h, trial_slope_, error_);
      size = tolerance_.norm(error_, z_, trial_) / accuracy_.unit;
    }
  }
  if (size >= 1) reliable_ = false;
  return std::max(size, error_between(h));
}

/// Where the step before does not tell, the residual of the polynomial is looked at between its
/// stages: of that of a component that is stiff, the filter leaves what the polynomial is off.
double CollocationStep::error_between(double h) {
  if (before_tells(newton_, h)) {
    const VecX* const shift = stabilizes_ ? &shift_ : nullptr;
    const double between =
        ivp::error_between(newton_, h, shift, tolerance_, z_, trial_, error_) / accuracy_.unit;
    return std::max(
        between, stiff_error_at_end(newton_, h, shift, tolerance_, z_, trial_, error_, looked_at_));
  }
  const StageTransform& scheme = newton_.scheme();
  const double theta = scheme.farthest_between();
  newton_.at_trial(theta, looked_at_, error_);
  looked_at_ += z_;
  if (!evaluate(t_ + theta * h, looked_at_, trial_slope_)) return 0;
  error_ = scheme.mu_real * (h * trial_slope_ - error_);
  newton_.filter(error_);
  // Less what Newton's method may have left of the stages.
  double left = 0;
  for (const double slope : scheme.slopes_at(theta)) left += std::abs(slope);
  left *= scheme.mu_real * accuracy_.goal.error * accuracy_.unit;
  const double between = std::max(0.0, tolerance_.norm(error_, z_, trial_) - left) / accuracy_.unit;
  return std::max(between,
                  stiff_error_at_end(newton_, theta, tolerance_, z_, trial_, error_, looked_at_));
}

}  // namespace daewave::ivp
