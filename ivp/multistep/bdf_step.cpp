#include "ivp/multistep/bdf_step.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/algebraic/root_follower.hpp"
#include "core/not_finite.hpp"

namespace daewave::ivp {
namespace {

/// Part of the tolerance that Newton's method may leave.
constexpr double newton_part = 0.2;
/// An increment whose error is that many tolerances is not worth a projection.
constexpr double hopeless = 10;
/// Steps that differ by less are on one grid.
constexpr double same_grid = 1e-9;
/// After so many rejections in a row the formula begins with order 1 again.
constexpr int most_rejections = 12;
constexpr long most_starting_steps = 1'000'000;

Projection no_projection() {
  Projection none;
  none.onto = Onto::nothing;
  return none;
}

}  // namespace

BdfStep::BdfStep(DaeSystem& system, const BdfOptions& options, const Tolerance& tolerance)
    : system_(system),
      options_(options),
      tolerance_(tolerance),
      nz_(system.nz()),
      nw_(system.nw()),
      newton_(system, options.multipliers ? options.projection.onto : Onto::nothing,
              options.rank_tolerance, options.projection.metric == ProjectionMetric::weighted),
      projection_(system, options.multipliers ? no_projection() : options.projection,
                  options.rank_tolerance),
      choice_(options.order) {}

bool BdfStep::start(double t, const VecX& z) {
  const int n = nz_ + nw_;
  t_ = t;
  h_ = 0;
  z_ = trial_z_ = base_ = before_ = z;
  slope_ = before_slope_ = VecX::Zero(nz_);
  joins_start_ = false;
  scale_ = VecX::Ones(n);
  weight_ = VecX::Ones(nz_);
  w_ = residual_ = VecX::Zero(nw_);
  predicted_ = change_ = d_ = VecX::Zero(n);
  past_.resize(n);
  choice_ = BdfOrder(options_.order);
  started_ = 0;
  system_.guess_algebraic(w_);
  if (!system_.algebraic(t, z_, w_)) return failure_ = Failure::system, false;
  trial_w_ = w_;
  ++evaluations_;
  if (!system_.evaluate(t, z_, w_, slope_, residual_)) return failure_ = Failure::system, false;
  restart();
  return true;
}

/// The past is the state alone; its slope comes in with the first grid.
void BdfStep::restart() {
  d_.head(nz_) = z_;
  d_.tail(nw_) = w_;
  past_.start(d_.data());
  before_ = z_;
  before_slope_ = slope_;
  has_past_ = false;
  h_ = 0;
  choice_.restart();
  newton_.forget();
}

/// The grid of the step that is tried.
void BdfStep::take_grid(double h) {
  const bool other = std::abs(h - h_) > same_grid * std::abs(h_) || h_ == 0;
  if (h_ == 0) {
    for (int i = 0; i < nz_; ++i) past_.D(1)[i] = h * slope_[i];
  } else if (other) {
    past_.rescale(h / h_, std::max(choice_.order(), degree_));
  }
  if (other) h_ = h;
  choice_.begin(std::abs(h), other);
}

double BdfStep::attempt(double h) {
  system_.tries_from(t_);
  if (starting()) return attempt_to_start(h);
  trial_h_ = h;
  take_grid(h);
  trial_order_ = options_.fixed ? options_.order : choice_.order();
  past_.predict(trial_order_, predicted_.data(), change_.data());
  trial_z_ = predicted_.head(nz_);
  trial_w_ = predicted_.tail(nw_);
  weigh();
  const double t = t_ + h;
  if (!solve(t, h_)) return not_solved(Failure::newton);
  d_.head(nz_) = trial_z_ - predicted_.head(nz_);
  d_.tail(nw_) = trial_w_ - predicted_.tail(nw_);
  if (!projection_.projects()) return error_of_increment();
  if (!options_.fixed && norm(d_.data()) > hopeless * (trial_order_ + 1)) {
    return reject(norm(d_.data()) / (trial_order_ + 1));
  }
  if (!projection_.project(t, trial_z_, weight_)) return not_solved(Failure::projection);
  if (!options_.projection.estimate) {
    d_.head(nz_) = trial_z_ - predicted_.head(nz_);
    return error_of_increment();
  }
  base_ = d_.head(nz_);
  projection_.keep_tangential(base_, weight_);
  const double error = norm(base_.data()) / (trial_order_ + 1);
  d_.head(nz_) = trial_z_ - predicted_.head(nz_);
  error_ = error;
  return options_.fixed ? 0 : error <= 1 ? error : reject(error);
}

bool BdfStep::solve(double t, double h) {
  const double gamma = bdf_gamma[static_cast<std::size_t>(trial_order_)];
  base_ = predicted_.head(nz_) - change_.head(nz_);
  return newton_.solve(t, h / gamma, base_, trial_z_, trial_w_, scale_, newton_part);
}

/// Of the increment d_; the step is not accepted yet.
double BdfStep::error_of_increment() {
  error_ = norm(d_.data()) / (trial_order_ + 1);
  if (options_.fixed) return 0;
  return error_ <= 1 ? error_ : reject(error_);
}

/// A past that predicts nothing, beside a jump or a kink, is forgotten.
void BdfStep::begin_anew_at_last() {
  if (options_.fixed || choice_.rejections() % most_rejections != 0) return;
  ++evaluations_;
  if (system_.algebraic(t_, z_, w_) && system_.evaluate(t_, z_, w_, slope_, residual_)) restart();
}

double BdfStep::reject(double error) {
  if (std::isnan(error)) return not_solved(Failure::newton);
  double lower = INFINITY;
  if (trial_order_ > 1) {
    // The difference number k of what was tried.
    const double* const Dk = past_.D(trial_order_);
    base_ = d_.head(nz_);
    for (int i = 0; i < nz_; ++i) base_[i] += Dk[i];
    lower = norm(base_.data()) / trial_order_;
  }
  choice_.rejected(error, lower);
  begin_anew_at_last();
  return error;
}

double BdfStep::not_solved(Failure failure) {
  failure_ = failure;
  choice_.unsolved();
  begin_anew_at_last();
  return not_a_number;
}

bool BdfStep::follows() {
  if (nw_ > 0 && was_foreseen(trial_w_, predicted_.tail(nw_), w_)) return true;
  return system_.follows({t_, z_, w_}, {t_ + trial_h_, trial_z_, trial_w_});
}

bool BdfStep::accept() {
  if (starting()) return accept_of_start();
  if (!follows()) {
    not_solved(Failure::system);
    return false;
  }
  past_.advance(trial_order_, d_.data());
  z_.swap(trial_z_);
  w_.swap(trial_w_);
  t_ += trial_h_;
  last_h_ = trial_h_;
  degree_ = trial_order_;
  if (options_.fixed) return true;
  joins_start_ = !has_past_;
  has_past_ = true;
  if (!choice_.may_change()) {
    choice_.accepted();
    return true;
  }
  const int k = trial_order_;
  const double lower = k > 1 ? norm(past_.D(k)) / k : INFINITY;
  const double higher = choice_.knows_higher() ? norm(past_.D(k + 2)) / (k + 2) : INFINITY;
  choice_.accepted(error_, lower, higher);
  return true;
}

/// Of fixed steps nearly all digits count.
void BdfStep::weigh() {
  const double least = options_.fixed ? 1e-3 * z_.cwiseAbs().maxCoeff() : 0;
  for (int i = 0; i < nz_; ++i) {
    const double size = std::max(std::abs(z_[i]), least);
    scale_[i] = 1 / (options_.fixed ? 1e-12 * (size > 0 ? size : 1.0)
                                    : tolerance_.weight(i, z_[i], predicted_[i]));
  }
  if (options_.projection.metric == ProjectionMetric::weighted) {
    weight_ = scale_.head(nz_).cwiseInverse();
  }
  weigh_algebraic();
}

/// Relative to itself, as nobody has said what of w is small.
void BdfStep::weigh_algebraic() {
  double largest = 0;
  for (int i = 0; i < nw_; ++i)
    largest = std::max({largest, std::abs(w_[i]), std::abs(trial_w_[i])});
  const double relative = options_.fixed ? 1e-12 : tolerance_.relative();
  for (int i = 0; i < nw_; ++i) {
    const double size = std::max(std::abs(w_[i]), std::abs(trial_w_[i])) + 0.1 * largest;
    scale_[nz_ + i] = size > 0 ? 1 / (relative * size) : 0;
  }
}

double BdfStep::norm(const double* e) const {
  double sum = 0;
  for (int i = 0; i < nz_; ++i) {
    const double scaled = e[i] * scale_[i];
    sum += scaled * scaled;
  }
  return std::sqrt(sum / std::max(nz_, 1));
}

void BdfStep::interpolate(double theta, VecX& out) {
  out.resize(nz_);
  if (degree_ == 0) {
    // A starting value: the cubic of both ends and their slopes.
    const double a = theta * theta * (3 - 2 * theta), b = theta * (1 - theta);
    out =
        (1 - a) * before_ + a * z_ + (last_h_ * b) * ((1 - theta) * before_slope_ - theta * slope_);
    return;
  }
  if (joins_start_) {
    // The parabola of both ends and the slope at the begin, off the line by what the error measures
    // at most: behind an impact a line may begin to the wrong side.
    out =
        before_ + (theta * last_h_ * (1 - theta)) * before_slope_ + theta * theta * (z_ - before_);
    return;
  }
  past_.interpolate(degree_, (theta - 1) * (last_h_ / h_), 0, nz_, out.data());
}

bool BdfStep::multiplier(VecX& multiplier) {
  if (system_.multiplier(t_, z_, w_, multiplier)) return true;
  failure_ = Failure::system;
  return false;
}

bool BdfStep::multiplier_at(double t, const VecX& z, VecX& multiplier) {
  if (degree_ == 0) {
    trial_w_ = w_;
    if (!system_.algebraic(t, z, trial_w_)) return failure_ = Failure::system, false;
  } else {
    past_.interpolate(degree_, (t - t_) / h_, nz_, nw_, trial_w_.data());
  }
  if (system_.multiplier(t, z, trial_w_, multiplier)) return true;
  failure_ = Failure::system;
  return false;
}

double BdfStep::first_step(double sign, double most) {
  predicted_.head(nz_) = z_;
  weigh();
  const double size = norm(z_.data()), rate = norm(slope_.data());
  const double probe = std::min(rate > 0 && size > 0 ? 0.01 * size / rate : 1e-6 * most, most);
  trial_z_ = z_ + sign * probe * slope_;
  trial_w_ = w_;
  ++evaluations_;
  if (!system_.evaluate(t_ + sign * probe, trial_z_, trial_w_, base_, residual_)) {
    return sign * 1e-3 * probe;
  }
  base_ -= slope_;
  const double curvature = norm(base_.data()) / probe;
  // |h^2 z'' / 2| is a quarter.
  const double h = curvature > 0 ? std::sqrt(0.5 / curvature) : 100 * probe;
  return sign * std::min({h, 100 * probe, most});
}

double BdfStep::attempt_to_start(double h) {
  trial_h_ = h;
  failure_ = Failure::starting;
  if (started_ == 0) {
    if (starter_) evaluations_ += starter_->evaluations();  // Of a start before.
    starter_ = make_starter();
    if (!starter_->start(t_, z_)) return not_a_number;
    starter_length_ = std::abs(starter_->first_step(h < 0 ? -1 : 1, std::abs(h)));
  }
  const double end = t_ + h;
  for (long i = 0; i < most_starting_steps; ++i) {
    const double left = std::abs(end - starter_->t());
    const bool last = 1.01 * starter_length_ >= left;
    const double length = last ? left : starter_length_;
    const double error = starter_->attempt(h < 0 ? -length : length);
    const bool accepted = error <= 1 && starter_->accept();
    starter_length_ = starter_->next_length();
    if (!(starter_length_ > 1e-14 * std::abs(h))) break;
    if (accepted && last) {
      trial_z_ = starter_->state();
      trial_w_ = starter_->algebraic();
      return 0;
    }
  }
  return not_a_number;
}

bool BdfStep::accept_of_start() {
  before_ = z_;
  before_slope_ = slope_;
  z_ = trial_z_;
  w_ = trial_w_;
  if (h_ == 0) h_ = trial_h_;
  if (started_ > 0) past_.rescale(trial_h_ / h_, started_);
  h_ = last_h_ = trial_h_;
  d_.head(nz_) = z_;
  d_.tail(nw_) = w_;
  past_.push(++started_, d_.data());
  t_ += trial_h_;
  degree_ = 0;
  ++evaluations_;
  if (system_.evaluate(t_, z_, w_, slope_, residual_)) return true;
  failure_ = Failure::system;
  return false;
}

std::unique_ptr<BdfStep> BdfStep::make_starter() const {
  BdfOptions options = options_;
  options.fixed = false;
  options.order = most_bdf_order;
  Options nearly_rounding;
  nearly_rounding.rtol = 1e-12;
  const VecX atol = rounding_of_time().cwiseMax(1e-12 * std::max(z_.cwiseAbs().maxCoeff(), 1e-3));
  nearly_rounding.atol_each.assign(atol.data(), atol.data() + nz_);
  return std::make_unique<BdfStep>(system_, options, Tolerance(nearly_rounding, nz_));
}

/// What rounding of t, by which a restart is beside its time too, makes of each entry. One that
/// hardly moves is moved by the others of its kind.
VecX BdfStep::rounding_of_time() const {
  // The sum of that of starting steps; restarts have a margin of 4.
  constexpr double units = 100;
  constexpr double part = 0.1;
  VecX rate = slope_.cwiseAbs();
  const int positions = std::min(system_.positions(), nz_);
  for (auto kind : {rate.head(positions), rate.tail(nz_ - positions)}) {
    kind = kind.cwiseMax(part * largest_size(kind)).eval();
  }
  return units * std::numeric_limits<double>::epsilon() * std::abs(t_) * rate;
}

std::string BdfStep::failure() const {
  switch (failure_) {
    case Failure::none:
      return "";
    case Failure::system:
      return system_.failure();
    case Failure::newton:
      return newton_.failure();
    case Failure::projection:
      return projection_.failure();
    case Failure::starting:
      return failure_to_start();
  }
  return "";
}

std::string BdfStep::failure_to_start() const {
  std::string why = starter_->failure();
  if (!why.empty()) return why;
  return fmt::format(
      "the {} values that steps of order {} start from were not found: controlled steps to them "
      "became shorter than 1e-14 h at t = {:.10g}",
      options_.order, options_.order, starter_->t());
}

long BdfStep::evaluations() const {
  return evaluations_ + newton_.evaluations() + (starter_ ? starter_->evaluations() : 0);
}

}  // namespace daewave::ivp
