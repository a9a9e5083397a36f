#pragma once
// How far a state is off its constraints:
//
//   position  g(q, t), and zero for the rows of w;   velocity  G v + g_t, w = K v + k.

#include "core/problem/terms.hpp"

namespace daewave {

namespace detail {

template <class P>
struct TermsTrait {
  using type = SemiExplicitTerms<P>;
};
template <SecondOrderDae P>
struct TermsTrait<P> {
  using type = SecondOrderTerms<P>;
};
template <Multibody P>
struct TermsTrait<P> {
  using type = MultibodyTerms<P>;
};

}  // namespace detail

/// The terms of a problem of any class.
template <class P>
using TermsOf = typename detail::TermsTrait<P>::type;

/// The constraints of a DAE of index 3 and their residuals at one state; holds the memory they
/// need. Where the problem has fused terms they are taken, those of constraints alone if it has
/// them: M and f with them cost less than G and g one by one.
template <class P>
class ConstraintResidual {
 public:
  using Position = typename P::Position;
  using Multiplier = MultiplierOf<P>;

  void evaluate(const P& problem, const Position& q, const Position& v, double t) {
    if constexpr (HasConstraintTerms<P>) {
      problem.constraint_terms(q, t, terms_);
      position_ = terms_.position;
      add_motion(terms_.G, v, terms_.g_t);
    } else if constexpr (HasMultibodyTerms<P> || HasSecondOrderTerms<P>) {
      daewave::evaluate(problem, q, v, t, terms_);
      position_ = terms_.position;
      add_motion(terms_.G, v, terms_.g_t);
    } else if constexpr (HasVelocityConstraint<P>) {
      evaluate_with_velocity_rows(problem, q, v, t);
    } else {
      terms_.G = problem.G(q, t);
      position_ = problem.g(q, t);
      add_motion(terms_.G, v, problem.g_t(q, t));
    }
  }

  /// nl x nq.
  const JacobianOf<P>& G() const { return terms_.G; }
  const Multiplier& position() const { return position_; }
  const Multiplier& velocity() const { return velocity_; }

 private:
  template <class Rate>
  void add_motion(const JacobianOf<P>& G, const Position& v, const Rate& g_t) {
    velocity_.resizeLike(position_);
    apply(G, v, velocity_);
    velocity_ += g_t;
  }

  void evaluate_with_velocity_rows(const P& problem, const Position& q, const Position& v,
                                   double t) {
    const auto G = problem.G(q, t);
    const auto K = problem.K(q, t);
    const int ny = static_cast<int>(G.rows()), nk = static_cast<int>(K.rows());
    terms_.G.resize(ny + nk, q.size());
    terms_.G.topRows(ny) = G;
    terms_.G.bottomRows(nk) = K;
    position_.setZero(ny + nk);
    position_.head(ny) = problem.g(q, t);
    velocity_.resize(ny + nk);
    velocity_.noalias() = terms_.G * v;  // Of all rows: there may be none of g.
    velocity_.head(ny) += problem.g_t(q, t);
    velocity_.tail(nk) = problem.w(q, v, t);
  }

  TermsOf<P> terms_;
  Multiplier position_, velocity_;
};

}  // namespace daewave
