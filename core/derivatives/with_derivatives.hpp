#pragma once
// A problem with the derivatives of its constraints that it does not give itself. Where they come
// from is the Source: automatic differentiation (core/derivatives/autodiff.hpp), differences
// (core/derivatives/differences.hpp).

#include <utility>

#include "core/problem/dae.hpp"

namespace daewave {

namespace detail {

template <class P>
concept GivesG = requires(const P& problem, const ConfigurationOf<P>& q) {
  problem.G(q, 0.0);
};
template <class P>
concept GivesGt = requires(const P& problem, const ConfigurationOf<P>& q) {
  problem.g_t(q, 0.0);
};
template <class P>
concept GivesCurvature = requires(const P& problem, const ConfigurationOf<P>& q) {
  problem.curvature(q, q, 0.0);
};
template <class P>
concept GivesK = requires(const P& problem, const ConfigurationOf<P>& q) {
  problem.K(q, 0.0);
};
template <class P>
concept Givesk = requires(const P& problem, const ConfigurationOf<P>& q) {
  problem.k(q, 0.0);
};
template <class P>
concept GivesWCurvature = requires(const P& problem, const ConfigurationOf<P>& q) {
  problem.w_curvature(q, q, 0.0);
};

/// Those of g that every class of problem has. What P gives is kept: a name declared here would
/// hide it otherwise.
template <Dae P, class Source>
class WithJacobian : public P {
  using X = ConfigurationOf<P>;

 public:
  // Who evaluates it with another scalar than double takes both from here.
  using Stated = P;
  using DerivativesFrom = Source;

  explicit WithJacobian(P problem) : P(std::move(problem)) {}

  auto G(const X& q, double t) const {
    if constexpr (GivesG<P>) {
      return P::G(q, t);
    } else {
      return Source::template G<P>(*this, q, t);
    }
  }
  typename P::Multiplier g_t(const X& q, double t) const {
    if constexpr (GivesGt<P>) {
      return P::g_t(q, t);
    } else {
      return Source::template g_t<P>(*this, q, t);
    }
  }
};

/// And the second derivative, for index 3.
template <Dae P, class Source>
class WithCurvature : public WithJacobian<P, Source> {
  using X = ConfigurationOf<P>;

 public:
  using WithJacobian<P, Source>::WithJacobian;

  typename P::Multiplier curvature(const X& q, const X& v, double t) const {
    if constexpr (GivesCurvature<P>) {
      return P::curvature(q, v, t);
    } else {
      return Source::template curvature<P>(*this, q, v, t);
    }
  }
};

/// And those of w.
template <HasVelocityConstraint P, class Source>
class WithVelocityJacobian : public WithCurvature<P, Source> {
  using X = typename P::Position;
  using Y = typename P::VelocityMultiplier;

 public:
  using WithCurvature<P, Source>::WithCurvature;

  auto K(const X& q, double t) const {
    if constexpr (GivesK<P>) {
      return P::K(q, t);
    } else {
      return Source::template K<P>(*this, q, t);
    }
  }
  Y k(const X& q, double t) const {
    if constexpr (Givesk<P>) {
      return P::k(q, t);
    } else {
      const X rest = X::Zero(q.size());
      return P::w(q, rest, t);
    }
  }
  Y w_curvature(const X& q, const X& v, double t) const {
    if constexpr (GivesWCurvature<P>) {
      return P::w_curvature(q, v, t);
    } else {
      return Source::template w_curvature<P>(*this, q, v, t);
    }
  }
};

template <class P>
concept LacksDerivatives = !HasJacobian<P> || !(SemiExplicitDae<P> || HasCurvature<P>) ||
                           (HasVelocityConstraint<P> && !HasVelocityJacobian<P>);

/// A problem that lacks nothing stays what it is, with its terms().
template <class P, class Source>
struct WithDerivativesTrait {
  using type = P;
};
template <LacksDerivatives P, class Source>
struct WithDerivativesTrait<P, Source> {
  using type = WithCurvature<P, Source>;
};
template <LacksDerivatives P, class Source>
requires SemiExplicitDae<P>
struct WithDerivativesTrait<P, Source> {
  using type = WithJacobian<P, Source>;
};
template <LacksDerivatives P, class Source>
requires HasVelocityConstraint<P>
struct WithDerivativesTrait<P, Source> {
  using type = WithVelocityJacobian<P, Source>;
};

/// P with what is missing of G, g_t, curvature, K, k and w_curvature.
template <Dae P, class Source>
using WithDerivatives = typename WithDerivativesTrait<P, Source>::type;

}  // namespace detail

}  // namespace daewave
