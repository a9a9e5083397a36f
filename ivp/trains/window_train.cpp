#include "ivp/trains/window_train.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace daewave::ivp {
namespace {

constexpr int most_reach = 64;
constexpr std::size_t most_flying = 96;
/// Looks at which no window lands.
constexpr int most_looks = 14;
/// Changes as parts of a velocity: windows that change more were wrong altogether, and what follows
/// them too; with less, the model reaches farther. Slopes are taken again where they are in
/// between.
constexpr double wrong = 0.3, nearly_right = 0.02, well_known = 1e-3;
constexpr double rounding_of_velocity = 1e-11;
/// Newton's method pays for sweeps with points alone: windows may be as long as accuracy allows,
/// unless sweeps contract that much slower.
constexpr double cheap_sweeps = 0.4;

}  // namespace

WindowTrain::WindowTrain(const DaeProblem& problem, std::unique_ptr<FlightSweeps> sweeps)
    : terms_(problem), sweeps_(std::move(sweeps)) {}

bool WindowTrain::start(double t, const VecX& z, double end, double most) {
  stop();
  t_ = t;
  z_ = z;
  end_ = end;
  most_ = most;
  sign_ = end < t ? -1 : 1;
  auto slopes = std::make_shared<TermSlopes>();
  terms_.at(t, z, here_, *slopes);
  if (!here_.finite() || !slopes->finite() || !sweeps_->at_point().factorize(here_, 1e-10)) {
    failure_ = fmt::format("the terms at t = {:.10g} and around it allow no model of them", t);
    return false;
  }
  slopes_ = std::move(slopes);
  VecX a;
  sweeps_->at_point().acceleration(here_, a);
  before_.begin = z;
  before_.h = 0;
  before_.series.assign(static_cast<std::size_t>(a.size() * nodes), 0.0);
  for (int i = 0; i < a.size(); ++i) before_.series[static_cast<std::size_t>(i * nodes)] = a[i];
  planned_ = 0;
  reach_ = 2;
  looks_ = 0;
  started_ = true;
  return true;
}

void WindowTrain::stop() {
  flying_.clear();
  landed_ = 0;
  started_ = false;
}

void WindowTrain::drop_from(std::size_t first) { flying_.resize(std::max(first, landed_)); }

double WindowTrain::next_length() const {
  return landed_ > 0 ? std::abs(flying_.front().h) : planned_;
}

const Flight* WindowTrain::landed(double h) {
  failure_.clear();
  // Another length than was planned: what is in flight is not what was asked for.
  if (!flying_.empty() &&
      std::abs(std::abs(h) - std::abs(flying_.front().h)) > 1e-9 * std::abs(h)) {
    flying_.clear();
    landed_ = 0;
  }
  if (flying_.empty()) looks_ = 0;
  while (landed_ == 0) {
    if (!extend(std::abs(h))) return nullptr;
    look();
    judge();
    if (landed_ > 0) break;
    if (failure_.empty() && ++looks_ > most_looks) {
      failure_ = fmt::format("windows from t = {:.10g} do not settle", t_);
    }
    if (!failure_.empty()) return nullptr;
  }
  failure_.clear();
  return &flying_.front();
}

const Flight& WindowTrain::take() {
  taken_ = std::move(flying_.front());
  flying_.pop_front();
  --landed_;
  t_ = taken_.t + taken_.h;
  z_ = taken_.end;
  here_ = taken_.at_end;
  before_ = taken_.motion;
  slopes_ = taken_.slopes;
  planned_ =
      std::min(most_, std::abs(taken_.h) * next_factor(taken_.error, cheap_sweeps * taken_.rate));
  if (!flying_.empty()) planned_ = std::abs(flying_.front().h);
  return taken_;
}

/// Windows behind those in flight. False where there is not even one.
bool WindowTrain::extend(double h) {
  for (int added = 0; added < reach_ && flying_.size() < most_flying; ++added) {
    const bool first = flying_.empty();
    const double from = first ? t_ : flying_.back().t + flying_.back().h;
    const double left = std::abs(end_ - from);
    if (!first && left <= 1e-14 * std::abs(end_)) break;
    double length = h;
    if (!first) {
      const Flight& last = flying_.back();
      length =
          std::min(most_, std::abs(last.h) * next_factor(last.error, cheap_sweeps * last.rate));
      if (1.01 * length >= left) length = left;
    }
    if (!add_window(sign_ * length, first)) return !flying_.empty();
  }
  return !flying_.empty();
}

bool WindowTrain::add_window(double h, bool first) {
  const VecX begin = first ? z_ : flying_.back().end;
  Flight w;
  w.t = first ? t_ : flying_.back().t + flying_.back().h;
  const Flight* const last = first ? nullptr : &flying_.back();
  // What is known nearest: an end that was evaluated.
  const KnownTerms* nearest = &here_;
  for (const Flight& one : flying_) {
    if (one.known) nearest = &one.at_end;
  }
  w.slopes = first ? slopes_ : last->slopes;
  const WindowPolynomial& before = first ? before_ : last->motion;
  const KnownTerms all = nearest->spread(0, nodes);
  for (int attempt = 0; attempt < 6; ++attempt) {
    w.h = h;
    const double ratio = before.h == 0 ? 0 : h / before.h;
    sweeps_->extend(before, ratio == 0 ? 0 : 1, ratio, w.a);
    const bool settled = sweeps_->settle(w, begin, all, *w.slopes);
    if (settled && w.error <= most_error && sweeps_->finish(w, *nearest, *w.slopes, true)) {
      flying_.push_back(std::move(w));
      return true;
    }
    // Only the first of all has to be found; behind it there will be more to go by.
    if (!first) return false;
    h *= settled ? std::min(0.7, next_factor(w.error, w.rate)) : 0.5;
  }
  failure_ = fmt::format("no window from t = {:.10g} is accurate enough", t_);
  return false;
}

