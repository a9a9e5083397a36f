#include "sparse/regularized_step.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
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
      linear_(problem.symmetric() ? cholesky() : lu()),
      seen_(problem.M()) {
  options_.sink = nullptr;
  options_.progress = nullptr;
}

void RegularizedStep::start(const VecX& x, double t) {
  now_.x = x;
  now_.y.setZero(problem_.ny());
  problem_.g(x, t, now_.g);
  problem_.e(x, t, now_.e);
  before_now_ = now_;
  seen_.start(x);
  stiffness_ = 0;
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
  rest_ = VecX(matrix.diagonal()).cwiseAbs();
  matrix += by.kappa * BG_;
  matrix.makeCompressed();
  factorized_beta_ = by.beta;
  factorized_kappa_ = by.kappa;
  stiffness_ = std::max(stiffness_, by.kappa * largest_size(beside_rest(BG_.diagonal())));
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
    if (!x_.allFinite()) return not_finite_at(t);
    if (linear_problem_) break;
    const double change = relative_change();
    if (change <= options_.newton_tolerance) break;
    // At rest x is rounding of the forces, and each correction as large as x.
    if (change > 0.1 * last && k > 0 && residual_is_rounding(by)) break;
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

/// Of Newton's last correction, in units of what x is and was.
double RegularizedStep::relative_change() const {
  SizesSeen seen = seen_;
  seen.see(x_);
  return seen.relative(correction_);
}

/// Row by row, what g adds up: what it has of x, and what is left without x.
VecX RegularizedStep::terms_of_g() const {
  SizesSeen seen = seen_;
  seen.see(x_);
  return G_.cwiseAbs() * seen.sizes() + (g_ - G_ * x_).cwiseAbs();
}

/// Row by row, what the equation of x adds up, but for rounding of kappa g.
VecX RegularizedStep::terms_of_residual(const Formula& by) const {
  return f_.cwiseAbs() + by.e.cwiseAbs() +
         problem_.M().cwiseAbs() * (by.beta * x_.cwiseAbs() + by.x.cwiseAbs()) +
         B_.cwiseAbs() * y_.cwiseAbs();
}

/// Of the x that the last correction came from: some roundings of each term are no error.
bool RegularizedStep::residual_is_rounding(const Formula& by) const {
  const VecX terms = terms_of_residual(by) + B_.cwiseAbs() * (by.kappa * terms_of_g());
  return (residual_.array().abs() <= 1e-14 * terms.array()).all();
}

/// Zero where the diagonal has nothing but kappa B G.
VecX RegularizedStep::beside_rest(const VecX& values) const {
  return (rest_.array() > 0).select(values.cwiseQuotient(rest_), 0.0);
}

/// Below that a change of y is rounding: of g, and of the forces, which y cannot hold better than
/// they are known, and which move g by no more than x gives way to them.
VecX RegularizedStep::rounding_of_y(const Formula& by) const {
  const VecX terms = terms_of_residual(by);
  VecX held = VecX::Zero(problem_.ny());
  for (int i = 0; i < B_.outerSize(); ++i) {
    for (SparseMatrix::InnerIterator entry(B_, i); entry; ++entry) {
      if (entry.value() == 0) continue;
      held[i] = larger(terms[entry.row()] / std::abs(entry.value()), held[i]);
    }
  }
  const VecX moved = by.kappa * (G_.cwiseAbs() * beside_rest(terms));
  return 1e-11 * (by.kappa * terms_of_g() + held.cwiseMin(moved));
}

double RegularizedStep::noise_of_y() const {
  const VecX terms = G_.cwiseAbs() * x_.cwiseAbs() + (g_ - G_ * x_).cwiseAbs();
  return std::numeric_limits<double>::epsilon() * factorized_kappa_ * largest_size(terms);
}

void RegularizedStep::probe(const Formula& by, double t) {
  const VecX rounding = rounding_of_y(by);
  // A row of which everything is zero has no rounding, and no change.
  const auto size = [&](const VecX& change) {
    return largest_size((rounding.array() > 0).select(change.cwiseQuotient(rounding), 0.0));
  };
  const double before = size(change_of_y_);
  const VecX x = x_, y = y_, g = g_;
  contraction_ = 1;
  for (int s = 0; s < 3; ++s) {
    if (!iterate(by, t).empty()) break;
    contraction_ = size(y_ - before_) / before;
    before_ = y_;
  }
  newton_failed_ = false;
  if (before <= 1) contraction_ = 0;
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
    change_of_y_ = y_ - before_;
    changes_.push_back(largest_size(change_of_y_));
    before_ = y_;
  }
  if (probe_it) probe(by, t + h);
  accept(t + h);
  return {};
}

void RegularizedStep::accept(double t) {
  moved_ = largest_size(x_ - now_.x);
  seen_.see(x_);
  std::swap(now_, before_now_);
  now_.x = x_;
  now_.y = y_;
  now_.g = g_;
  problem_.e(x_, t, now_.e);
  ++steps_;
}

}  // namespace daewave::sparse
