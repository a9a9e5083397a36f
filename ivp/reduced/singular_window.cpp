#include "ivp/reduced/singular_window.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/not_finite.hpp"

namespace daewave::ivp {
namespace {

constexpr int most_sweeps = 60, most_corrections = 15;
constexpr double eps = std::numeric_limits<double>::epsilon();

/// Nothing of a step is nearer to the dependent constraints than that, in units of the step.
constexpr double clearance = 0.04;

/// How far the stages of a formula stay away from `inside`.
double distance(const Collocation& formula, double inside) {
  double least = INFINITY;
  for (int i = 0; i < formula.stages; ++i) {
    least = std::min(least, std::abs(formula.c[i] - inside));
  }
  return least;
}

}  // namespace

SingularWindow::SingularWindow(ReducedOde& system, DaeSystem& constraints,
                               const Tolerance& tolerance, double rank_tolerance)
    : system_(system),
      constraints_(constraints),
      tolerance_(tolerance),
      rank_tolerance_(std::max(rank_tolerance, 1e-12)) {
  for (int stages : {8, 7, 6}) formulas_.push_back(collocation(Scheme::gauss, stages));
  const int n = constraints.nz();
  K_.assign(most_stages, VecX::Zero(n));
  Z_.assign(most_stages, VecX::Zero(n));
  end_ = stage_ = from_ = floor_ = VecX::Zero(n);
  move_ = VecX::Zero(n);
  h_ = VecX::Zero(constraints.nh());
  H_ = MatX::Zero(constraints.nh(), n);
}

const Collocation* SingularWindow::formula_for(double inside) const {
  if (inside <= 0) return &formulas_.back();  // It begins there.
  const Collocation* best = &formulas_.front();
  if (distance(*best, inside) > 2 * clearance) return best;
  for (const Collocation& one : formulas_) {
    if (distance(one, inside) > distance(*best, inside)) best = &one;
  }
  // At the end of a run the last stages are as near to it as they are.
  const double enough = inside > 1 - clearance ? clearance / 4 : clearance;
  return distance(*best, inside) < enough ? nullptr : best;
}

double SingularWindow::solve(double t, const VecX& z, const VecX& slope, double h, double inside,
                             double pivot) {
  failure_.clear();
  bend_ = 0;
  from_ = z;
  length_ = h;
  formula_ = formula_for(inside);
  if (formula_ == nullptr) return fails("a stage is too near to the dependent constraints");
  const int n = static_cast<int>(z.size()), half = n / 2;
  for (int i = 0; i < formula_->stages; ++i) {
    K_[i] = slope;
    if (system_.second_order()) K_[i].head(half) += formula_->c[i] * h * slope.tail(n - half);
    Z_[i] = z;
  }
  const int positions = system_.second_order() ? half : n;
  floor_.head(positions).setConstant(largest_size(z.head(positions)));
  floor_.tail(n - positions).setConstant(largest_size(z.tail(n - positions)));
  const double part = std::clamp(pivot, 1e-4, 1.0);
  floor_ *= 1000 * eps / (part * part);
  double before = INFINITY, change = INFINITY;
  for (int pass = 0; pass < most_sweeps; ++pass) {
    if (!sweep(t, z, h, change)) return NAN;
    if (pass > 2 && change <= 1e-3) break;
    if (pass > 6 && !(change < 0.9 * before)) {
      if (change <= 0.5) break;  // Rounding, which is divided by small pivots.
      return fails(
          fmt::format("sweeps over its stages do not converge: {:.1e} after {}", change, pass + 1));
    }
    before = change;
    if (pass + 1 == most_sweeps) return fails("sweeps over its stages converge too slowly");
  }
  end_ = z;
  for (int i = 0; i < formula_->stages; ++i) end_ += h * formula_->b[i] * K_[i];
  // The last of the coefficients of K over the step: what a formula of less order would lack.
  const int k = formula_->stages;
  stage_.setZero();
  for (int i = 0; i < k; ++i) {
    const double x = 2 * formula_->c[i] - 1;
    double p = 1, q = x;  // Legendre, of degrees j - 1 and j.
    for (int j = 2; j < k; ++j) {
      const double next = ((2 * j - 1) * x * q - (j - 1) * p) / j;
      p = q;
      q = next;
    }
    stage_ += (2 * k - 1) * formula_->b[i] * q * h * K_[i];
  }
  double error = larger(norm(stage_, z, end_), change);
  error = larger(error, moved_);
  // Onto constraints that are dependent there nothing can be projected.
  if (inside < 1 - clearance || inside > 1 + clearance) {
    stage_ = end_;
    if (!project(t + h, end_)) return NAN;
    stage_ -= end_;
    error = larger(error, norm(stage_, z, end_));
  }
  const double off = off_constraints(t, h, inside);
  error = larger(error, off);
  if (std::isnan(error)) return fails("what comes out is not finite");
  return error;
}

/// Once over all stages.
bool SingularWindow::sweep(double t, const VecX& z, double h, double& change) {
  change = moved_ = 0;
  for (int i = 0; i < formula_->stages; ++i) {
    const double time = t + formula_->c[i] * h;
    stage_ = z;
    for (int j = 0; j < formula_->stages; ++j) stage_ += h * formula_->a(i, j) * K_[j];
    end_ = stage_;
    if (!stage_.allFinite()) {
      fails("what comes out is not finite");
      return false;
    }
    if (!project(time, stage_)) return false;
    end_ -= stage_;
    moved_ = larger(moved_, norm(end_, z, stage_));
    end_ = stage_ - Z_[i];
    change = larger(change, norm(end_, z, stage_));
    Z_[i] = stage_;
    ++evaluations_;
    if (!system_.rhs(time, stage_, K_[i])) {
      fails(system_.failure());
      return false;
    }
  }
  return true;
}

/// Between the stages, where constraints are dependent above all: on a motion that only comes near
/// to that, and turns, the polynomial is off the constraints. In units of the tolerance.
double SingularWindow::off_constraints(double t, double h, double inside) {
  double off = 0;
  const double place = std::min(inside, 1.0);
  for (const double theta : {place, 0.5 * place, 0.5 * (1 + place)}) {
    interpolate(theta, stage_);
    if (!constraints_.invariants(t + theta * h, stage_, h_, H_)) return NAN;
    for (int i = 0; i < h_.size(); ++i) {
      double allowed = 0;
      for (int j = 0; j < stage_.size(); ++j) {
        allowed += std::abs(H_(i, j)) * weight(j, from_[j], stage_[j]);
      }
      allowed = std::max(allowed, 1e-13);
      off = larger(off, std::abs(h_[i]) / allowed);
    }
  }
  return off;
}

void SingularWindow::interpolate(double theta, VecX& out) {
  const VecX b = formula_->integrated_weights(theta);
  out = from_;
  for (int j = 0; j < formula_->stages; ++j) out += length_ * b[j] * K_[j];
}

/// To what rounding lets it come to: residuals that are rounding are divided by small pivots.
bool SingularWindow::project(double t, VecX& z) {
  double before = INFINITY;
  for (int pass = 0; pass < most_corrections; ++pass) {
    if (!constraints_.invariants(t, z, h_, H_)) return std::isfinite(fails(constraints_.failure()));
    if (!h_.allFinite() || !H_.allFinite()) break;
    rows_.eliminate(H_, rank_tolerance_);
    rows_.correct_orthogonal(h_, move_);
    z -= move_;
    const double size = largest_size(move_), rounding = eps * largest_size(z);
    if (size <= rounding) return true;
    // By Newton's method the next one is a multiple of its square, which was seen.
    bend_ = std::max(bend_, size / (before * before));
    if (bend_ > 0 && bend_ * size * size <= 0.25 * rounding) return true;
    // It no longer falls: this is rounding, or it does not converge.
    if (size > 0.5 * before) {
      if (size <= 1e-9 * (1 + largest_size(z))) return true;
      if (pass > 3) break;
    }
    before = size;
  }
  fails(fmt::format("a stage at t = {:.9g} does not come to the constraints", t));
  return false;
}

/// That of the tolerance, but not below what rounding, divided by small pivots, makes of z.
double SingularWindow::weight(int i, double z0, double z1) const {
  return std::max(tolerance_.weight(i, z0, z1), floor_[i]);
}

double SingularWindow::norm(const VecX& error, const VecX& z0, const VecX& z1) const {
  double sum = 0;
  for (int i = 0; i < error.size(); ++i) {
    const double ratio = error[i] / weight(i, z0[i], z1[i]);
    sum += ratio * ratio;
  }
  return std::sqrt(sum / static_cast<double>(error.size()));
}

double SingularWindow::fails(std::string why) {
  failure_ = std::move(why);
  return std::numeric_limits<double>::quiet_NaN();
}

}  // namespace daewave::ivp
