#include "ivp/reduced/singular_trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ivp/equations/dae_system_of.hpp"
#include "ivp/reduced/pivot_watch.hpp"

namespace daewave::ivp {
namespace {

/// A node of which no more is left is as good as in such a configuration, until it has come away.
constexpr double came_away = 0.1;

bool alike(double a, double b, double share) {
  return std::abs(a - b) <= share * std::max(std::abs(a), std::abs(b));
}

}  // namespace

SingularTrace::SingularTrace(const DaeProblem& problem, const VecX& z, double t)
    : system_(dae_system_of(problem, z, t)), dependence_(*system_, t, z) {}

int SingularTrace::left_out(double change) const {
  // Where it turns it changes slowly, and faster behind: no more than twice as many at once.
  constexpr int most = 64;
  constexpr double faster = 6;
  const double away = pivot_.back() / (faster * std::max(change, change_)) - count / 2;
  if (!(away > 0)) return 0;  // Nor where it is no number.
  return static_cast<int>(std::min<double>({away, most, 2.0 * gap_ + 1}));
}

void SingularTrace::see(double t, const VecX& z) {
  if (wait_ > 0) {
    --wait_;
    ++gap_;
    return;
  }
  const double before = pivot_.back();
  if (gap_ > 0) seen_ = 0;
  look(t, z);
  const double change = std::abs(pivot_.back() - before) / (gap_ + 1);
  wait_ = beside_ ? 0 : left_out(change);
  change_ = change;
  gap_ = 0;
}

void SingularTrace::look(double t, const VecX& z) {
  std::rotate(t_.begin(), t_.begin() + 1, t_.end());
  std::rotate(pivot_.begin(), pivot_.begin() + 1, pivot_.end());
  t_.back() = t;
  pivot_.back() = dependence_.reached(t, z);
  ++seen_;
  if (pivot_.back() < near_dependent) {
    if (!beside_) passed_.push_back(t);
    beside_ = true;
  }
  beside_ = beside_ && pivot_.back() < came_away;
  if (beside_ || seen_ < count) return;
  // Between the third and the fourth.
  const auto slope = [this](int i) { return (pivot_[i + 1] - pivot_[i]) / (t_[i + 1] - t_[i]); };
  const double direction = t_[1] > t_[0] ? 1 : -1;
  const double before = direction * slope(1), after = direction * slope(3);
  if (!(before < 0 && after > 0)) return;
  if (!alike(slope(0), slope(1), 0.35) || !alike(slope(3), slope(4), 0.35)) return;
  if (!alike(before, -after, 0.5)) return;
  const double falls_to = t_[2] - pivot_[2] / slope(1), rises_from = t_[3] - pivot_[3] / slope(3);
  const double gap = t_[3] - t_[2];
  const auto inside = [&](double at) {
    const double part = (at - t_[2]) / gap;
    return part > -0.2 && part < 1.2;
  };
  if (!inside(falls_to) || !inside(rises_from)) return;
  if (std::abs(falls_to - rises_from) > 0.25 * std::abs(gap)) return;
  const double at = 0.5 * (falls_to + rises_from);
  // A node beside it has told of it.
  if (passed_.empty() || std::abs(passed_.back() - at) > 3 * std::abs(gap)) passed_.push_back(at);
}

void SingularTrace::judge(Report& report) const {
  if (passed_.empty() || !report.usable()) return;
  report.termination = Termination::singular_constraint;
  report.message = fmt::format(
      "constraints became dependent at t = {:.6g}{}, which this method passes without knowing the "
      "branch: what follows may be another motion",
      passed_.front(),
      passed_.size() > 1 ? fmt::format(" and {} times more", passed_.size() - 1) : "");
  report.advice =
      "estimate_error = true, which tells whether another method takes the same branch; leave "
      "method and h open: steps whose errors are controlled are led over";
}

}  // namespace daewave::ivp
