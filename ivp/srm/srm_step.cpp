#include "ivp/srm/srm_step.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/not_finite.hpp"
#include "ivp/run/lagrange.hpp"

namespace daewave::ivp {

SrmStep::SrmStep(std::unique_ptr<RegularizedOde> ode, const SrmFormula& formula, int iterates,
                 InitialIterate y_0, const Tolerance& tolerance, bool estimate)
    : ode_(std::move(ode)), y_0_(std::move(y_0)), nodes_(static_cast<std::size_t>(iterates)) {
  for (int s = 0; s < iterates; ++s) {
    iterates_.push_back(formula.iterate(*ode_, tolerance, estimate));
  }
  estimates_ = iterates_.back()->error_order() > 0;
  between_.setZero(ode_->carried());
  y_0_at_.fill(between_);
  for (auto& wave : waves_) wave.assign(iterates_.back()->points().size(), between_);
}

bool SrmStep::start(double t, const VecX& x) {
  t_ = begin_ = t;
  h_ = 0;
  if (!follows_) initial(t, y_0_at_[now_]);
  y_0_at_[1 - now_] = y_0_at_[now_];
  for (std::size_t s = 0; s < nodes_.size(); ++s) {
    failed_at_ = static_cast<int>(s) + 1;
    IterateState& at = nodes_[s][now_];
    if (!iterates_[s]->start(t, x, left_of(s), at)) return false;
    nodes_[s][1 - now_] = at;
  }
  return true;
}

double SrmStep::attempt(double h) {
  trial_h_ = h;
  fill_first_wave(h);
  int wave = 0;
  double error = 0;
  for (std::size_t s = 0; s < nodes_.size(); ++s) {
    SrmIterate& iterate = *iterates_[s];
    const IterateStep step{t_, h, nodes_[s][now_], left_of(s), waves_[wave].data()};
    IterateState& to = nodes_[s][1 - now_];
    const bool last = s + 1 == nodes_.size();
    VecX* const after = last && leaves_ == nullptr ? nullptr : waves_[1 - wave].data();
    if (!iterate.advance(step, to, after)) {
      failed_at_ = static_cast<int>(s) + 1;
      return iterate.refused();
    }
    if (estimates_) {
      error = larger(error, iterate.error(step, to));
      if (iterate.gives_up_early() && !(error <= 1)) return error;
    }
    wave_ = wave;
    wave = 1 - wave;
  }
  if (leaves_ == nullptr) return error;
  double* out = leaves_;
  for (const VecX& y : waves_[wave]) out = std::copy_n(y.data(), y.size(), out);
  return error;
}

bool SrmStep::accept() {
  for (auto& iterate : iterates_) iterate->accept(trial_h_);
  now_ = 1 - now_;
  begin_ = t_;
  t_ += trial_h_;
  h_ = trial_h_;
  solved_.clear();
  sampled_.reset();
  return true;
}

IterateCheckpoint SrmStep::checkpoint(int s, bool kept) const {
  const IterateState& at = iterate(s);
  const SrmIterate& keeps = *iterates_[static_cast<std::size_t>(s - 1)];
  return {at.x, at.slope, at.carried, kept ? keeps.kept() : VecX()};
}

void SrmStep::restore(int s, const IterateCheckpoint& from) {
  IterateState& at = nodes_[static_cast<std::size_t>(s - 1)][now_];
  at.x = from.x;
  at.slope = from.slope;
  at.carried = from.carried;
  iterates_[static_cast<std::size_t>(s - 1)]->take_up(from.kept);
  iterates_[static_cast<std::size_t>(s - 1)]->moved();
}

void SrmStep::restore_time(double t) {
  t_ = t;
  if (!follows_) initial(t, y_0_at_[now_]);
}

void SrmStep::follow_from(const VecX& y, int before) {
  follows_ = true;
  y_0_at_[now_] = y;
  number_ = before;
}

void SrmStep::interpolate(double theta, VecX& out) {
  iterates_.back()->interpolate(last_taken(), nodes_.back()[now_], theta, out);
}

bool SrmStep::solve_inside(double theta, VecX& out) {
  return estimates_ ? solve_all_inside(theta, out) : solve_last_inside(theta, out);
}

bool SrmStep::solve_last_inside(double theta, VecX& out) {
  fill_wave_inside(theta);
  const IterateStep step = taken(nodes_.size() - 1, theta * h_, wave_inside_.data());
  return iterates_.back()->solve_inside(step, theta, out, nullptr);
}

bool SrmStep::solve_all_inside(double theta, VecX& out) {
  const double h = theta * h_;
  const std::vector<double>& points = iterates_[0]->points();
  for (auto& wave : waves_inside_) wave.resize(points.size(), between_);
  for (std::size_t i = 0; i < points.size(); ++i) {
    initial(begin_ + points[i] * h, waves_inside_[0][i]);
  }
  int wave = 0;
  for (std::size_t s = 0; s < nodes_.size(); ++s) {
    VecX* const after = waves_inside_[1 - wave].data();
    const IterateStep step = taken(s, h, waves_inside_[wave].data());
    if (!iterates_[s]->solve_inside(step, theta, out, after)) return false;
    wave = 1 - wave;
  }
  solved_.push_back({begin_ + h, waves_inside_[wave].back()});
  return true;
}

void SrmStep::fill_wave_inside(double theta) {
  const IterateStep taken = last_taken();
  const std::vector<double>& points = iterates_.back()->points();
  wave_inside_.resize(points.size(), between_);
  nodes_of_wave_ = {0};
  nodes_of_wave_.insert(nodes_of_wave_.end(), points.begin(), points.end());
  for (std::size_t i = 0; i < points.size(); ++i) {
    VecX& y = wave_inside_[i];
    const double at = theta * points[i];
    if (knows_y_before()) {
      initial(taken.t + at * taken.h, y);
      continue;
    }
    y = lagrange(nodes_of_wave_, 0, at) * taken.left;
    for (std::size_t j = 0; j < points.size(); ++j) {
      y += lagrange(nodes_of_wave_, j + 1, at) * taken.before[j];
    }
  }
}

bool SrmStep::multiplier(VecX& carried) {
  carried = nodes_.back()[now_].carried;
  return true;
}

bool SrmStep::multiplier_at(double t, const VecX& z, VecX& carried) {
  if (estimates_ && solved_degree() > 0 && between_solved(t, carried)) return true;
  const bool known = knows_y_before();
  if (known) initial(t, between_);
  failed_at_ = iterates();
  return iterates_.back()->carried_at(last_taken(), nodes_.back()[now_], t, z,
                                      known ? &between_ : nullptr, carried);
}

const VecX* SrmStep::solved_multiplier(double t) const {
  // Times are rounded where they are divided by h and multiplied again.
  const double rounding = 8 * std::numeric_limits<double>::epsilon() *
                          std::max(std::abs(begin_), std::abs(begin_ + h_));
  for (const SolvedMultiplier& one : solved_) {
    if (std::abs(one.t - t) <= rounding) return &one.carried;
  }
  return nullptr;
}

bool SrmStep::between_solved(double t, VecX& carried) {
  if (const VecX* const solved = solved_multiplier(t)) {
    carried = *solved;
    return true;
  }
  if (!sampled_ && !sample_multiplier()) return false;
  carried = sampled_->at(t);
  return true;
}

/// By as many solutions as states have where many are asked for, and mostly the same.
bool SrmStep::sample_multiplier() {
  SampledOutput sampled(ode_->carried(), solved_degree(), begin_);
  for (const double theta : sampled.points()) {
    if (theta == 0 || theta == 1) {
      sampled.add(nodes_.back()[theta == 0 ? 1 - now_ : now_].carried.data());
      continue;
    }
    const double t = begin_ + theta * h_;
    if (solved_multiplier(t) == nullptr && !solve_all_inside(theta, inside_)) return false;
    sampled.add(solved_multiplier(t)->data());
  }
  sampled.add_step(begin_ + h_);
  sampled_ = std::move(sampled);
  return true;
}

Drift SrmStep::drift() {
  Drift drift;
  iterates_.back()->residuals(t_, nodes_.back()[now_], left_of(nodes_.size() - 1), drift.position,
                              drift.velocity);
  return drift;
}

Drift SrmStep::drift_of(int s) {
  Drift drift;
  iterates_.back()->residuals_of(t_, iterate(s), left_of(nodes_.size() - 1), drift.position,
                                 drift.velocity);
  return drift;
}

std::string SrmStep::failure() const {
  return "iterate " + std::to_string(number_ + failed_at_) + ": " +
         iterates_[static_cast<std::size_t>(failed_at_ - 1)]->failure();
}

long SrmStep::evaluations() const {
  long sum = 0;
  for (const auto& iterate : iterates_) sum += iterate->evaluations();
  return sum;
}

void SrmStep::initial(double t, VecX& y) const {
  if (y_0_) {
    y_0_(t, y);
  } else {
    y.setZero();
  }
}

void SrmStep::fill_first_wave(double h) {
  if (follows_) {
    const double* from = given_;
    for (VecX& y : waves_[0]) {
      std::copy_n(from, y.size(), y.data());
      from += y.size();
    }
  } else {
    const std::vector<double>& points = iterates_[0]->points();
    for (std::size_t i = 0; i < points.size(); ++i) initial(t_ + points[i] * h, waves_[0][i]);
  }
  y_0_at_[1 - now_] = waves_[0].back();
}

IterateStep SrmStep::taken(std::size_t s, double h, const VecX* before) const {
  const VecX& left = s == 0 ? y_0_at_[1 - now_] : carried_of(s, 1 - now_);
  return {begin_, h, nodes_[s][1 - now_], left, before};
}

IterateStep SrmStep::last_taken() const {
  return taken(nodes_.size() - 1, h_, waves_[wave_].data());
}

}  // namespace daewave::ivp
