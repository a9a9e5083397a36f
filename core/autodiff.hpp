#pragma once
// Derivatives of the constraints without a line of algebra, asked for visibly in the call:
//
//   ivp::solve(with_autodiff(problem), ...);
//
// where the problem writes g (and w) as a template on its scalar, the time included:
//
//   template <class T> VecOf<T, 1> g(const VecOf<T, 2>& q, T t) const;
//   template <class T> VecOf<T, 1> w(const VecOf<T, 3>& q, const VecOf<T, 3>& v, T t) const;
//
// G and K by Eigen's AutoDiffScalar, g_t and the curvatures by a Taylor2 along (v, 1).

#include <Eigen/Core>
#include <algorithm>
#include <unsupported/Eigen/AutoDiff>
#include <utility>

#include "core/dae.hpp"
#include "core/taylor2.hpp"
#include "core/terms.hpp"

namespace daewave {

namespace detail {

/// A vector of the shape of V with entries T.
template <class V, class T>
using Rebind = Eigen::Matrix<T, rows<V>, 1, Eigen::ColMajor, most_rows<V>, 1>;

/// How many derivatives are taken along in one evaluation.
template <class X>
inline constexpr int seeds = rows<X> != Dynamic&& rows<X> <= 16 ? rows<X> : 8;
template <class X>
using Seeded = Eigen::AutoDiffScalar<Vec<seeds<X>>>;

/// df/dx at x, column by column, of a function of the seeded x that returns an L.
template <class L, class X, class F>
JacobianFor<L, X> jacobian(F f, const X& x) {
  constexpr int width = seeds<X>;
  using T = Seeded<X>;
  Rebind<X, T> seeded = x.template cast<T>();
  JacobianFor<L, X> J;
  const int nx = static_cast<int>(x.size());
  for (int from = 0; from < nx; from += width) {
    const int count = std::min(width, nx - from);
    for (int j = 0; j < count; ++j) seeded[from + j] = T(x[from + j], width, j);
    const Rebind<L, T> value = f(seeded);
    if (from == 0) J.resize(value.size(), nx);
    for (int i = 0; i < value.size(); ++i) {
      for (int j = 0; j < count; ++j) J(i, from + j) = value[i].derivatives()[j];
    }
    for (int j = 0; j < count; ++j) seeded[from + j] = T(x[from + j]);
  }
  return J;
}

/// x + s v.
template <class X>
Rebind<X, Taylor2> along(const X& x, const X& v) {
  Rebind<X, Taylor2> line(x.size());
  for (int i = 0; i < x.size(); ++i) line[i] = Taylor2(x[i], v[i], 0);
  return line;
}

template <class L>
L first_of(const Rebind<L, Taylor2>& value) {
  L first(value.size());
  for (int i = 0; i < value.size(); ++i) first[i] = value[i].first;
  return first;
}

template <class L>
L second_of(const Rebind<L, Taylor2>& value) {
  L second(value.size());
  for (int i = 0; i < value.size(); ++i) second[i] = value[i].second;
  return second;
}

template <class P, class T>
concept ConstraintOn = requires(const P& problem, const Rebind<ConfigurationOf<P>, T>& q, T t) {
  problem.g(q, t);
};
template <class P, class T>
concept VelocityConstraintOn = requires(const P& problem, const Rebind<typename P::Position, T>& q,
                                        T t) {
  problem.w(q, q, t);
};

template <class P>
concept GivesG = requires(const P& problem, const ConfigurationOf<P>& q) {
  problem.G(q, 0.0);
};
template <class P>
concept GivesGt = requires(const P& problem, const ConfigurationOf<P>& q) {
  problem.g_t(q, 0.0);
};
template <class P>
concept GivesCurvature = requires(const P& problem, const typename P::Position& q) {
  problem.curvature(q, q, 0.0);
};
template <class P>
concept GivesK = requires(const P& problem, const typename P::Position& q) {
  problem.K(q, 0.0);
};
template <class P>
concept Givesk = requires(const P& problem, const typename P::Position& q) {
  problem.k(q, 0.0);
};
template <class P>
concept GivesWCurvature = requires(const P& problem, const typename P::Position& q) {
  problem.w_curvature(q, q, 0.0);
};

/// Derivatives of g, which every class of problem has.
template <Dae P>
class PositionAutodiff : public P {
  using X = ConfigurationOf<P>;
  using Y = typename P::Multiplier;

 public:
  explicit PositionAutodiff(P problem) : P(std::move(problem)) {}

