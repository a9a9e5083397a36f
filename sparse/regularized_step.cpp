#include "sparse/regularized_step.hpp"

#include <fmt/format.h>

#include <utility>

#include "core/not_finite.hpp"

namespace daewave::sparse {
namespace {

std::string not_finite_at(double t) {
  return fmt::format("a number that is not finite at t = {:.6g}", t);
}

}  // namespace

RegularizedStep::RegularizedStep(const SparseDae& problem, const Options& options)
    : problem_(problem),
      options_(options),
      linear_problem_(problem.linear()),
      given_B_(problem.B()),
      linear_(problem.symmetric() ? cholesky() : lu()) {
  options_.sink = nullptr;
  options_.progress = nullptr;
}

void RegularizedStep::start(const VecX& x, double t) {
  now_.x = x;
  now_.y.setZero(problem_.ny());
  problem_.g(x, t, now_.g);
  problem_.e(x, t, now_.e);
  before_now_ = now_;
  steps_ = 0;
}

RegularizedStep::Formula RegularizedStep::formula(double h) const {
  Formula by;
  if (steps_ == 0) {
    by.beta = 1 / h;
    by.x = now_.x / h;
    by.g = now_.g / h;
    by.e = now_.e;
  } else {
    by.beta = 1.5 / h;
    by.x = (2 / h) * now_.x - (0.5 / h) * before_now_.x;
    by.g = (2 / h) * now_.g - (0.5 / h) * before_now_.g;
    by.e = 2 * now_.e - before_now_.e;
  }
  by.kappa = (options_.alpha1 * by.beta + options_.alpha2) / options_.epsilon;
  return by;
}

std::string RegularizedStep::factorize(const Formula& by, const VecX& x, double t) {
  if (linear_problem_ && factorized_beta_ == by.beta) return {};
  if (!linear_problem_ || G_.cols() == 0) {
    problem_.f_jacobian(x, t, jacobian_);
    problem_.G(x, t, G_);
    B_ = given_B_ ? *given_B_ : SparseMatrix(G_.transpose());
    BG_ = B_ * G_;
  }
  SparseMatrix matrix = by.beta * problem_.M() - jacobian_;
  matrix += by.kappa * BG_;
  matrix.makeCompressed();
  factorized_beta_ = by.beta;
  return linear_.factorize(std::move(matrix));
}

void RegularizedStep::residual(const Formula& by, double t) {
  ++evaluations_;
  problem_.g(x_, t, g_);
  y_ = before_ + (by.kappa * g_ - (options_.alpha1 / options_.epsilon) * by.g);
  problem_.f(x_, t, f_);
  residual_ = f_ + by.e;
  residual_.noalias() -= problem_.M() * (by.beta * x_ - by.x);
  residual_.noalias() -= B_ * y_;
}

std::string RegularizedStep::iterate(const Formula& by, double t) {
  double last = 0;
  for (int k = 0;; ++k) {
    residual(by, t);
    if (!residual_.allFinite()) return not_finite_at(t);
    linear_.solve(residual_, correction_);
    x_ += correction_;
    const double change = largest_size(correction_) / (1 + largest_size(x_));
    if (!(change < 1e100)) return not_finite_at(t);
    if (linear_problem_ || change <= options_.newton_tolerance) break;
    if (k + 1 >= options_.newton_steps) {
      newton_failed_ = true;
      return fmt::format("Newton's method did not converge at t = {:.6g}, last change {:.1e}", t,
                         change);
    }
    // A matrix of where the step began serves as long as it gains a digit each time.
    if (k > 0 && change > 0.1 * last) {
      if (std::string failure = factorize(by, x_, t); !failure.empty()) return failure;
    }
    last = change;
  }
  problem_.g(x_, t, g_);
  y_ = before_ + (by.kappa * g_ - (options_.alpha1 / options_.epsilon) * by.g);
  return {};
}

void RegularizedStep::begin_iterates() {
  before_.setZero(problem_.ny());
  if (options_.first == FirstMultiplier::zero) return;
  before_ = now_.y;
  // Of the first step there is no y: what it starts from is zero.
  if (options_.first == FirstMultiplier::extrapolated && steps_ > 1) {
    before_ += now_.y - before_now_.y;
  }
}

double RegularizedStep::rounding_of_change() const {
  const double kappa = (options_.alpha1 * factorized_beta_ + options_.alpha2) / options_.epsilon;
  return 1e-11 * kappa * (1 + largest_size(G_.coeffs()) * largest_size(now_.x));
}

void RegularizedStep::probe(const Formula& by, double t) {
  const VecX x = x_, y = y_, g = g_;
  probed_change_ = changes_.back();
  for (int s = 0; s < 3; ++s) {
    if (!iterate(by, t).empty()) break;
    probed_change_ = largest_size(y_ - before_);
    before_ = y_;
  }
  newton_failed_ = false;
  x_ = x;
  y_ = y;
  g_ = g;
}

std::string RegularizedStep::advance(double t, double h, bool probe_it) {
  newton_failed_ = false;
  const Formula by = formula(h);
  x_ = steps_ == 0 ? now_.x : VecX(2 * now_.x - before_now_.x);
  if (std::string failure = factorize(by, x_, t + h); !failure.empty()) return failure;
  begin_iterates();
  drifts_.clear();
  changes_.clear();
  for (int s = 1; s <= options_.iterates; ++s) {
    if (std::string failure = iterate(by, t + h); !failure.empty()) return failure;
    drifts_.push_back(largest_size(g_));
    changes_.push_back(largest_size(y_ - before_));
    before_ = y_;
  }
  if (probe_it) probe(by, t + h);
  accept(t + h);
  return {};
}

void RegularizedStep::accept(double t) {
  moved_ = largest_size(x_ - now_.x);
  std::swap(now_, before_now_);
  now_.x = x_;
  now_.y = y_;
  now_.g = g_;
  problem_.e(x_, t, now_.e);
  ++steps_;
}

}  // namespace daewave::sparse
