#pragma once
// The normal directions of a kernel of any class.

#include <cmath>

#include "core/kkt/kkt_of.hpp"
#include "core/problem/constraint_residual.hpp"
#include "core/problem/terms.hpp"
#include "ivp/equations/normal_directions.hpp"

namespace daewave::ivp::detail {

/// Of a DAE of index 3, all of whose constraints are on positions.
template <class P>
class NormalDirectionsOf : public NormalDirections {
 public:
  NormalDirectionsOf(const P& problem, double rank_tolerance)
      : problem_(problem), rank_tolerance_(rank_tolerance) {}

  bool evaluate(double t, const VecX& z) override {
    const auto n = z.size() / 2;
    q_ = z.head(n);
    v_ = z.tail(n);
    residual_.evaluate(problem_, q_, v_, t);
    kkt_.eliminate(residual_.G(), rank_tolerance_);
    return std::isfinite(residual_.position().sum() + residual_.velocity().sum());
  }

  void residual(Multipliers& c) const override {
    c.position = residual_.position();
    c.velocity = residual_.velocity();
  }

  void along(const Multipliers& mu, VecX& dz) override {
    const auto n = q_.size();
    mu_ = mu.position;
    kkt_.correct_orthogonal(mu_, move_);
    dz.head(n) = move_;
    mu_ = mu.velocity;
    kkt_.correct_orthogonal(mu_, move_);
    dz.tail(n) = move_;
  }

 private:
  const P& problem_;
  double rank_tolerance_;
  ConstraintResidual<P> residual_;
  KktOf<P> kkt_;
  typename P::Position q_, v_, move_;
  MultiplierOf<P> mu_;
};

/// Of a DAE of index 2.
template <SemiExplicitDae P>
class NormalDirectionsOf<P> : public NormalDirections {
 public:
  NormalDirectionsOf(const P& problem, double rank_tolerance)
      : problem_(problem), rank_tolerance_(rank_tolerance) {}

  bool evaluate(double t, const VecX& x) override {
    x_ = x;
    daewave::evaluate(problem_, x_, t, terms_);
    kkt_.eliminate(terms_.G, rank_tolerance_);
    return std::isfinite(terms_.position.sum());
  }

  void residual(Multipliers& c) const override {
    c.position = terms_.position;
    c.velocity.resize(0);
  }

  void along(const Multipliers& mu, VecX& dx) override {
    mu_ = mu.position;
    kkt_.correct_orthogonal(mu_, x_);
    dx = x_;
  }

 private:
  const P& problem_;
  double rank_tolerance_;
  SemiExplicitTerms<P> terms_;
  NullSpaceKkt<typename P::State, typename P::Multiplier> kkt_;
  typename P::State x_;
  typename P::Multiplier mu_;
};

}  // namespace daewave::ivp::detail
