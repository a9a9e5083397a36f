#pragma once
// The acceleration of a DAE of index 3, and corrections back to its constraints, from one
// factorization:
//
//   [ I  B ] [ x'' ]   [ f ]
//   [ G  0 ] [ y   ] = [ c ]                                                   [AL2] (4.2)

#include <cmath>

#include "core/kkt/oblique.hpp"
#include "core/problem/constraint_residual.hpp"
#include "core/problem/terms.hpp"
#include "ivp/options/index_reduction.hpp"

namespace daewave::ivp {

/// A DAE of index 3 at one state. What evaluate() computed holds until it is called again.
template <SecondOrderDae P>
requires Reducible<P>
class SecondOrderEquations {
 public:
  using Problem = P;
  using Position = typename P::Position;
  using Multiplier = typename P::Multiplier;
  using Terms = SecondOrderTerms<P>;
  static constexpr const char* matrix = "[I B; G 0]";

  /// `problem` is kept by reference.
  SecondOrderEquations(const P& problem, double rank_tolerance)
      : problem_(problem), rank_tolerance_(rank_tolerance) {}

  /// The terms at (x, v, t), and their factorization; false where it is singular or not finite.
  bool evaluate(const Position& x, const Position& v, double t) {
    daewave::evaluate(problem_, x, v, t, terms_);
    return std::isfinite(terms_.G.sum()) && std::isfinite(terms_.B.sum()) &&
           split_.split(terms_.B, terms_.G, rank_tolerance_);
  }

  const P& problem() const { return problem_; }
  const Terms& terms() const { return terms_; }
  int rank() const { return split_.rank(); }
  double smallest_pivot() const { return split_.smallest_pivot(); }

  /// x'' and y with G x'' = c.
  void solve(const Multiplier& c, Position& acceleration, Multiplier& y) {
    solve(c, acceleration);
    split_.multiplier(By_, y);
  }

  /// The same for x'' alone.
  void solve(const Multiplier& c, Position& acceleration) {
    split_.forbidden(terms_.f, acceleration);
    split_.correct(c, By_);
    By_ = acceleration - By_;
    acceleration = terms_.f - By_;
  }

  /// d with G d = c: B (GB)^-1 c, or the smallest.
  void correct(Metric metric, const Multiplier& c, Position& d) {
    if (metric == Metric::mass) {
      split_.correct(c, d);
    } else {
      split_.correct_orthogonal(c, d, scratch_);
    }
  }

  /// mu = (G G^T)^-1 c.
  void orthogonal_multiplier(const Multiplier& c, Multiplier& mu) {
    split_.correct_orthogonal(c, By_, mu);
  }

 private:
  const P& problem_;
  double rank_tolerance_;
  Terms terms_;
  ObliqueSplit<Position, Multiplier> split_;
  Position By_;
  Multiplier scratch_;
};

}  // namespace daewave::ivp