  auto G(const X& q, double t) const {
    if constexpr (GivesG<P>) {
      return P::G(q, t);
    } else {
      static_assert(ConstraintOn<P, Seeded<X>>,
                    "with_autodiff: write g as a template on the scalar of q and of t, "
                    "template <class T> VecOf<T, ny> g(const VecOf<T, nq>& q, T t) const; "
                    "or give G(q, t); or use with_differences(problem)");
      using T = Seeded<X>;
      const P& problem = *this;
      return jacobian<Y>([&](const Rebind<X, T>& at) { return problem.g(at, T(t)); }, q);
    }
  }

  Y g_t(const X& q, double t) const {
    if constexpr (GivesGt<P>) {
      return P::g_t(q, t);
    } else {
      return first_of<Y>(on_line(q, X::Zero(q.size()), t));
    }
  }

 protected:
  /// g(q + s v, t + s).
  Rebind<Y, Taylor2> on_line(const X& q, const X& v, double t) const {
    static_assert(ConstraintOn<P, Taylor2>,
                  "with_autodiff: write g as a template on the scalar of q and of t, "
                  "template <class T> VecOf<T, ny> g(const VecOf<T, nq>& q, T t) const; "
                  "or give g_t and curvature; or use with_differences(problem)");
    return P::g(along(q, v), Taylor2(t, 1, 0));
  }
};

/// And the curvature, for index 3.
template <Dae P>
class CurvatureAutodiff : public PositionAutodiff<P> {
  using X = ConfigurationOf<P>;
  using Y = typename P::Multiplier;

 public:
  using PositionAutodiff<P>::PositionAutodiff;

  Y curvature(const X& q, const X& v, double t) const {
    if constexpr (GivesCurvature<P>) {
      return P::curvature(q, v, t);
    } else {
      return second_of<Y>(this->on_line(q, v, t));
    }
  }
};

/// And the derivatives of w.
template <HasVelocityConstraint P>
class VelocityAutodiff : public CurvatureAutodiff<P> {
  using X = typename P::Position;
  using Y = typename P::VelocityMultiplier;

 public:
  using CurvatureAutodiff<P>::CurvatureAutodiff;

  auto K(const X& q, double t) const {
    if constexpr (GivesK<P>) {
      return P::K(q, t);
    } else {
      using T = Seeded<X>;
      static_assert(VelocityConstraintOn<P, T>,
                    "with_autodiff: write w as a template on the scalar of q, v and t, "
                    "template <class T> VecOf<T, nk> w(const VecOf<T, nq>& q, const VecOf<T, nq>& "
                    "v, T t) const; or give K(q, t); or use with_differences(problem)");
      const Rebind<X, T> at = q.template cast<T>();
      const P& problem = *this;
      return jacobian<Y>([&](const Rebind<X, T>& v) { return problem.w(at, v, T(t)); },
                         X(X::Zero(q.size())));
    }
  }

  Y k(const X& q, double t) const {
    if constexpr (Givesk<P>) {
      return P::k(q, t);
    } else {
      return P::w(q, X(X::Zero(q.size())), t);
    }
  }

  Y w_curvature(const X& q, const X& v, double t) const {
    if constexpr (GivesWCurvature<P>) {
      return P::w_curvature(q, v, t);
    } else {
      static_assert(VelocityConstraintOn<P, Taylor2>,
                    "with_autodiff: write w as a template on the scalar of q, v and t, or give "
                    "w_curvature(q, v, t); or use with_differences(problem)");
      const Rebind<X, Taylor2> fixed = v.template cast<Taylor2>();
      return first_of<Y>(P::w(along(q, v), fixed, Taylor2(t, 1, 0)));
    }
  }
};

template <class P>
struct AutodiffTrait {
  using type = CurvatureAutodiff<P>;
};
template <SemiExplicitDae P>
struct AutodiffTrait<P> {
  using type = PositionAutodiff<P>;
};
template <HasVelocityConstraint P>
struct AutodiffTrait<P> {
  using type = VelocityAutodiff<P>;
};

}  // namespace detail

/// The problem with G, g_t and, for index 3, curvature of g, and with K, k and w_curvature of w; to
/// rounding. Derivatives that the problem gives itself are kept. Fixed and bounded sizes take no
/// memory from the heap.
template <Dae P>
using WithAutodiff = typename detail::AutodiffTrait<P>::type;

/// @return the problem itself, with what it does not say about its constraints added.
template <Dae P>
WithAutodiff<P> with_autodiff(P problem) {
  return WithAutodiff<P>(std::move(problem));
}

}  // namespace daewave
