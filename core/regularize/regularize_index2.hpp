#pragma once
// Sequential regularization of x' = f(x, t) - B(x, t) y, 0 = g(x, t).      [AL2] sections 2, 3

#include <cmath>
#include <string>

#include "core/kkt/oblique.hpp"
#include "core/kkt/square_lu.hpp"
#include "core/not_finite.hpp"
#include "core/problem/terms.hpp"
#include "core/regularize/regularization.hpp"

namespace daewave {

namespace detail {

/// What the two have in common. A copy has the problem and the form of the original, and a memory
/// of its own.
///
/// Their evaluate(x, t, before, slope, carried) takes vectors or maps of the sizes of State and
/// Carried; vectors whose size is not fixed get theirs.
template <SemiExplicitDae P>
class FirstOrderForm {
 public:
  const std::string& failure() const { return failure_; }
  const Regularization& form() const { return form_; }
  /// Largest |g| at the state last evaluated; an index 2 constraint has no velocity.
  void residuals(double& position, double& velocity) const {
    position = largest_size(at_.position);
    velocity = 0;
  }

 protected:
  FirstOrderForm(const P& problem, const Regularization& form)
      : problem_(&problem), form_(form), rate_(1 / form.epsilon) {
    check_index_2(form);
  }
  bool refuse(const char* why, double t) {
    failure_ = failed_at_text(why, t);
    return false;
  }
  template <class Slope>
  bool end(const Slope& slope, double t) {
    return std::isfinite(slope.sum()) || slope.allFinite() || finite(t);
  }
  bool finite(double t) {
    return all_finite("f", at_.f, t, failure_) && all_finite("g", at_.position, t, failure_) &&
           all_finite("G", at_.G, t, failure_) && all_finite("B", at_.B, t, failure_) &&
           all_finite("g_t", at_.g_t, t, failure_);
  }

  const P* problem_;
  Regularization form_;
  double rate_;  ///< 1 / epsilon.
  typename P::State x_;
  SemiExplicitTerms<P> at_;
  std::string failure_;
};

}  // namespace detail

/// Carries y, [AL2] (2.4)-(2.5):  x' = f - B y_s,  y_s = y_{s-1} + (1/eps) E (a1 g' + a2 g).
///
/// a1 = 0 is (2.15). For a1 > 0, (2.12), g' = G (f - B y_s) + g_t makes it a system of ny
/// equations: (eps + a1 E GB) y_s = eps y_{s-1} + E (a1 (G f + g_t) + a2 g).
template <SemiExplicitDae P>
class RegularizedIndex2 : public detail::FirstOrderForm<P> {
  using Base = detail::FirstOrderForm<P>;
  using Base::problem_, Base::form_, Base::rate_, Base::x_, Base::at_;

 public:
  using State = typename P::State;
  using Carried = typename P::Multiplier;

  /// @throws InvalidOption where the form is none of index 2 or its numbers are wrong.
  RegularizedIndex2(const P& problem, const Regularization& form) : Base(problem, form) {}
  RegularizedIndex2(const RegularizedIndex2& other) : Base(*other.problem_, other.form_) {}

  /// y_0 = 0.
  Carried none(const State& x, double t) {
    return Carried::Zero(Carried(problem_->g(x, t)).size());
  }

  template <class X, class Before, class Slope, class Out>
  bool evaluate(const X& x, double t, const Before& before, Slope& slope, Out& y) {
    x_ = x;
    daewave::evaluate(*problem_, x_, t, at_);
    if (form_.weight != Weight::identity || form_.alpha1 != 0) GB_.noalias() = at_.G * at_.B;
    if (form_.weight == Weight::inverse) {
      factor_.compute(GB_);
      const double pivots = std::abs(factor_.matrixLU().diagonal().prod());
      if (!(pivots > 0 && std::isfinite(pivots))) {
        return this->finite(t) && this->refuse("GB is singular; take variant = singular", t);
      }
    }
    residual_ = form_.alpha2 * at_.position;
    if (form_.alpha1 == 0) {
      weigh();
      y_ = before + rate_ * residual_;
    } else {
      work_.noalias() = at_.G * at_.f;
      residual_ += form_.alpha1 * (work_ + at_.g_t);
      weigh();
      residual_ += form_.epsilon * before;
      solve_differentiated();
    }
    y = y_;
    slope = at_.f;
    slope.noalias() -= at_.B * y_;
    return this->end(slope, t);
  }

 private:
  void weigh() {
    if (form_.weight == Weight::identity) return;
    if (form_.weight == Weight::transpose) {
      work_.noalias() = GB_.transpose() * residual_;
    } else {
      factor_.solve(residual_, work_);
    }
    residual_ = work_;
  }

  void solve_differentiated() {
    if (form_.weight == Weight::inverse) {
      y_ = residual_ / (form_.epsilon + form_.alpha1);
      return;
    }
    if (form_.weight == Weight::identity) {
      system_ = form_.alpha1 * GB_;
    } else {
      system_.noalias() = form_.alpha1 * GB_.transpose() * GB_;
    }
    system_.diagonal().array() += form_.epsilon;
    factor_.compute(system_);
    factor_.solve(residual_, y_);
  }

  static constexpr int ny_ = detail::rows<Carried>, my_ = detail::most_rows<Carried>;
  using Square = Eigen::Matrix<double, ny_, ny_, Eigen::ColMajor, my_, my_>;
  Square GB_, system_;
  SquareLu<Square> factor_;
  Carried residual_, work_, y_;
};

/// Carries w = B y, nx, for constraints that become singular:
///
///   singular         x' = f - w_s,   w_s = P(x_s) w_{s-1} + (1/eps) B (GB)^-1 g     [AL2] (3.2)
///   singular_linear  x' = f - w_s,   w_s =        w_{s-1} + (1/eps) B (GB)^-1 g     [AL1] (3.16)
///
/// The sign before 1/eps is + here, where the multiplier enters as - B y; the projection is for
/// ranges of B that turn with x.
template <SemiExplicitDae P>
class RegularizedSingular2 : public detail::FirstOrderForm<P> {
  using Base = detail::FirstOrderForm<P>;
  using Base::problem_, Base::form_, Base::rate_, Base::x_, Base::at_;

 public:
  using State = typename P::State;
  using Carried = typename P::State;

  RegularizedSingular2(const P& problem, const Regularization& form) : Base(problem, form) {}
  RegularizedSingular2(const RegularizedSingular2& other) : Base(*other.problem_, other.form_) {}

  Carried none(const State& x, double) { return Carried::Zero(x.size()); }

  template <class X, class Before, class Slope, class Out>
  bool evaluate(const X& x, double t, const Before& before, Slope& slope, Out& By) {
    x_ = x;
    daewave::evaluate(*problem_, x_, t, at_);
    if (!split_.split(at_.B, at_.G, form_.rank_tolerance)) {
      return this->finite(t) && this->refuse("the range of B and the null space of G meet", t);
    }
    if (split_.rank() < at_.position.size()) {
      if (!this->finite(t)) return false;
      ++guarded_;
    }
    split_.correct(at_.position, step_);
    if (form_.variant == Variant::singular) {
      x_ = before;
      split_.forbidden(x_, By_);
    } else {
      By_ = before;
    }
    By_ += form_.alpha2 * rate_ * step_;
    By = By_;
    slope = at_.f - By_;
    return this->end(slope, t);
  }

  /// Evaluations in which the rank guard dropped a row of G.
  long guarded() const { return guarded_; }

 private:
  ObliqueSplit<State, typename P::Multiplier> split_;
  State step_, By_;
  long guarded_ = 0;
};

}  // namespace daewave
