#include "ivp/srm/srm_sweeps.hpp"

#include <algorithm>
#include <utility>

namespace daewave::ivp {

SrmSweeps::SrmSweeps(std::unique_ptr<RegularizedOde> ode, const SrmFormula& formula,
                     InitialIterate y_0)
    : ode_(std::move(ode)), iterate_(formula.iterate(*ode_)), y_0_(std::move(y_0)) {}

double SrmSweeps::bytes_per_step() const {
  const auto points = static_cast<double>(iterate_->points().size());
  constexpr double lengths = 3;  // Two of the steps, one of the times.
  return 8 * (lengths + ode_->size() + points * ode_->carried());
}

bool SrmSweeps::run(double t, const VecX& x, const std::vector<double>& steps, int iterates,
                    const std::function<bool(double part)>& goes_on) {
  stopped_ = false;
  prepare(t, x, steps);
  changes_.clear();
  end_.resize(0);
  for (int s = 1; s <= iterates; ++s) {
    const auto of_all = [&](double part) { return goes_on((s - 1 + part) / iterates); };
    if (sweep(x, s == iterates, goes_on ? of_all : std::function<bool(double)>())) continue;
    if (stopped_) return false;
    failure_ = "iterate " + std::to_string(s) + ": " + iterate_->failure();
    return false;
  }
  return true;
}

Eigen::Map<const VecX> SrmSweeps::x(int i) const {
  const int n = ode_->size();
  return {&x_[static_cast<std::size_t>(i) * static_cast<std::size_t>(n)], n};
}

Eigen::Map<const VecX> SrmSweeps::carried(int i) const {
  const int n = ode_->carried();
  const std::size_t points = iterate_->points().size() * static_cast<std::size_t>(i);
  return {&wave_[points * static_cast<std::size_t>(n)], n};
}

/// The waveform of y_0.
void SrmSweeps::prepare(double t, const VecX& x, const std::vector<double>& steps) {
  const std::vector<double>& points = iterate_->points();
  VecX y = VecX::Zero(ode_->carried());
  const auto ny = static_cast<std::size_t>(y.size());
  steps_ = steps;
  at_.fill({x, x, y});
  before_.assign(points.size(), y);
  after_ = before_;
  x_.assign((steps.size() + 1) * static_cast<std::size_t>(x.size()), 0);
  wave_.assign((steps.size() * points.size() + 1) * ny, 0);
  const auto put = [&](double time, std::size_t point) {
    if (!y_0_) return;
    y_0_(time, y);
    std::copy_n(y.data(), ny, &wave_[point * ny]);
  };
  put(t, 0);
  t_.assign(1, t);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    for (std::size_t j = 0; j < points.size(); ++j) {
      put(t_[i] + points[j] * steps[i], 1 + i * points.size() + j);
    }
    t_.push_back(t_[i] + steps[i]);
  }
}

bool SrmSweeps::sweep(const VecX& x, bool last, const std::function<bool(double part)>& goes_on) {
  const auto ny = static_cast<std::size_t>(ode_->carried());
  VecX left = Eigen::Map<const VecX>(wave_.data(), ode_->carried());
  int now = 0;
  if (!iterate_->start(t_[0], x, left, at_[0])) return false;
  std::copy_n(at_[0].carried.data(), ny, wave_.data());
  if (last) keep(0, x);
  double* wave = wave_.data() + ny;
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    for (std::size_t j = 0; j < before_.size(); ++j) {
      std::copy_n(wave + j * ny, ny, before_[j].data());
    }
    IterateState& to = at_[1 - now];
    const IterateStep step{t_[i], steps_[i], at_[now], left, before_.data()};
    if (!iterate_->advance(step, to, after_.data())) return false;
    iterate_->accept(steps_[i]);
    for (const VecX& y : after_) wave = std::copy_n(y.data(), ny, wave);
    left = before_.back();
    now = 1 - now;
    if (last) keep(i + 1, to.x);
    if (goes_on) {
      stopped_ = !goes_on(static_cast<double>(i + 1) / static_cast<double>(steps_.size()));
      if (stopped_) return false;
    }
  }
  const VecX& end = at_[now].x;
  if (end_.size() == end.size()) changes_.push_back((end - end_).cwiseAbs());
  end_ = end;
  return true;
}

void SrmSweeps::keep(std::size_t node, const VecX& x) {
  std::copy_n(x.data(), x.size(), &x_[node * static_cast<std::size_t>(x.size())]);
}

}  // namespace daewave::ivp
