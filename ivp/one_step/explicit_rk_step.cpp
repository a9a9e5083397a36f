#include "ivp/one_step/explicit_rk_step.hpp"

#include <algorithm>
#include <cmath>

#include "ivp/run/shifted.hpp"
#include "ivp/run/state_names.hpp"

namespace daewave::ivp {
namespace {

/// Measured: between its stages a polynomial of dop853 is off by a quarter to a seventh of what
/// times h its slope is off there. A few tolerances are usual where the motion is smooth.
constexpr double most_missed = 12;
/// Of a large state fewer: their polynomials are kept.
constexpr int most_parts = 512, most_numbers = 1 << 21;

}  // namespace

ExplicitRkStep::ExplicitRkStep(OdeSystem& system, const ExplicitTableau& formula,
                               const Tolerance& tolerance, bool estimate)
    : system_(system),
      formula_(formula),
      tolerance_(tolerance),
      estimates_(estimate && !formula.error.empty()),
      stabilizes_(system.stabilizes()) {}

bool ExplicitRkStep::start(double t, const VecX& z) {
  t_ = t;
  h_ = 0;
  take_memory(static_cast<int>(z.size()));
  z_ = before_ = z;
  has_interpolant_ = false;
  return evaluate(t, z_, slope_) && finite(slope_, t);
}

void ExplicitRkStep::take_memory(int n) {
  n_ = n;
  for (VecX* one : {&z_, &slope_, &before_, &trial_, &trial_slope_, &error_, &other_error_}) {
    one->setZero(n);
  }
  const int rows = static_cast<int>(formula_.c.size());
  for (int i = 0; i < std::max(rows, formula_.stages + 1); ++i) k_[i].setZero(n);
  for (int i = 0; i <= formula_.dense_degree(); ++i) polynomial_.row[i].setZero(n);
  const auto sum_of = [](const Combination& row) {
    Sum sum{.row = &row};
    if (row.count > 0) sum.with_z = stage_sum(row.count), sum.alone = stage_sum_alone(row.count);
    return sum;
  };
  const auto take = [&](const std::vector<Combination>& rows_taken, std::vector<Sum>& sums) {
    sums.clear();
    for (const Combination& row : rows_taken) sums.push_back(sum_of(row));
  };
  take(formula_.a, stages_);
  take(formula_.error, errors_);
  take(formula_.dense, dense_sums_);
  end_ = sum_of(formula_.b);
  find_stages();
}

void ExplicitRkStep::find_stages() {
  const auto find = [this](Sum& sum) {
    for (int i = 0; i < sum.row->count; ++i) sum.k[i] = k_[sum.row->stage[i]].data();
  };
  for (auto* sums : {&stages_, &errors_, &dense_sums_}) {
    for (Sum& sum : *sums) find(sum);
  }
  find(end_);
}

double ExplicitRkStep::attempt(double h) {
  has_interpolant_ = false;
  trial_h_ = h;
  system_.tries_from(t_);
  k_[0] = slope_;
  for (int i = 1; i < formula_.stages; ++i) {
    combine(stages_[i], h, z_, trial_);
    if (!evaluate(t_ + formula_.c[i] * h, trial_, k_[i])) return not_a_number;
  }
  if (watches_) last_argument_ = trial_;
  // Where the last stage is at the end, z~ has been formed for it.
  if (!formula_.ends_with_slope) combine(end_, h, z_, trial_);
  if (!finite(trial_, t_ + h)) return not_a_number;
  return estimates_ ? error(h) : 0.0;
}

bool ExplicitRkStep::tried(double theta, VecX& out) {
  out = z_ + theta * ((1 - theta) * trial_h_ * slope_ + theta * (trial_ - z_));
  return true;
}

bool ExplicitRkStep::accept() {
  const double t = t_ + trial_h_;
  VecX& end = k_[formula_.end_stage()];
  if (!formula_.ends_with_slope && !evaluate(t, trial_, end)) return false;
  if (!system_.follows() || (estimates_ && system_.refuses_end())) {
    failure_ = system_.failure();
    return false;
  }
  if (watches_) stiffness_ = stiffness_of(end);
  trial_slope_ = end;
  if (stabilizes_ && !system_.after_step(t, trial_, trial_slope_)) {
    failure_ = system_.failure();
    return false;
  }
  if (!finite(trial_slope_, t)) return false;
  before_.swap(z_);
  z_.swap(trial_);
  slope_.swap(trial_slope_);
  t_ = t;
  h_ = trial_h_;
  return true;
}

void ExplicitRkStep::interpolate(double theta, VecX& out) {
  if (!has_interpolant_) prepare_interpolant();
  if (part_count_ == 0) return polynomial_.at(theta, out);
  const int part = std::clamp(static_cast<int>(theta * part_count_), 0, part_count_ - 1);
  parts_[part].at(theta * part_count_ - part, out);
  out += shifted(theta) * shift_;
}

/// By Hermite: the cubic of states and slopes at the ends, and of positions the polynomial of
/// degree 5, as their second derivatives are known there too.
void ExplicitRkStep::roughly(const double* theta, int count, int n, double* out) {
  const int positions = system_.second_order() ? n_ / 2 : 0;
  for (int i = 0; i < n; ++i) {
    const double z0 = before_[i], z1 = z_[i], v0 = h_ * k_[0][i], v1 = h_ * slope_[i];
    const double moved = z1 - z0, rest0 = v0 - moved, rest1 = moved - v1;
    double bend0 = 0, bend1 = 0;
    if (i < positions) {
      // What the second derivatives of the cubic miss at the ends.
      bend0 = h_ * h_ * k_[0][positions + i] - 2 * (rest1 - 2 * rest0);
      bend1 = h_ * h_ * slope_[positions + i] - 2 * (rest0 - 2 * rest1);
    }
    for (int p = 0; p < count; ++p) {
      const double s = theta[p], r = 1 - s;
      out[i * count + p] = z0 + s * moved + s * r * (r * rest0 + s * rest1) +
                           0.5 * s * s * r * r * (r * bend0 + s * bend1);
    }
  }
}

bool ExplicitRkStep::multiplier_at(double t, const VecX& z, VecX& carried) {
  if (system_.multiplier(t, z, carried)) return true;
  failure_ = system_.failure();
  return false;
}

/// h such that an explicit Euler step would change little, then from the size of z''.
/// Hairer, Norsett, Wanner: Solving Ordinary Differential Equations I, II.4.
double ExplicitRkStep::first_step(double sign, double most) {
  const double z = tolerance_.mean_square(z_, z_, z_);
  const double slope = tolerance_.mean_square(slope_, z_, z_);
  double h = z <= 1e-10 || slope <= 1e-10 ? 1e-6 : 0.01 * std::sqrt(z / slope);
  h = std::min(h, most);
  trial_ = z_ + sign * h * slope_;
  if (!evaluate(t_ + sign * h, trial_, k_[1])) return sign * 1e-3 * h;
  k_[1] -= slope_;
  const double curvature = std::sqrt(tolerance_.mean_square(k_[1], z_, z_)) / h;
  const double largest = std::max(curvature, std::sqrt(slope));
  const double by_curvature =
      largest <= 1e-15 ? std::max(1e-6, 1e-3 * h) : std::pow(0.01 / largest, 1.0 / formula_.order);
  const double first = std::min({100 * h, by_curvature, most});
  return std::isfinite(first) && first > 0 ? sign * first : sign * 1e-3 * h;
}

bool ExplicitRkStep::evaluate(double t, const VecX& z, VecX& slope) {
  ++evaluations_;
  const double* const memory = slope.data();
  const bool evaluated = system_.rhs(t, z, slope);
  if (slope.data() != memory) find_stages();  // Of a vector that was moved there.
  if (!evaluated) failure_ = system_.failure();
  return evaluated;
}

bool ExplicitRkStep::finite(const VecX& z, double t) {
  // The sum costs less, and is not finite in all cases that matter.
  if (std::isfinite(z.sum()) || z.allFinite()) return true;
  failure_ = not_finite_text(z.data(), n_, system_.second_order(), t);
  return false;
}

/// out = z + h sum_j a_j k_j.
void ExplicitRkStep::combine(const Sum& sum, double h, const VecX& z, VecX& out) const {
  if (sum.row->count == 0) {
    out = z;
  } else {
    sum.with_z(z.data(), h, sum.row->coefficient.data(), sum.k.data(), n_, out.data());
  }
}

/// out = h sum_j a_j k_j.
void ExplicitRkStep::combine(const Sum& sum, double h, VecX& out) const {
  if (sum.row->count == 0) {
    out.setZero();
  } else {
    sum.alone(nullptr, h, sum.row->coefficient.data(), sum.k.data(), n_, out.data());
  }
}

double ExplicitRkStep::error(double h) {
  combine(errors_[0], 1, error_);
  if (errors_.size() == 1) return std::abs(h) * tolerance_.norm(error_, z_, trial_);
  combine(errors_[1], 1, other_error_);
  const auto [e, e3] = tolerance_.mean_squares(error_, other_error_, z_, trial_);
  const double both = e + 0.01 * e3;
  return both > 0 ? std::abs(h) * e / std::sqrt(both) : both;
}

double ExplicitRkStep::stiffness_of(const VecX& end) const {
  const double apart = (trial_ - last_argument_).norm();
  // Both are the same but for rounding where h is far below what the tolerance allows.
  if (!(apart > 1e-14 * trial_.norm())) return 0;
  return std::abs(trial_h_) * (end - k_[formula_.stages - 1]).norm() / apart;
}

void ExplicitRkStep::prepare_interpolant() {
  const LookInside look(system_);
  has_interpolant_ = true;
  part_count_ = 0;
  const bool made = make_polynomial();
  if (!estimates_ || !formula_.has_dense_stages()) return;
  const double missed = made ? missed_between() : INFINITY;
  if (missed <= most_missed) return;
  // What is smooth is off by the 8th power of the length of a part.
  const int numbers_of_part = n_ * (formula_.dense_degree() + 1);
  const int most = std::clamp(most_numbers / std::max(numbers_of_part, 1), 2, most_parts);
  int count = 2;
  for (double left = missed / most_missed / 256; left > 1 && 2 * count <= most; left /= 256) {
    count *= 2;
  }
  while (!cut_into(count) && 2 * count <= most) count *= 2;
}

/// Evaluates the stages that only it needs. Where they cannot be evaluated, it is the cubic of
/// Hermite, and this is false.
bool ExplicitRkStep::make_polynomial() {
  auto& row = polynomial_.row;
  row[0] = before_;
  row[1] = z_ - before_;
  row[2] = h_ * k_[0] - row[1];
  row[3] = row[1] - h_ * slope_ - row[2];
  polynomial_.degree = 3;
  for (int i = formula_.stages + 1; i < static_cast<int>(formula_.c.size()); ++i) {
    combine(stages_[i], h_, before_, other_error_);
    if (!evaluate(t_ - (1 - formula_.c[i]) * h_, other_error_, k_[i])) return false;
  }
  for (std::size_t i = 0; i < dense_sums_.size(); ++i) combine(dense_sums_[i], h_, row[4 + i]);
  polynomial_.degree = formula_.dense_degree();
  return true;
}

/// What the slope of the polynomial is off at one place, times h, in units of the tolerance;
/// infinite where what it tells cannot be evaluated.
double ExplicitRkStep::missed_between() {
  constexpr double place = 0.4;
  polynomial_.at(place, other_error_);
  if (!evaluate(t_ - (1 - place) * h_, other_error_, trial_slope_)) return INFINITY;
  polynomial_.slope_at(place, error_);
  error_ -= h_ * trial_slope_;
  const double missed = tolerance_.norm(error_, before_, z_);
  return std::isnan(missed) ? INFINITY : missed;
}

/// The step last taken once more, in parts that nobody else sees. Where one of them cannot be
/// taken, things are left as they are. @return whether it is good enough.
bool ExplicitRkStep::cut_into(int count) {
  if (!part_) {
    // Without estimates: its ends are nobody's to refuse.
    part_ = std::make_unique<ExplicitRkStep>(system_, formula_, tolerance_, false);
    part_->stabilizes_ = false;
  }
  const long before = part_->evaluations_;
  bool good = true, taken = part_->start(t_ - h_, before_);
  parts_.resize(std::max(parts_.size(), static_cast<std::size_t>(count)));
  for (int i = 0; taken && i < count; ++i) {
    taken = !std::isnan(part_->attempt(h_ / count)) && part_->accept() && part_->make_polynomial();
    if (!taken) break;
    parts_[i] = part_->polynomial_;
    good = good && part_->missed_between() <= most_missed;
  }
  evaluations_ += part_->evaluations_ - before;
  if (!taken) return false;
  part_count_ = count;
  shift_ = z_ - part_->z_;
  return good;
}

}  // namespace daewave::ivp
