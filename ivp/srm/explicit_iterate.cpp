#include "ivp/srm/explicit_iterate.hpp"

#include <algorithm>
#include <cmath>

#include "ivp/run/lagrange.hpp"
#include "ivp/srm/stage_rows.hpp"

namespace daewave::ivp {

std::vector<double> points_of(const ExplicitTableau& formula) {
  std::vector<double> points;
  for (double c : formula.c) {
    const bool known = std::find(points.begin(), points.end(), c) != points.end();
    if (c > 0 && c != 1 && !known) points.push_back(c);
  }
  points.push_back(1);
  return points;
}

ExplicitIterate::ExplicitIterate(RegularizedOde& ode, const ExplicitTableau& formula,
                                 const Tolerance& tolerance, bool estimate)
    : SrmIterate(ode, points_of(formula), tolerance),
      formula_(&formula),
      estimates_(estimate && !formula.error.empty()) {
  for (std::size_t i = 0; i < formula.c.size(); ++i) {
    const auto found = std::find(points_.begin(), points_.end(), formula.c[i]);
    // That of the begin is not used.
    slot_[i] = found == points_.end() ? 0 : static_cast<int>(found - points_.begin());
  }
  choose_nodes();
}

/// The ends, then points near those of Chebyshev, 1/4 and 3/4: the more of them, and the closer to
/// each other, the more the polynomial would enlarge what is not smooth in y.
void ExplicitIterate::choose_nodes() {
  const std::size_t end = points_.size() - 1;
  nodes_ = {0, 1};
  slots_ = {end};
  for (double wanted : {0.25, 0.75}) {
    std::size_t nearest = end;
    for (std::size_t i = 0; i < end; ++i) {
      if (std::find(slots_.begin(), slots_.end(), i) != slots_.end()) continue;
      const bool nearer =
          nearest == end || std::abs(points_[i] - wanted) < std::abs(points_[nearest] - wanted);
      if (nearer) nearest = i;
    }
    if (nearest == end) continue;
    slots_.push_back(nearest);
    nodes_.push_back(points_[nearest]);
  }
}

bool ExplicitIterate::start(double t, const VecX& x, const VecX& before, IterateState& at) {
  const int n = static_cast<int>(x.size());
  resize(n, static_cast<int>(before.size()));
  at.x = at.slope = x;
  at.carried = between_ = before;
  for (std::size_t i = 0; i < k_.size(); ++i) {
    k_[i].setZero(n);
    at_[i] = k_[i].data();
  }
  dense_.resize(static_cast<std::size_t>((formula_->dense_degree() + 1) * n));
  ready_ = false;
  return evaluate_end(x, t, before, at) && finite("x", at.slope, t);
}

bool ExplicitIterate::advance(const IterateStep& step, IterateState& to, VecX* after) {
  const int n = static_cast<int>(x_.size());
  const double* const x = step.from.x.data();
  ready_ = false;
  // The slope at the end takes the place of a stage when it is known.
  const auto end = static_cast<std::size_t>(formula_->end_stage());
  at_[end] = k_[end].data();
  at_[0] = step.from.slope.data();
  for (std::size_t i = 1; i < static_cast<std::size_t>(formula_->stages); ++i) {
    step_along(x, step.h, formula_->a[i], at_.data(), n, x_.data());
    if (!evaluate(x_, step.t + formula_->c[i] * step.h, step.before[slot_[i]], k_[i], carried_)) {
      return false;
    }
  }
  step_along(x, step.h, formula_->b, at_.data(), n, to.x.data());
  const double t = step.t + step.h;
  const std::size_t last = points_.size() - 1;
  if (!finite("x", to.x, t)) return false;
  if (!evaluate_end(to.x, t, step.before[last], to)) return false;
  at_[end] = to.slope.data();
  if (after == nullptr) return true;
  after[last] = to.carried;
  return last == 0 || between(step, to, after);
}

/// y_s at the points inside.
bool ExplicitIterate::between(const IterateStep& step, const IterateState& to, VecX* after) {
  ready(step, to);
  for (std::size_t i = 0; i + 1 < points_.size(); ++i) {
    interpolate(step, to, points_[i], x_);
    if (!evaluate(x_, step.t + points_[i] * step.h, step.before[i], slope_, after[i])) return false;
  }
  return true;
}

double ExplicitIterate::error(const IterateStep& step, const IterateState& to) {
  const int n = static_cast<int>(slope_.size());
  sum_stages(1, formula_->error[0], at_.data(), n, slope_.data());
  const double e = tolerance_.mean_square(slope_, step.from.x, to.x);
  if (formula_->error.size() == 1) return std::abs(step.h) * std::sqrt(e);
  sum_stages(1, formula_->error[1], at_.data(), n, slope_.data());
  const double both = e + 0.01 * tolerance_.mean_square(slope_, step.from.x, to.x);
  return both > 0 ? std::abs(step.h) * e / std::sqrt(both) : both;
}

void ExplicitIterate::ready(const IterateStep& step, const IterateState& to) {
  const int n = static_cast<int>(x_.size());
  const double h = step.h;
  double* const rows = dense_.data();
  for (int i = 0; i < n; ++i) {
    const double change = to.x[i] - step.from.x[i];
    const double begin = h * step.from.slope[i] - change;
    rows[i] = step.from.x[i];
    rows[n + i] = change;
    rows[2 * n + i] = begin;
    rows[3 * n + i] = change - h * to.slope[i] - begin;
  }
  degree_ = 3;
  ready_ = true;
  for (std::size_t i = static_cast<std::size_t>(formula_->stages) + 1; i < formula_->c.size();
       ++i) {
    step_along(step.from.x.data(), h, formula_->a[i], at_.data(), n, x_.data());
    if (!evaluate(x_, step.t + formula_->c[i] * h, step.before[slot_[i]], k_[i], carried_)) return;
  }
  for (const Combination& row : formula_->dense) {
    sum_stages(h, row, at_.data(), n, rows + ++degree_ * n);
  }
}

void ExplicitIterate::interpolate(const IterateStep& taken, const IterateState& to, double theta,
                                  VecX& out) {
  if (!ready_) ready(taken, to);
  const int n = static_cast<int>(x_.size());
  out.resize(n);
  interpolate_rows(dense_.data(), degree_, theta, n, out.data());
}

bool ExplicitIterate::carried_at(const IterateStep& taken, const IterateState& /*to*/, double t,
                                 const VecX& x, const VecX* before, VecX& carried) {
  if (before == nullptr) {
    const double theta = 1 - (taken.t + taken.h - t) / taken.h;
    between_ = lagrange(nodes_, 0, theta) * taken.left;
    for (std::size_t i = 0; i < slots_.size(); ++i) {
      between_ += lagrange(nodes_, i + 1, theta) * taken.before[slots_[i]];
    }
    before = &between_;
  }
  return evaluate(x, t, *before, slope_, carried);
}

}  // namespace daewave::ivp
