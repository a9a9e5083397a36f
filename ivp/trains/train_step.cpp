#include "ivp/trains/train_step.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace daewave::ivp {
namespace {

/// Ordinary windows after a train that did not get on, and tries of one, each shorter.
constexpr int steps_on_foot = 12, most_refused = 4;
/// Where the smallest pivot of G has fallen to that part, constraints may become dependent: each
/// window is looked at by itself there.
constexpr double small_pivot = 0.3;
constexpr int most_parts_of_window = 8;
/// A window is held by its sweeps, and not by its error, where both are so.
constexpr double held_by_sweeps_error = 1e-10, held_by_sweeps_rate = 0.25;

}  // namespace

TrainStep::TrainStep(ReducedOde& system, const DaeProblem& problem,
                     std::unique_ptr<FlightSweeps> sweeps, std::unique_ptr<WindowSweeps> lanes,
                     const Tolerance& tolerance, double end, double most)
    : system_(system),
      train_(problem, std::move(sweeps)),
      plain_(system, std::move(lanes), tolerance, true),
      end_(end),
      most_(most) {}

bool TrainStep::start(double t, const VecX& z) {
  t_ = t;
  z_ = z;
  train_.stop();
  window_ = nullptr;
  plain_is_here_ = true;
  plain_left_ = refused_ = 0;
  if (plain_.start(t, z)) return true;
  failure_ = plain_.failure();
  return false;
}

double TrainStep::attempt(double h) {
  if (plain_left_ == 0) {
    const double error = by_train(h);
    if (!std::isnan(error)) return error;
    train_.stop();
    plain_left_ = steps_on_foot;
    refused_ = 0;
  }
  return by_plain(h);
}

/// NaN where no train gets on.
double TrainStep::by_train(double h) {
  trying_train_ = true;
  if (!train_.started() && !train_.start(t_, z_, end_, most_)) return not_a_number;
  const Flight* const next = train_.landed(h);
  if (next == nullptr) {
    if (++refused_ > most_refused || !(train_.next_length() > 0)) return not_a_number;
    length_ = std::min(train_.next_length(), 0.7 * std::abs(h));
    return INFINITY;
  }
  PivotWatch& pivots = system_.pivots();
  if (pivots.knows() && !pivots.is_never_small()) {
    if (next->pivot < small_pivot * pivots.most()) return not_a_number;
    pivots.see(t_ + 0.5 * h, next->pivot, true);
  }
  refused_ = 0;
  if (std::abs(std::abs(next->h) - std::abs(h)) > 1e-9 * std::abs(h)) {
    length_ = std::abs(next->h);
    return INFINITY;
  }
  return next->error / most_error;
}

double TrainStep::by_plain(double h) {
  trying_train_ = false;
  if (!plain_is_here_ && !plain_.start(t_, z_)) {
    failure_ = plain_.failure();
    return not_a_number;
  }
  plain_is_here_ = true;
  const double error = plain_.attempt(h);
  length_ = plain_.next_length();
  if (!(error <= 1)) failure_ = plain_.failure();
  return error;
}

bool TrainStep::accept() {
  has_pieces_ = false;
  pieces_.clear();
  if (trying_train_) {
    window_ = &train_.take();
    t_ = window_->t + window_->h;
    z_ = window_->end;
    length_ = train_.next_length();
    plain_is_here_ = false;
    by_train_ = true;
    return true;
  }
  if (!plain_.accept()) {
    failure_ = plain_.failure();
    length_ = plain_.next_length();
    return false;
  }
  t_ = plain_.t();
  z_ = plain_.state();
  length_ = plain_.next_length();
  by_train_ = false;
  if (plain_left_ > 0) --plain_left_;
  return true;
}

void TrainStep::interpolate(double theta, VecX& out) {
  if (!by_train_) return plain_.interpolate(theta, out);
  if (!has_pieces_) {
    has_pieces_ = true;
    int count = 1;
    // A polynomial of order 9, of which each half is off by so much less.
    for (double error = window_->inner_error; error > 1 && count < most_parts_of_window;
         count *= 2) {
      error /= 512;
    }
    if (count > 1) pieces_ = train_.pieces(count);
  }
  out.resize(z_.size());
  const int count = static_cast<int>(pieces_.size());
  if (count == 0) {
    window_->motion.at(theta, out);
  } else {
    const int piece = std::clamp(static_cast<int>(theta * count), 0, count - 1);
    pieces_[static_cast<std::size_t>(piece)].at(theta * count - piece, out);
  }
  out += (theta * theta * (3 - 2 * theta)) * (window_->end - window_->free_end);
}

/// As of WindowStep: not above 1.
double TrainStep::stiffness() const {
  if (!by_train_) return plain_.stiffness();
  return window_->error < held_by_sweeps_error && window_->rate > held_by_sweeps_rate ? 1 : 0;
}

bool TrainStep::multiplier(VecX& carried) {
  if (by_train_) {
    carried = window_->multiplier;
    return true;
  }
  return plain_.multiplier(carried);
}

Drift TrainStep::drift() {
  if (by_train_) return {window_->drift_position, window_->drift_velocity};
  return plain_.drift();
}

}  // namespace daewave::ivp
