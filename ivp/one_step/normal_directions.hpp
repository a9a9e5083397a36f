#pragma once
// How far a state is off its constraints, and the directions that lead back to them:
//
//   h = (g, G v + g_t),  D = diag(F, F);   of index 2: h = g, D = F;   F = G^T (G G^T)^-1

#include <cmath>

#include "core/kkt/kkt.hpp"
#include "core/problem/constraint_residual.hpp"
#include "core/problem/terms.hpp"

namespace daewave::ivp {

/// At one state of a DAE of index 3, all of whose constraints are on positions.
template <class P>
class NormalDirections {
 public:
  using State = StateOf<P>;
  using Multiplier = MultiplierOf<P>;

  struct Multipliers {
    Multiplier position, velocity;

    void setZero(int n) {
      position.setZero(n);
      velocity.setZero(n);
    }
    void add(double factor, const Multipliers& other) {
      position += factor * other.position;
      velocity += factor * other.velocity;
    }
  };

  /// @param rank_tolerance  rows that depend on others to this take no part.
  /// @return false where G or h is not finite.
  bool evaluate(const P& problem, double t, const State& z, double rank_tolerance) {
    const int n = static_cast<int>(z.size() / 2);
    q_ = z.head(n);
    v_ = z.tail(n);
    residual_.evaluate(problem, q_, v_, t);
    kkt_.eliminate(residual_.G(), rank_tolerance);
    return std::isfinite(residual_.position().sum() + residual_.velocity().sum());
  }

  int constraints() const { return static_cast<int>(residual_.position().size()); }

  /// c = h.
  void residual(Multipliers& c) const {
    c.position = residual_.position();
    c.velocity = residual_.velocity();
  }

  /// dz = D mu.
  void along(const Multipliers& mu, State& dz) {
    const int n = static_cast<int>(q_.size());
    kkt_.correct_orthogonal(mu.position, move_);
    dz.head(n) = move_;
    kkt_.correct_orthogonal(mu.velocity, move_);
    dz.tail(n) = move_;
  }

 private:
  ConstraintResidual<P> residual_;
  KktOf<P> kkt_;
  typename P::Position q_, v_, move_;
};

/// Of a DAE of index 2.
template <SemiExplicitDae P>
class NormalDirections<P> {
 public:
  using State = typename P::State;
  using Multiplier = typename P::Multiplier;

  struct Multipliers {
    Multiplier position;

    void setZero(int n) { position.setZero(n); }
    void add(double factor, const Multipliers& other) { position += factor * other.position; }
  };

  bool evaluate(const P& problem, double t, const State& x, double rank_tolerance) {
    daewave::evaluate(problem, x, t, terms_);
    kkt_.eliminate(terms_.G, rank_tolerance);
    return std::isfinite(terms_.position.sum());
  }

  int constraints() const { return static_cast<int>(terms_.position.size()); }

  void residual(Multipliers& c) const { c.position = terms_.position; }

  void along(const Multipliers& mu, State& dx) { kkt_.correct_orthogonal(mu.position, dx); }

 private:
  SemiExplicitTerms<P> terms_;
  NullSpaceKkt<State, Multiplier> kkt_;
};

}  // namespace daewave::ivp
