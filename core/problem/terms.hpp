#pragma once
// Everything a method asks of a DAE at one point, from one call: what f, B, M, g, G, g_t and
// curvature share (sines, distances) a problem need compute once only.
//
//   void terms(const Position& q, const Position& v, double t, MultibodyTerms<Own>& at) const;
//
// is the way to say so; a problem without it is asked for the pieces one by one. Where only the
// constraints are asked for, at the end of a step,
//
//   void constraint_terms(const Position& q, double t, MultibodyTerms<Own>& at) const;
//
// saves the others: it fills G, position and g_t as terms() does and need not touch M, f and
// curvature. No problem with velocity constraints needs it.

#include <type_traits>

#include "core/problem/dae.hpp"

namespace daewave {

template <class P>
using MassOf =
    std::decay_t<decltype(std::declval<const P&>().M(std::declval<const typename P::Position&>()))>;

namespace detail {

/// Dense derivatives of a vector of the shape of L with respect to one of the shape of X.
template <class L, class X, class T = double>
using JacobianFor =
    Eigen::Matrix<T, rows<L>, rows<X>,
                  most_rows<L> == 1 && most_rows<X> != 1 ? Eigen::RowMajor : Eigen::ColMajor,
                  most_rows<L>, most_rows<X>>;

template <class P>
struct JacobianTrait {
  using type = std::decay_t<decltype(std::declval<const P&>().G(
      std::declval<const ConfigurationOf<P>&>(), 0.0))>;
};
template <HasVelocityConstraint P>
struct JacobianTrait<P> {
  using X = typename P::Position;
  using L = MultiplierOf<P>;
  using type = JacobianFor<L, X>;
};

}  // namespace detail

/// G, with the rows of K below it where there are velocity constraints. Dense, or a type of the
/// problem's own that its Kkt understands.
template <class P>
using JacobianOf = typename detail::JacobianTrait<P>::type;

/// out = G v. A Jacobian of a problem's own type brings its overloads, found beside that type.
template <class Jacobian, class V, class Out>
void apply(const Eigen::MatrixBase<Jacobian>& G, const V& v, Out& out) {
  out.noalias() = G * v;
}

/// out = G^T lambda.
template <class Jacobian, class L, class Out>
void apply_transposed(const Eigen::MatrixBase<Jacobian>& G, const L& lambda, Out& out) {
  out.noalias() = G.transpose() * lambda;
}

/// A multibody system at (q, v, t). Rows of w follow those of g throughout.
template <class P>
struct MultibodyTerms {
  MassOf<P> M;                ///< nq x nq.
  typename P::Position f;     ///< nq.
  JacobianOf<P> G;            ///< nl x nq.
  MultiplierOf<P> position;   ///< g, and zero for the rows of w; nl.
  MultiplierOf<P> g_t;        ///< So that G v + g_t is the velocity residual; nl.
  MultiplierOf<P> curvature;  ///< So that G v' + curvature is its derivative; nl. Untouched
                              ///< for a problem without it: regularization does not need it.
};

/// A DAE of index 3 at (x, v, t).
template <class P>
struct SecondOrderTerms {
  typename P::Position f;  ///< nx.
  std::decay_t<decltype(std::declval<const P&>().B(std::declval<const typename P::Position&>(),
                                                   0.0))>
      B;                                            ///< nx x ny.
  JacobianOf<P> G;                                  ///< ny x nx.
  typename P::Multiplier position, g_t, curvature;  ///< ny; curvature as above.
};

/// A DAE of index 2 at (x, t).
template <class P>
struct SemiExplicitTerms {
  typename P::State f;  ///< nx.
  std::decay_t<decltype(std::declval<const P&>().B(std::declval<const typename P::State&>(), 0.0))>
      B;                                 ///< nx x ny.
  JacobianOf<P> G;                       ///< ny x nx.
  typename P::Multiplier position, g_t;  ///< g and dg/dt; ny.
};

template <class P>
concept HasMultibodyTerms = Multibody<P> &&
    requires(const P& problem, const typename P::Position& q, MultibodyTerms<P>& at) {
  problem.terms(q, q, 0.0, at);
};

template <class P>
concept HasConstraintTerms =
    HasMultibodyTerms<P> && !HasVelocityConstraint<P> &&
    requires(const P& problem, const typename P::Position& q, MultibodyTerms<P>& at) {
  problem.constraint_terms(q, 0.0, at);
};

template <Multibody P>
void evaluate(const P& problem, const typename P::Position& q, const typename P::Position& v,
              double t, MultibodyTerms<P>& at) {
  if constexpr (HasMultibodyTerms<P>) {
    problem.terms(q, v, t, at);
  } else {
    static_assert(HasJacobian<P>, "give G(q, t) and g_t(q, t), or use with_autodiff(problem)");
    at.M = problem.M(q);
    at.f = problem.f(q, v, t);
    if constexpr (HasVelocityConstraint<P>) {
      static_assert(HasVelocityJacobian<P>,
                    "give K(q, t), k(q, t), w_curvature(q, v, t), or use with_autodiff(problem)");
      const auto G = problem.G(q, t);
      const auto K = problem.K(q, t);
      const int ny = static_cast<int>(G.rows()), nk = static_cast<int>(K.rows());
      at.G.resize(ny + nk, q.size());
      at.G.topRows(ny) = G;
      at.G.bottomRows(nk) = K;
      at.position.setZero(ny + nk);
      at.position.head(ny) = problem.g(q, t);
      at.g_t.resize(ny + nk);
      at.g_t.head(ny) = problem.g_t(q, t);
      at.g_t.tail(nk) = problem.k(q, t);
      if constexpr (HasCurvature<P>) {
        at.curvature.resize(ny + nk);
        at.curvature.head(ny) = problem.curvature(q, v, t);
        at.curvature.tail(nk) = problem.w_curvature(q, v, t);
      }
    } else {
      at.G = problem.G(q, t);
      at.position = problem.g(q, t);
      at.g_t = problem.g_t(q, t);
      if constexpr (HasCurvature<P>) at.curvature = problem.curvature(q, v, t);
    }
  }
}

template <class P>
concept HasSecondOrderTerms = SecondOrderDae<P> &&
    requires(const P& problem, const typename P::Position& x, SecondOrderTerms<P>& at) {
  problem.terms(x, x, 0.0, at);
};

template <SecondOrderDae P>
void evaluate(const P& problem, const typename P::Position& x, const typename P::Position& v,
              double t, SecondOrderTerms<P>& at) {
  if constexpr (HasSecondOrderTerms<P>) {
    problem.terms(x, v, t, at);
  } else {
    static_assert(HasJacobian<P>, "give G(x, t) and g_t(x, t), or use with_autodiff(problem)");
    at.f = problem.f(x, v, t);
    at.B = problem.B(x, t);
    at.G = problem.G(x, t);
    at.position = problem.g(x, t);
    at.g_t = problem.g_t(x, t);
    if constexpr (HasCurvature<P>) at.curvature = problem.curvature(x, v, t);
  }
}

template <class P>
concept HasSemiExplicitTerms = SemiExplicitDae<P> &&
    requires(const P& problem, const typename P::State& x, SemiExplicitTerms<P>& at) {
  problem.terms(x, 0.0, at);
};

template <SemiExplicitDae P>
void evaluate(const P& problem, const typename P::State& x, double t, SemiExplicitTerms<P>& at) {
  if constexpr (HasSemiExplicitTerms<P>) {
    problem.terms(x, t, at);
  } else {
    static_assert(HasJacobian<P>, "give G(x, t) and g_t(x, t), or use with_autodiff(problem)");
    at.f = problem.f(x, t);
    at.B = problem.B(x, t);
    at.G = problem.G(x, t);
    at.position = problem.g(x, t);
    at.g_t = problem.g_t(x, t);
  }
}

/// g alone into at.position, and G alone into at.G: without memory where the problem fills them.
template <SemiExplicitDae P>
void evaluate_position(const P& problem, const typename P::State& x, double t,
                       SemiExplicitTerms<P>& at) {
  if constexpr (requires { problem.g(x, t, at); }) {
    problem.g(x, t, at);
  } else {
    at.position = problem.g(x, t);
  }
}
template <SemiExplicitDae P>
void evaluate_jacobian(const P& problem, const typename P::State& x, double t,
                       SemiExplicitTerms<P>& at) {
  if constexpr (requires { problem.G(x, t, at); }) {
    problem.G(x, t, at);
  } else if constexpr (HasJacobian<P>) {
    at.G = problem.G(x, t);
  } else {
    evaluate(problem, x, t, at);
  }
}

/// The problem says enough for index reduction: G v' + curvature = 0.
template <class P>
concept Reducible =
    SemiExplicitDae<P> || HasCurvature<P> || HasMultibodyTerms<P> || HasSecondOrderTerms<P>;

/// The same of an object: of a type that stands for any problem, this one may say less.
template <class P>
bool is_reducible([[maybe_unused]] const P& problem) {
  if constexpr (requires { problem.erased(); }) {
    return SemiExplicitDae<P> || problem.erased().structure().has_curvature;
  }
  return Reducible<P>;
}

}  // namespace daewave
