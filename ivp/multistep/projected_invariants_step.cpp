#include "ivp/multistep/projected_invariants_step.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/algebraic/root_follower.hpp"
#include "core/derivatives/moved_entries.hpp"
#include "core/error.hpp"
#include "core/not_finite.hpp"
#include "ivp/one_step/contraction.hpp"

namespace daewave::ivp {
namespace {

/// Changes that shrink no more are rounding where they are below this.
constexpr double rounding_level = 1e-10;
/// Above this rate the Jacobian is evaluated again.
constexpr double slow_rate = 0.02;

}  // namespace

ProjectedInvariantsStep::ProjectedInvariantsStep(DaeSystem& system, Onto onto,
                                                 const Collocation& scheme,
                                                 const Tolerance& tolerance, bool estimate)
    : system_(system),
      scheme_(stage_transform(scheme)),
      tolerance_(tolerance),
      accuracy_(accuracy_of(scheme, tolerance, estimate)),
      nz_(system.nz()),
      nw_(system.nw()) {
  if (!scheme_.ends_at_node) {
    throw InvalidOption(
        "method = projected-invariants: needs a formula whose last stage is the end of the step; "
        "take stepper = radau");
  }
  const InvariantRows kept = invariant_rows(system, onto);
  row_ = kept.row;
  rows_ = kept.rows;
  column_ = kept.column;
  columns_ = kept.columns;
  n_ = nz_ + nw_ + rows_;
}

bool ProjectedInvariantsStep::start(double t, const VecX& z) {
  const int s = scheme_.stages, nh = system_.nh();
  t_ = t;
  z_ = before_ = slope_ = weight_ = end_ = error_ = f_ = at_ = moved_f_ = z;
  w_.setZero(nw_);
  system_.guess_algebraic(w_);
  at_w_ = r_ = moved_r_ = w_;
  h_.setZero(nh);
  H_.setZero(nh, nz_);
  J_.setZero(nz_ + nw_, nz_ + nw_);
  further_column_.setZero(nz_ + nw_);
  matrix_.setZero(s * n_, s * n_);
  small_matrix_.setZero(n_, n_);
  lu_.resize(s * n_);
  filter_.resize(n_);
  Y_.setZero(s * n_);
  last_Y_ = right_ = F_ = Y_;
  small_.setZero(n_);
  last_mu_.setZero(rows_);
  has_jacobian_ = fresh_ = has_last_ = reliable_ = false;
  if (!system_.algebraic(t, z, w_) || !evaluate(t, z, w_)) {
    failure_ = system_.failure();
    return false;
  }
  slope_ = f_;
  return true;
}

bool ProjectedInvariantsStep::evaluate(double t, const VecX& z, const VecX& w) {
  ++evaluations_;
  if (system_.evaluate(t, z, w, f_, r_) && std::isfinite(f_.sum())) return true;
  failure_ = system_.failure();
  return false;
}

double ProjectedInvariantsStep::attempt(double h) {
  system_.tries_from(t_);
  unsolved_ = false;
  trial_h_ = h;
  if (accuracy_.estimates) {
    weigh(accuracy_, tolerance_, z_, weight_);
  } else {
    weigh_by_digits(z_, weight_);
  }
  Newton how = Newton::slow;
  do {
    if (!linearize(h)) return not_a_number;
    predict(h);
    how = iterate(h);
    if (how == Newton::converged) break;
    if (fresh_) return how == Newton::failed ? not_a_number : not_solved();
    has_jacobian_ = false;
  } while (true);
  end_ = z_ + Y_.segment((scheme_.stages - 1) * n_, nz_);
  return accuracy_.estimates ? error(h) : 0.0;
}

double ProjectedInvariantsStep::not_solved() {
  unsolved_ = true;
  reliable_ = false;
  failure_ =
      fmt::format("t = {:.10g}: Newton's method for the stages does not converge with h = {:.3g}",
                  t_, trial_h_);
  return accuracy_.estimates ? accuracy_.not_converged : not_a_number;
}

/// H anew, J where it is not at hand, and the factors of a step of h.
bool ProjectedInvariantsStep::linearize(double h) {
  if (!system_.invariants(t_, z_, h_, H_)) {
    failure_ = system_.failure();
    return false;
  }
  if (!has_jacobian_) {
    if (!differentiate(h)) return false;
    has_jacobian_ = fresh_ = true;
  }
  if (factorize(h)) return true;
  failure_ = fmt::format(
      "t = {:.10g}: the matrix of the stages is singular with h = {:.3g}: the invariants are "
      "dependent, or dr/dw is singular",
      t_, h);
  return false;
}

/// J_ = d(f, r)/d(z, w) at the begin of the step, by forward differences.
bool ProjectedInvariantsStep::differentiate(double h) {
  ++jacobians_;
  if (system_.jacobian(t_, z_, w_, J_)) return true;
  if (!evaluate(t_, z_, w_)) return false;
  moved_f_ = f_;
  moved_r_ = r_;
  at_ = z_;
  at_w_ = w_;
  const double digits = std::sqrt(std::numeric_limits<double>::epsilon());
  const double least = nw_ > 0 ? 1e-3 * w_.cwiseAbs().maxCoeff() : 0.0;
  double most = 0;
  for (int i = 0; i < nz_; ++i) most = std::max(most, std::abs(slope_[i]) / weight_[i]);
  const double part = most > 0 ? 1e3 * nz_ * digits * digits * std::abs(h) * most : 1.0;
  const auto unknown = [&](int j) -> double& { return j < nz_ ? at_[j] : at_w_[j - nz_]; };
  const auto step = [&](int j, double x) {
    const double far = std::max(digits * std::abs(x), j < nz_ ? part * weight_[j] : digits * least);
    return far > 0 ? far : digits;
  };
  const auto quotients = [&](double by, auto&& out) {
    if (!evaluate(t_, at_, at_w_)) return false;
    out.head(nz_) = (f_ - moved_f_) / by;
    out.tail(nw_) = (r_ - moved_r_) / by;
    return true;
  };
  return move_each(nz_ + nw_, unknown, step, [&](int j, double taken) {
    if (!quotients(taken, J_.col(j))) return false;
    if (j < nz_) return true;
    const auto further = [&](double far, VecX& out) {
      at_w_[j - nz_] = w_[j - nz_] + far;
      return quotients(at_w_[j - nz_] - w_[j - nz_], out);
    };
    lengthen_where_lost(taken, further, J_.col(j), further_column_);
    return true;
  });
}

/// Of the stages, and of the filter of errors.
bool ProjectedInvariantsStep::factorize(double h) {
  const int s = scheme_.stages, na = nz_ + nw_;
  const auto H = H_.block(row_, column_, rows_, columns_);
  matrix_.setZero();
  for (int j = 0; j < s; ++j) {
    for (int l = 0; l < s; ++l) {
      const double a = scheme_.a[j][l];
      auto block = matrix_.block(j * n_, l * n_, n_, n_);
      block.topLeftCorner(nz_, na) = (-h * a) * J_.topRows(nz_);
      block.block(column_, na, columns_, rows_) = a * H.transpose();
      if (j != l) continue;
      block.topLeftCorner(nz_, nz_).diagonal().array() += 1.0;
      block.block(nz_, 0, nw_, na) = J_.bottomRows(nw_);
      block.block(na, 0, rows_, nz_) = H_.middleRows(row_, rows_);
    }
  }
  if (!lu_.factorize(matrix_)) return false;
  if (!accuracy_.estimates) return true;
  small_matrix_.setZero();
  small_matrix_.topLeftCorner(nz_, na) = (-h * scheme_.mu_real) * J_.topRows(nz_);
  small_matrix_.topLeftCorner(nz_, nz_).diagonal().array() += 1.0;
  small_matrix_.block(column_, na, columns_, rows_) = H.transpose();
  small_matrix_.block(nz_, 0, nw_, na) = J_.bottomRows(nw_);
  small_matrix_.block(na, 0, rows_, nz_) = H_.middleRows(row_, rows_);
  return filter_.factorize(small_matrix_);
}

/// Z and W from the polynomial of the step before, mu from zero.
void ProjectedInvariantsStep::predict(double h) {
  const int s = scheme_.stages, na = nz_ + nw_;
  Y_.setZero();
  foreseen_w_ = w_;
  const double ratio = has_last_ ? h / last_h_ : 0;
  if (!(ratio > 0 && ratio <= 8)) return;
  for (int j = 0; j < s; ++j) {
    const auto weight = scheme_.weights_at(1 + scheme_.c[j] * ratio);
    for (int l = 0; l < s; ++l) {
      Y_.segment(j * n_, na) += weight[l + 1] * last_Y_.segment(l * n_, na);
    }
    Y_.segment(j * n_, na) -= last_Y_.segment((s - 1) * n_, na);
  }
  foreseen_w_ = w_ + Y_.segment((s - 1) * n_ + nz_, nw_);
}

ProjectedInvariantsStep::Newton ProjectedInvariantsStep::iterate(double h) {
  Contraction seen;
  bool stays = false;  // Changes of what does not converge at once may grow before they shrink.
  const bool rounding = accuracy_.goal.rounding;
  constexpr int most_iterations = 10, most_to_rounding = 40;
  const int most = rounding ? most_to_rounding : most_iterations;
  for (int iteration = 0; iteration < most; ++iteration) {
    if (!residual(h)) return Newton::failed;
    lu_.solve(right_);
    const double change = size_of_change();
    if (!std::isfinite(change)) {
      failure_ = fmt::format("t = {:.10g}: a stage is not finite with h = {:.3g}", t_, h);
      return Newton::failed;
    }
    const bool measured = seen.see(change);
    if (measured) {
      rate_ = seen.rate();
      const bool stayed = stays;
      stays = rate_ >= 0.9;
      if (stays && rounding && change <= rounding_level) return Newton::converged;
      if (rate_ >= 10 || (stays && stayed)) return Newton::slow;
    }
    Y_ += right_;
    // The invariants hold as well as the stages are solved: a hundredth of what accuracy asks.
    const double goal = rounding ? accuracy_.goal.error : 0.01 * accuracy_.goal.error;
    const double left = measured && !stays ? Contraction::left(rate_, change) : change;
    if (left <= goal || change == 0) return Newton::converged;
  }
  return rounding && seen.change() <= rounding_level ? Newton::converged : Newton::slow;
}

/// right_ = - (Z_j - h sum a_jl (f_l - D mu_l), r_j, h_j).
bool ProjectedInvariantsStep::residual(double h) {
  const int s = scheme_.stages, na = nz_ + nw_;
  const auto H = H_.block(row_, column_, rows_, columns_);
  for (int l = 0; l < s; ++l) {
    const double t = t_ + scheme_.c[l] * h;
    at_ = z_ + Y_.segment(l * n_, nz_);
    at_w_ = w_ + Y_.segment(l * n_ + nz_, nw_);
    if (!evaluate(t, at_, at_w_)) return false;
    if (!system_.invariants(t, at_, h_)) {
      failure_ = system_.failure();
      return false;
    }
    F_.segment(l * n_, nz_) = h * f_;
    F_.segment(l * n_ + column_, columns_).noalias() -=
        H.transpose() * Y_.segment(l * n_ + na, rows_);
    right_.segment(l * n_ + nz_, nw_) = -r_;
    right_.segment(l * n_ + na, rows_) = -h_.segment(row_, rows_);
  }
  for (int j = 0; j < s; ++j) {
    auto part = right_.segment(j * n_, nz_);
    part = -Y_.segment(j * n_, nz_);
    for (int l = 0; l < s; ++l) part += scheme_.a[j][l] * F_.segment(l * n_, nz_);
  }
  return true;
}

/// Of z: w and mu follow from it. Root mean square over the weights, or the largest relative to z.
double ProjectedInvariantsStep::size_of_change() const {
  const int s = scheme_.stages;
  double sum = 0, most = 0;
  const double least = nz_ > 0 ? 1e-3 * z_.cwiseAbs().maxCoeff() : 0;
  for (int j = 0; j < s; ++j) {
    for (int i = 0; i < nz_; ++i) {
      const double d = right_[j * n_ + i];
      const double ratio = d / weight_[i];
      sum += ratio * ratio;
      const double size = std::max({std::abs(z_[i]), least, 1e-300});
      most = larger(most, std::abs(d) / size);
    }
  }
  return accuracy_.goal.rounding ? most : std::sqrt(sum / std::max(1, s * nz_));
}

/// (E - h mu_0 J)^-1 (h mu_0 f + sum e_j Z_j), E z = z: what lies across the invariants goes.
///                                                                             [HW2] (8.19)
double ProjectedInvariantsStep::error(double h) {
  const auto estimate = [&](const VecX& slope) {
    small_.setZero();
    small_.head(nz_) = (h * scheme_.mu_real) * slope;
    for (int j = 0; j < scheme_.stages; ++j) {
      small_.head(nz_) += scheme_.e[j] * Y_.segment(j * n_, nz_);
    }
    filter_.solve(small_);
    error_ = small_.head(nz_);
    return tolerance_.norm(error_, z_, end_) / accuracy_.unit;
  };
  double size = estimate(slope_);
  if (size >= 1 && !reliable_) {
    at_ = z_ + error_;
    if (evaluate(t_, at_, w_)) size = estimate(f_);
  }
  if (size >= 1) reliable_ = false;
  return std::max(size, error_between(h));
}

/// What the polynomial of a step is off between its stages. Where all that is fast decays, or lies
/// across the invariants, stages are exact whatever the step is, and the filter leaves nothing. The
/// divided difference of one order more is that of the stages and a node of the step before, which
/// the polynomial misses by it times the product of distances to its nodes; the least of them, as
/// what has decayed in that step is none of this one.
double ProjectedInvariantsStep::error_between(double h) {
  // That is how control lets steps grow, and the last one by a hundredth more; from nearer by there
  // is nothing to learn of a longer one.
  const double growth = 1.01 * collocation_control().grow;
  if (!has_last_ || !(h / last_h_ <= growth)) return 0;
  double least = std::numeric_limits<double>::infinity();
  for (int node = 0; node < scheme_.stages; ++node) {  // The last one is where this step begins.
    const double behind = ((node > 0 ? scheme_.c[node - 1] : 0) - 1) * (last_h_ / h);
    const auto weight = scheme_.weights_at(behind);
    error_ = z_ - before_;
    if (node > 0) error_ -= last_Y_.segment((node - 1) * n_, nz_);
    for (int j = 0; j < scheme_.stages; ++j) error_ += weight[j + 1] * Y_.segment(j * n_, nz_);
    error_ *= scheme_.between_by_that_at(behind);
    least = std::min(least, tolerance_.norm(error_, z_, end_));
  }
  return least / accuracy_.unit;
}

bool ProjectedInvariantsStep::accept() {
  const int last = (scheme_.stages - 1) * n_;
  const double t = t_ + trial_h_;
  at_w_ = w_ + Y_.segment(last + nz_, nw_);
  // Stages are solved as exactly as z wants it, which w may be of no matter to.
  if (nw_ > 0 && !system_.algebraic(t, end_, at_w_)) {
    failure_ = system_.failure();
    return false;
  }
  if (!evaluate(t, end_, at_w_)) return false;
  if (!was_foreseen(at_w_, foreseen_w_, w_) && !system_.follows({t_, z_, w_}, {t, end_, at_w_})) {
    failure_ = system_.failure();
    return false;
  }
  before_ = z_;
  z_ = end_;
  w_ = at_w_;
  slope_ = f_;
  last_mu_ = Y_.segment(last + nz_ + nw_, rows_);
  last_Y_.swap(Y_);
  last_h_ = trial_h_;
  t_ = t;
  has_last_ = reliable_ = true;
  fresh_ = false;
  if (rate_ > slow_rate) has_jacobian_ = false;
  return true;
}

void ProjectedInvariantsStep::interpolate(double theta, VecX& out) {
  const auto weight = scheme_.weights_at(theta);
  out = before_;
  for (int j = 0; j < scheme_.stages; ++j) out += weight[j + 1] * last_Y_.segment(j * n_, nz_);
}

bool ProjectedInvariantsStep::multiplier_at(double t, const VecX& z, VecX& carried) {
  at_w_ = w_;
  if (has_last_) {
    // From where the polynomial of the step has it: w at its end may be far.
    const int s = scheme_.stages;
    const auto weight = scheme_.weights_at(1 + (t - t_) / last_h_);
    at_w_ -= last_Y_.segment((s - 1) * n_ + nz_, nw_);
    for (int l = 0; l < s; ++l) {
      at_w_ += weight[l + 1] * last_Y_.segment(l * n_ + nz_, nw_);
    }
  }
  if (system_.algebraic(t, z, at_w_) && system_.multiplier(t, z, at_w_, carried)) return true;
  failure_ = system_.failure();
  return false;
}

double ProjectedInvariantsStep::first_step(double sign, double most) {
  const double z = tolerance_.norm(z_, z_, z_), slope = tolerance_.norm(slope_, z_, z_);
  const double h = z <= 1e-5 || slope <= 1e-5 ? 1e-6 : 0.01 * (z / slope);
  return sign * std::min(h, most);
}

}  // namespace daewave::ivp
