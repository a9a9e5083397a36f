#pragma once
// From a problem of any type to an IndexTwoSystem:
//
//   index 2     x as it is, c = g
//   index 3     x = (x, v),  B = (0; B),         c = G v + g_t
//   multibody   x = (q, v),  B = (0; M^-1 G^T),  c = G v + g_t, rows of w = K v + k below

#include <algorithm>
#include <string>

#include "core/kkt/inverse_mass.hpp"
#include "core/not_finite.hpp"
#include "core/problem/constraint_residual.hpp"
#include "core/problem/terms.hpp"
#include "core/start/constraint_point.hpp"
#include "ivp/equations/index_two_system.hpp"

namespace daewave::ivp {

/// What the adapters of all classes share. The problem is kept by reference.
template <Dae P>
class IndexTwoBase : public IndexTwoSystem {
 public:
  IndexTwoBase(const P& problem, double rank_tolerance)
      : problem_(problem), point_(problem, rank_tolerance) {}

  bool underlying(double t, const VecX& x, VecX& slope, VecX& lambda) override {
    z_ = x;
    if (!point_.evaluate(z_, t)) {
      failure_ = point_.not_finite();
      return false;
    }
    lambda.setZero(point_.constraints());
    if (point_.rank() < point_.constraints()) {
      return fails("the constraints are dependent, lambda is not determined", t);
    }
    if (!point_.solve(z_, rate_, lambda, By_)) return fails("lambda is not determined", t);
    slope = rate_;
    return daewave::all_finite("x'", slope, t, failure_);
  }
  std::string failure() const override { return failure_; }

 protected:
  bool fails(const char* why, double t) {
    failure_ = failed_at_text(why, t);
    return false;
  }
  bool finite(const char* what, const VecX& values, double t) {
    return daewave::all_finite(what, values, t, failure_);
  }

  const P& problem_;
  daewave::detail::ConstraintPoint<P> point_;
  StateOf<P> z_, rate_;
  VecX By_;
  TermsOf<P> at_;
  std::string failure_;
};

/// x = (q, v) of a motion.
template <Dae P>
class IndexTwoMotion : public IndexTwoBase<P> {
 public:
  using Position = typename P::Position;

  /// @param start  (q, v); gives the sizes.
  IndexTwoMotion(const P& problem, const StateOf<P>& start, double t, double rank_tolerance)
      : IndexTwoBase<P>(problem, rank_tolerance),
        nq_(daewave::detail::configuration_size<P>(start)) {
    take(start);
    daewave::evaluate(this->problem_, q_, v_, t, this->at_);
    nl_ = static_cast<int>(this->at_.position.size());
    velocity_.resize(nl_);
  }

  int nx() const override { return 2 * nq_; }
  int positions() const override { return nq_; }
  int nl() const override { return nl_; }

  Drift drift(double t, const VecX& x) override {
    take(x);
    residual_.evaluate(this->problem_, q_, v_, t);
    return {largest_size(residual_.position()), largest_size(residual_.velocity())};
  }

 protected:
  void take(const VecX& x) {
    q_ = x.head(nq_);
    v_ = x.tail(nq_);
  }
  /// The terms at (t, x), and c.
  bool evaluate_terms(double t, const VecX& x, VecX& c) {
    take(x);
    daewave::evaluate(this->problem_, q_, v_, t, this->at_);
    apply(this->at_.G, v_, velocity_);
    c = velocity_ + this->at_.g_t;
    return this->finite("G v + g_t", c, t);
  }

  int nq_, nl_ = 0;
  Position q_, v_;
  MultiplierOf<P> velocity_;
  ConstraintResidual<P> residual_;
};

template <class P>
class IndexTwoSystemOf;

template <SemiExplicitDae P>
class IndexTwoSystemOf<P> : public IndexTwoBase<P> {
 public:
  IndexTwoSystemOf(const P& problem, const StateOf<P>& start, double t,
                   double rank_tolerance = 1e-12)
      : IndexTwoBase<P>(problem, rank_tolerance), x_(start) {
    daewave::evaluate(this->problem_, x_, t, this->at_);
  }

  int nx() const override { return static_cast<int>(x_.size()); }
  int nl() const override { return static_cast<int>(this->at_.position.size()); }

  bool evaluate(double t, const VecX& x, VecX& f, MatX& B, VecX& c) override {
    x_ = x;
    daewave::evaluate(this->problem_, x_, t, this->at_);
    f = this->at_.f;
    B = this->at_.B;
    c = this->at_.position;
    return this->finite("f", f, t) && this->finite("g", c, t);
  }
  Drift drift(double t, const VecX& x) override {
    x_ = x;
    evaluate_position(this->problem_, x_, t, this->at_);
    return {largest_size(this->at_.position), 0};
  }

 private:
  StateOf<P> x_;
};

template <SecondOrderDae P>
class IndexTwoSystemOf<P> : public IndexTwoMotion<P> {
 public:
  IndexTwoSystemOf(const P& problem, const StateOf<P>& start, double t,
                   double rank_tolerance = 1e-12)
      : IndexTwoMotion<P>(problem, start, t, rank_tolerance) {}

  bool evaluate(double t, const VecX& x, VecX& f, MatX& B, VecX& c) override {
    if (!this->evaluate_terms(t, x, c)) return false;
    f.head(this->nq_) = this->v_;
    f.tail(this->nq_) = this->at_.f;
    B.topRows(this->nq_).setZero();
    B.bottomRows(this->nq_) = this->at_.B;
    return this->finite("f", f, t);
  }
};

/// M must be regular: v' = M^-1 (f - G^T lambda) is formed.
template <Multibody P>
class IndexTwoSystemOf<P> : public IndexTwoMotion<P> {
 public:
  IndexTwoSystemOf(const P& problem, const StateOf<P>& start, double t,
                   double rank_tolerance = 1e-12)
      : IndexTwoMotion<P>(problem, start, t, rank_tolerance) {
    unit_.setZero(this->nl_);
  }

  bool evaluate(double t, const VecX& x, VecX& f, MatX& B, VecX& c) override {
    const int nq = this->nq_;
    if (!this->evaluate_terms(t, x, c)) return false;
    if (!mass_.factorize(this->at_.M)) {
      return this->fails("M is not positive definite", t);
    }
    mass_.apply(this->at_.f);
    f.head(nq) = this->v_;
    f.tail(nq) = this->at_.f;
    B.topRows(nq).setZero();
    column_.resize(nq);
    for (int i = 0; i < this->nl_; ++i) {
      unit_[i] = 1;
      apply_transposed(this->at_.G, unit_, column_);
      unit_[i] = 0;
      mass_.apply(column_);
      B.col(i).tail(nq) = column_;
    }
    return this->finite("M^-1 f", f, t);
  }

 private:
  InverseMass<MassOf<P>> mass_;
  MultiplierOf<P> unit_;
  typename P::Position column_;
};

}  // namespace daewave::ivp
