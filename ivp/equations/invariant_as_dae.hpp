#pragma once
// A problem that states its equations of index 1 and its invariants itself:
//
//   z' = f(z, w, t),  0 = r(z, w, t),  0 = h(z, t)

#include <cmath>
#include <string>

#include "core/derivatives/invariant_derivatives.hpp"
#include "core/kkt/algebraic_elimination.hpp"
#include "core/not_finite.hpp"
#include "core/problem/invariant_terms.hpp"
#include "ivp/equations/algebraic_unknowns.hpp"
#include "ivp/equations/dae_system.hpp"
#include "ivp/options/multistep.hpp"

namespace daewave::ivp {

template <InvariantDae P>
class InvariantAsDae : public DaeSystem {
  using State = typename P::State;
  using Algebraic = typename P::Algebraic;
  using Invariant = typename P::Invariant;

 public:
  /// @param problem  kept by reference. @param z0  a state, and w0 its algebraic unknowns: sizes.
  /// @param form     w unknowns of the formula, or solved for in every evaluation.
  InvariantAsDae(const P& problem, const State& z0, const Algebraic& w0, double t,
                 MultiplierForm form)
      : problem_(problem),
        index_1_(form == MultiplierForm::index_1),
        z_(z0),
        f_(z0),
        w_(w0),
        r_(w0),
        h_(problem.h(z0, t)),
        near_(w0),
        unknowns_(problem),
        asked_(problem) {}

  int nz() const override { return static_cast<int>(z_.size()); }
  int nw() const override { return index_1_ ? static_cast<int>(w_.size()) : 0; }
  int nh() const override { return static_cast<int>(h_.size()); }
  int position_invariants() const override {
    if constexpr (HasInvariantLevels<P>) return problem_.position_invariants();
    return nh();
  }
  int positions() const override {
    if constexpr (HasInvariantLevels<P>) return problem_.positions();
    return nz();
  }

  void tries_from(double t) override {
    if (!index_1_) unknowns_.tries_from(t);
  }

  bool evaluate(double t, const VecX& z, const VecX& w, VecX& slope, VecX& residual) override {
    z_ = z;
    if (!index_1_) {
      if (!solve(t)) return false;
      fill_f(problem_, z_, w_, t, f_);
      slope = f_;
      return std::isfinite(slope.sum()) || all_finite("f", f_, t, failure_);
    }
    w_ = w;
    if constexpr (HasInvariantTerms<P>) {
      problem_.terms(z_, w_, t, f_, r_);
    } else {
      fill_f(problem_, z_, w_, t, f_);
      fill_r(problem_, z_, w_, t, r_);
    }
    slope = f_;
    residual = r_;
    if (std::isfinite(slope.sum()) && std::isfinite(residual.sum())) return true;
    return all_finite("f", f_, t, failure_) && all_finite("r", r_, t, failure_);
  }

  /// Of a problem that knows it. What is not finite is left to differences, and told by them.
  bool jacobian([[maybe_unused]] double t, [[maybe_unused]] const VecX& z,
                [[maybe_unused]] const VecX& w, [[maybe_unused]] MatX& J) override {
    if constexpr (KnowsIndexOneJacobian<P>) {
      if (!problem_.has_f_jacobian()) return false;
      z_ = z;
      if (index_1_) {
        w_ = w;
        return problem_.jacobian(z_, w_, t, J) && std::isfinite(J.sum());
      }
      return solve(t) && problem_.jacobian(z_, w_, t, all_) &&
             elimination_.eliminate(all_, nz(), J);
    }
    return false;
  }

  bool algebraic(double t, const VecX& z, VecX& w) override {
    z_ = z;
    if (index_1_) near_ = w;
    unknowns_.start(near_);
    if (!solve(t)) return false;
    if (index_1_) w = w_;
    return true;
  }

  bool follows(const RootAt& begin, const RootAt& end) override {
    z_ = end.z;
    if (!index_1_) {
      if (solve(end.t) && unknowns_.follows()) return true;
    } else {
      from_ = begin.z;
      from_w_ = begin.w;
      w_ = end.w;
      if (unknowns_.follows({from_, begin.t}, from_w_, {z_, end.t}, w_)) return true;
    }
    failure_ = unknowns_.failure();
    return false;
  }

  void guess_algebraic(VecX& w) const override {
    if (index_1_) w = near_;
  }

  bool invariants(double t, const VecX& z, VecX& h) override {
    z_ = z;
    fill_h(problem_, z_, t, h_);
    h = h_;
    return std::isfinite(h.sum()) || all_finite("h", h_, t, failure_);
  }

  bool invariants(double t, const VecX& z, VecX& h, MatX& H) override {
    if (!invariants(t, z, h)) return false;
    invariant_jacobian(problem_, z_, t, H_);
    H = H_;
    return std::isfinite(H.sum()) || all_finite("H", H, t, failure_);
  }

  bool multiplier(double t, const VecX& z, const VecX& w, VecX& multiplier) override {
    if (index_1_) {
      multiplier = w;
      return true;
    }
    // By a search of its own: what is given out must not change where the next step begins its.
    asked_ = unknowns_;
    z_ = z;
    if (!asked_.solve_near(z_, t)) {
      failure_ = asked_.failure();
      return false;
    }
    multiplier = asked_.w();
    return true;
  }

  Drift drift(double t, const VecX& z) override {
    z_ = z;
    fill_h(problem_, z_, t, h_);
    const int n = position_invariants();
    return {largest_size(h_.head(n)), largest_size(h_.tail(nh() - n))};
  }

  std::string failure() const override { return failure_; }

 private:
  /// w_ at z_.
  bool solve(double t) {
    if (unknowns_.solve(z_, t)) {
      w_ = unknowns_.w();
      return true;
    }
    failure_ = unknowns_.failure();
    return false;
  }

  const P& problem_;
  bool index_1_;
  State z_, f_, from_;
  Algebraic w_, r_;
  Invariant h_;
  InvariantJacobian<P> H_;
  Algebraic near_, from_w_;
  AlgebraicUnknowns<P> unknowns_, asked_;
  MatX all_;  ///< d(f, r)/d(z, w), of which w is eliminated.
  AlgebraicElimination elimination_;
  std::string failure_;
};

}  // namespace daewave::ivp
