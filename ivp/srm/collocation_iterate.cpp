#include "ivp/srm/collocation_iterate.hpp"

#include <algorithm>

#include "ivp/one_step/difference_jacobian.hpp"
#include "ivp/one_step/error_between.hpp"
#include "ivp/run/lagrange.hpp"

namespace daewave::ivp {
namespace {

/// Stages are always solved to rounding: what is left of them is divided by epsilon in y, and the
/// first changes of a stiff iteration tell little of it. B G / epsilon turns with x: one Jacobian
/// for the step would ask for h^2 < epsilon.
CollocationAccuracy solved_to_rounding(CollocationAccuracy accuracy) {
  accuracy.goal = {};
  accuracy.goal.filters = accuracy.estimates;
  return accuracy;
}

}  // namespace

std::vector<double> points_of(const Collocation& scheme) {
  std::vector<double> points(scheme.c.data(), scheme.c.data() + scheme.stages);
  if (!scheme.ends_at_node()) points.push_back(1);
  return points;
}

CollocationIterate::CollocationIterate(RegularizedOde& ode, const Collocation& scheme,
                                       const Tolerance& tolerance, bool estimate)
    : SrmIterate(ode, points_of(scheme), tolerance),
      accuracy_(solved_to_rounding(accuracy_of(scheme, tolerance, estimate))),
      newton_(stage_transform(scheme), accuracy_.goal),
      solved_inside_(stage_transform(scheme), NewtonGoal{}),
      nodes_of_y_{0, 1},
      inside_(points_.size() - 1) {
  nodes_of_y_.insert(nodes_of_y_.end(), points_.begin(), points_.end() - 1);
}

bool CollocationIterate::start(double t, const VecX& x, const VecX& before, IterateState& at) {
  resize(static_cast<int>(x.size()), static_cast<int>(before.size()));
  at.x = at.slope = error_ = weight_ = x;
  at.carried = before;
  for (VecX& y : inside_) y = before;
  newton_.start(static_cast<int>(x.size()));
  reliable_ = inside_known_ = false;
  return evaluate_end(x, t, before, at) && finite("x'", at.slope, t);
}

bool CollocationIterate::advance(const IterateStep& step, IterateState& to, VecX* after) {
  const VecX& x = step.from.x;
  diverged_ = inside_known_ = false;
  if (!solve_stages(newton_, step)) {
    reliable_ = false;
    if (!newton_.evaluated()) return false;
    diverged_ = newton_.finite();
    failure_ = newton_.failure(step.t);
    return false;
  }
  if (after != nullptr && !leave_at_stages(newton_, step, after)) return false;
  const std::size_t last = points_.size() - 1;
  const double t = step.t + step.h;
  newton_.increment(to.x);
  to.x += x;
  if (!evaluate_end(to.x, t, step.before[last], to)) return false;
  if (!finite("x'", to.slope, t)) return false;
  if (after != nullptr) after[last] = to.carried;
  return true;
}

bool CollocationIterate::solve_stages(StageNewton& newton, const IterateStep& step) {
  const StageTransform& scheme = newton.scheme();
  const auto time = [&](int j) { return step.t + scheme.c[j] * step.h; };
  const VecX& x = step.from.x;
  if (accuracy_.estimates) weigh(accuracy_, tolerance_, x, weight_);
  return newton.solve(
      x, step.h, weight_,
      [&](int j, const VecX& X, VecX& F) {
        return evaluate(X, time(j), step.before[j], F, carried_);
      },
      [&](int j, const VecX& X, const VecX& F, MatX& J) {
        return j < 0 ? differentiate(step.h, step.t, x, step.left, step.from.slope, J)
                     : differentiate(step.h, time(j), X, step.before[j], F, J);
      });
}

/// y_s there, the end excepted: the iteration left that before its last change, and 1/epsilon would
/// enlarge that.
bool CollocationIterate::leave_at_stages(const StageNewton& newton, const IterateStep& step,
                                         VecX* after) {
  for (std::size_t j = 0; j + 1 < points_.size(); ++j) {
    x_ = step.from.x + newton.Z(static_cast<int>(j));
    const double t = step.t + points_[j] * step.h;
    if (!evaluate(x_, t, step.before[j], slope_, after[j])) return false;
  }
  return true;
}

int CollocationIterate::solved_degree() const {
  const StageTransform& scheme = newton_.scheme();
  const bool solves = scheme.ends_at_node || accuracy_.estimates;
  return solves ? degree_of_solved(scheme, accuracy_, between_) : 0;
}

bool CollocationIterate::solve_inside(const IterateStep& step, double theta, VecX& x, VecX* after) {
  solved_inside_.go_inside(newton_, theta);
  if (!solve_stages(solved_inside_, step)) return false;
  solved_inside_.increment(x);
  x += step.from.x;
  if (!x.allFinite()) return false;
  if (after == nullptr) return true;
  const std::size_t last = points_.size() - 1;
  return leave_at_stages(solved_inside_, step, after) &&
         evaluate(x, step.t + step.h, step.before[last], slope_, after[last]);
}

double CollocationIterate::error(const IterateStep& step, const IterateState& to) {
  const VecX& x = step.from.x;
  newton_.estimate(step.h, step.from.slope, error_);
  double size = tolerance_.norm(error_, x, to.x) / accuracy_.unit;
  if (size >= 1 && !reliable_) {
    // Once more at the corrected begin, as in [HW2] (8.20).
    x_ = x + error_;
    if (evaluate(x_, step.t, step.left, slope_, carried_)) {
      newton_.estimate(step.h, slope_, error_);
      size = tolerance_.norm(error_, x, to.x) / accuracy_.unit;
    }
  }
  if (size >= 1) reliable_ = false;
  const double between = error_between(newton_, step.h, nullptr, tolerance_, x, to.x, error_);
  const double stiff =
      stiff_error_at_end(newton_, step.h, nullptr, tolerance_, x, to.x, error_, x_);
  const double error = std::max({size, between / accuracy_.unit, stiff});
  trial_between_ = error * accuracy_.unit;
  return error;
}

double CollocationIterate::refused() const {
  return accuracy_.estimates && diverged_ ? accuracy_.not_converged : SrmIterate::refused();
}

void CollocationIterate::accept(double h) {
  newton_.accept(h);
  between_ = trial_between_;
  reliable_ = true;
}

void CollocationIterate::interpolate(const IterateStep& taken, const IterateState& /*to*/,
                                     double theta, VecX& out) {
  newton_.interpolate(theta, out);
  out += taken.from.x;
}

bool CollocationIterate::carried_at(const IterateStep& taken, const IterateState& to, double t,
                                    const VecX& /*x*/, const VecX* /*before*/, VecX& carried) {
  if (!inside_known_ && !find_inside(taken, to)) return false;
  inside_known_ = true;
  const double theta = 1 - (taken.t + taken.h - t) / taken.h;
  carried = lagrange(nodes_of_y_, 0, theta) * taken.from.carried;
  carried += lagrange(nodes_of_y_, 1, theta) * to.carried;
  for (std::size_t j = 0; j < inside_.size(); ++j) {
    carried += lagrange(nodes_of_y_, j + 2, theta) * inside_[j];
  }
  return true;
}

bool CollocationIterate::find_inside(const IterateStep& taken, const IterateState& to) {
  for (std::size_t j = 0; j < inside_.size(); ++j) {
    interpolate(taken, to, points_[j], x_);
    const double t = taken.t + taken.h - (1 - points_[j]) * taken.h;
    if (!evaluate(x_, t, taken.before[j], slope_, inside_[j])) return false;
  }
  return true;
}

bool CollocationIterate::differentiate(double h, double t, const VecX& x, const VecX& before,
                                       const VecX& slope, MatX& J) {
  if (!accuracy_.estimates) weigh_by_digits(x, weight_);
  x_ = x;
  return difference_jacobian(
      [&](const VecX& moved, VecX& F) { return evaluate(moved, t, before, F, carried_); }, x_,
      slope, weight_, h, slope_, J);
}

}  // namespace daewave::ivp
