#pragma once
// The acceleration of a constrained multibody system, and corrections back to its constraints, from
// one factorization:
//
//   [ M  G^T ] [ v'     ]   [ f ]
//   [ G   0  ] [ lambda ] = [ c ]                                              [ACPR] (1.5)

#include "core/kkt/kkt_of.hpp"
#include "core/problem/constraint_residual.hpp"
#include "core/problem/terms.hpp"
#include "ivp/options/index_reduction.hpp"

namespace daewave::ivp {

/// A multibody system at one state. What evaluate() computed holds until it is called again.
template <Multibody P>
requires Reducible<P>
class MultibodyEquations {
 public:
  using Problem = P;
  using Position = typename P::Position;
  using Multiplier = MultiplierOf<P>;
  using Terms = MultibodyTerms<P>;
  static constexpr const char* matrix = "[M G^T; G 0]";

  /// `problem` is kept by reference.
  MultibodyEquations(const P& problem, double rank_tolerance)
      : problem_(problem), rank_tolerance_(rank_tolerance) {}

  /// The terms at (q, v, t), and their factorization; false where it is singular or not finite.
  bool evaluate(const Position& q, const Position& v, double t) {
    daewave::evaluate(problem_, q, v, t, terms_);
    eliminate_in_metric(kkt_, terms_.G, terms_.M, rank_tolerance_);
    return kkt_.weigh(terms_.M);
  }

  const P& problem() const { return problem_; }
  const Terms& terms() const { return terms_; }
  int rank() const { return kkt_.rank(); }
  /// Of G, where the elimination has it at hand.
  double smallest_pivot() const requires requires { requires KktOf<P>::knows_pivots; }
  { return kkt_.smallest_pivot(); }

  /// v' and lambda with G v' = c.
  void solve(const Multiplier& c, Position& acceleration, Multiplier& lambda) {
    kkt_.solve(terms_.M, terms_.f, c, acceleration, lambda);
  }

  /// The same for v' alone, where it costs less.
  void solve(const Multiplier& c, Position& acceleration) {
    if constexpr (requires { kkt_.solve(terms_.M, terms_.f, c, acceleration); }) {
      kkt_.solve(terms_.M, terms_.f, c, acceleration);
    } else {
      kkt_.solve(terms_.M, terms_.f, c, acceleration, lambda_);
    }
  }

  /// d = F c: the smallest d with G d = c in the metric asked for.     [ACPR] (5.5), (5.6)
  void correct(Metric metric, const Multiplier& c, Position& d) {
    if (metric == Metric::mass) {
      kkt_.correct(terms_.M, c, d);
    } else {
      kkt_.correct_orthogonal(c, d);
    }
  }

  /// mu = (G G^T)^-1 c.
  void orthogonal_multiplier(const Multiplier& c, Multiplier& mu) {
    kkt_.correct_orthogonal(c, scratch_, mu);
  }

 private:
  const P& problem_;
  double rank_tolerance_;
  Terms terms_;
  KktOf<P> kkt_;
  Position scratch_;
  Multiplier lambda_;
};

}  // namespace daewave::ivp
