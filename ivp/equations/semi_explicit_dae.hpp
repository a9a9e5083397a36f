#pragma once
// A DAE of index 2 as one of index 1 with invariants:
//
//   x' = f - B y,   0 = r = G (f - B y) + g_t,   0 = h = g(x, t)
//
// with y eliminated in every evaluation, or left to the formula.

#include <cmath>
#include <string>

#include "core/kkt/oblique.hpp"
#include "core/not_finite.hpp"
#include "core/problem/terms.hpp"
#include "ivp/equations/dae_system.hpp"
#include "ivp/equations/reduction.hpp"
#include "ivp/options/multistep.hpp"

namespace daewave::ivp {

template <SemiExplicitDae P>
class SemiExplicitAsDae : public DaeSystem {
  using State = typename P::State;
  using Multiplier = typename P::Multiplier;

 public:
  /// @param problem         kept by reference.
  /// @param x0              a state, for sizes.
  /// @param rank_tolerance  of the rank guard, relative to the largest entries of G and B.
  SemiExplicitAsDae(const P& problem, const State& x0, double t, MultiplierForm form,
                    double rank_tolerance)
      : problem_(problem),
        rank_tolerance_(rank_tolerance),
        index_1_(form == MultiplierForm::index_1),
        nx_(static_cast<int>(x0.size())) {
    y_ = right_ = problem.g(x0, t);
    ny_ = static_cast<int>(y_.size());
    x_ = By_ = move_ = x0;
  }

  int nz() const override { return nx_; }
  int nw() const override { return index_1_ ? ny_ : 0; }
  int nh() const override { return ny_; }

  bool evaluate(double t, const VecX& z, const VecX& w, VecX& slope, VecX& residual) override {
    x_ = z;
    if (index_1_) {
      y_ = w;
      daewave::evaluate(problem_, x_, t, terms_);
      By_.noalias() = terms_.B * y_;
    } else if (!eliminate(t)) {
      return false;
    }
    slope = terms_.f - By_;
    if (index_1_) {
      x_ = slope;
      right_.noalias() = terms_.G * x_;
      residual = right_ + terms_.g_t;
    }
    return std::isfinite(slope.sum()) || slope.allFinite() ||
           fails(EvaluationFailure::Kind::not_finite, t);
  }

  bool algebraic(double t, const VecX& z, VecX& w) override {
    return !index_1_ || eliminated(t, z, w);
  }

  bool invariants(double t, const VecX& z, VecX& h) override {
    x_ = z;
    evaluate_position(problem_, x_, t, terms_);
    h = terms_.position;
    return true;
  }

  bool invariants(double t, const VecX& z, VecX& h, MatX& H) override {
    invariants(t, z, h);
    evaluate_jacobian(problem_, x_, t, terms_);
    H = terms_.G;
    return true;
  }

  bool multiplier(double t, const VecX& z, const VecX& w, VecX& multiplier) override {
    if (!index_1_) return eliminated(t, z, multiplier);
    multiplier = w;
    return true;
  }

  Drift drift(double t, const VecX& z) override {
    x_ = z;
    evaluate_position(problem_, x_, t, terms_);
    return {largest_size(terms_.position), 0.0};
  }

  std::string failure() const override { return failure_.text("[I B; G 0]"); }

 private:
  /// B y = P f + B (GB)^-1 g_t at x_.
  bool eliminate(double t) {
    daewave::evaluate(problem_, x_, t, terms_);
    if (!std::isfinite(terms_.G.sum()) || !std::isfinite(terms_.B.sum()) ||
        !split_.split(terms_.B, terms_.G, rank_tolerance_)) {
      return fails(EvaluationFailure::Kind::singular, t);
    }
    split_.correct(terms_.g_t, move_);
    split_.forbidden(terms_.f, By_);
    By_ += move_;
    return true;
  }

  bool eliminated(double t, const VecX& z, VecX& y) {
    x_ = z;
    if (!eliminate(t)) return false;
    split_.multiplier(By_, y_);
    y = y_;
    return true;
  }

  bool fails(EvaluationFailure::Kind kind, double t) {
    failure_ = {kind, t, split_.rank(), ny_};
    return false;
  }

  const P& problem_;
  double rank_tolerance_;
  bool index_1_;
  int nx_, ny_ = 0;
  SemiExplicitTerms<P> terms_;
  ObliqueSplit<State, Multiplier> split_;
  State x_, By_, move_;
  Multiplier y_, right_;
  EvaluationFailure failure_;
};

}  // namespace daewave::ivp