/// One evaluation of all in flight that have not landed.
void WindowTrain::look() {
  std::vector<Flight*> windows;
  std::vector<bool> sloped;
  for (std::size_t i = landed_; i < flying_.size(); ++i) {
    Flight& one = flying_[i];
    windows.push_back(&one);
    sloped.push_back(!linear_ &&
                     (one.slopes_taken == 0 || (one.slopes_taken < 3 && one.change > well_known)));
  }
  terms_.of(windows, true, sloped);
}

/// What has landed; the others go again, by the terms as they are.
void WindowTrain::judge() {
  bool settled = true;
  const std::size_t before = landed_;
  for (std::size_t i = landed_; i < flying_.size(); ++i) {
    Flight& w = flying_[i];
    if (!w.nodes.finite() || !w.at_end.finite()) {
      if (i == landed_) failure_ = fmt::format("terms after t = {:.10g} are not finite", w.t);
      drop_from(i);
      reach_ = std::max(1, reach_ / 2);
      break;
    }
    if (settled) {
      const double nodes_off = sweeps_->disagreement(w);
      const double end_off = nodes_off < 0 ? -1 : sweeps_->land(w);
      const double off = std::max(nodes_off, end_off);
      if (end_off >= 0 && (off <= enough_swept || is_rounding(off, w.off))) {
        ++landed_;
        continue;
      }
      w.off = off;
      settled = linear_ = false;
    }
    const VecX begin = i == 0 ? z_ : flying_[i - 1].end;
    if (!again(i, begin)) break;
  }
  if (landed_ > before) looks_ = 0;
  if (flying_.empty()) return;
  if (landed_ == flying_.size()) {
    reach_ = std::min(most_reach, 2 * reach_);
  } else if (flying_.back().change < nearly_right) {
    reach_ = std::min(most_reach, reach_ + 1);
  }
}

/// What is left does not get smaller, and is a small part of a velocity.
bool WindowTrain::is_rounding(double off, double before) const {
  return off * sweeps_->relative_tolerance() < rounding_of_velocity && off > 0.5 * before;
}

/// False where the window, and what follows it, was dropped.
bool WindowTrain::again(std::size_t i, const VecX& begin) {
  Flight& w = flying_[i];
  const bool settled = sweeps_->settle(w, begin, w.nodes, *w.slopes);
  const bool right = settled && (w.change < wrong || i == landed_) && w.error <= most_error &&
                     sweeps_->finish(w, w.at_end, *w.slopes, true);
  if (right) return true;
  if (i == landed_) {
    // The next try begins with one that is shorter.
    const double factor =
        settled && w.error > most_error ? std::min(0.7, next_factor(w.error, w.rate)) : 0.5;
    planned_ = factor * std::abs(w.h);
    failure_ = fmt::format("the window from t = {:.10g} is not accurate enough", w.t);
  }
  drop_from(i);
  reach_ = std::max(1, std::min(reach_ - 1, static_cast<int>(i - landed_) + 1));
  return false;
}

std::vector<WindowPolynomial> WindowTrain::pieces(int count) {
  const WindowFormula& formula = window_formula();
  std::vector<Flight> parts(static_cast<std::size_t>(count));
  std::vector<KnownTerms> nearby(parts.size());
  const double h = taken_.h / count, ratio = 1.0 / count;
  for (int k = 0; k < count; ++k) {
    Flight& one = parts[k];
    one.t = taken_.t + k * h;
    one.h = h;
    one.slopes = taken_.slopes;
    nearby[k] = taken_.nodes;
    sweeps_->extend(taken_.motion, k * ratio, ratio, one.a);
    for (int p = 0; p < nodes; ++p) {
      const double at = (k + formula.c[p]) * ratio;
      int nearest = 0;
      for (int j = 1; j < nodes; ++j) {
        if (std::abs(formula.c[j] - at) < std::abs(formula.c[nearest] - at)) nearest = j;
      }
      nearby[k].copy_point(p, taken_.nodes, nearest);
    }
  }
  for (int look = 0; look < 5; ++look) {
    VecX begin = taken_.motion.begin;
    std::vector<Flight*> all;
    for (int k = 0; k < count; ++k) {
      Flight& one = parts[k];
      const KnownTerms& known = one.known ? one.nodes : nearby[k];
      if (!sweeps_->settle(one, begin, known, *one.slopes) ||
          !sweeps_->finish(one, known, *one.slopes, false)) {
        return {};
      }
      begin = one.end;
      all.push_back(&one);
    }
    terms_.of(all, false, std::vector<bool>(all.size(), false));
    const bool agree = std::all_of(all.begin(), all.end(), [this](const Flight* one) {
      const double off = sweeps_->disagreement(*one);
      return off >= 0 && off <= enough_swept;
    });
    if (!agree) continue;
    std::vector<WindowPolynomial> found;
    for (Flight& one : parts) found.push_back(std::move(one.motion));
    return found;
  }
  return {};
}

}  // namespace daewave::ivp
