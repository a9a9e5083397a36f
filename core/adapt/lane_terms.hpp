#pragma once
// The terms of a struct at W points at once: of one that states its mathematics as templates on the
// scalar,
//
//   template <class T> VecOf<T, 2> f(const VecOf<T, 2>& q, const VecOf<T, 2>& v, T t) const;
//   template <class T> MatOf<T, 2, 2> M(const VecOf<T, 2>& q) const;    or DiagonalMatrix<T, 2>
//   template <class T> VecOf<T, 1> g(const VecOf<T, 2>& q, T t) const;
//
// B(x, t) and w(q, v, t) likewise. G, g_t and curvature, or terms(q, v, t, at), are taken where
// they are templates too; if not, g is differentiated.

#include <type_traits>

#include "core/derivatives/dual.hpp"
#include "core/derivatives/taylor2.hpp"
#include "core/lanes/lane_sizes.hpp"
#include "core/lanes/lanes_in_eigen.hpp"
#include "core/machine/flatten.hpp"
#include "core/problem/dae.hpp"
#include "core/problem/dae_problem.hpp"
#include "core/problem/terms.hpp"

namespace daewave::detail {

/// The struct whose functions are templates: that which with_autodiff() was given, or P itself.
template <class P>
struct StatedTrait {
  using type = P;
  static constexpr bool differentiable = true;
};
template <class P>
requires requires { typename P::DerivativesFrom; }
struct StatedTrait<P> {
  using type = typename P::Stated;
  /// Differences that were asked for are not replaced by exact derivatives.
  static constexpr bool differentiable = requires { requires P::DerivativesFrom::of_any_scalar; };
};
template <class P>
using Stated = typename StatedTrait<P>::type;

template <class V, class T>
concept OfScalar = std::is_same_v<typename std::decay_t<V>::Scalar, T>;

template <class M>
inline constexpr bool is_diagonal_mass = false;
template <class T, int n, int most>
inline constexpr bool is_diagonal_mass<Eigen::DiagonalMatrix<T, n, most>> = true;

/// What a struct states for vectors X with entries T and times T. The return types are looked at,
/// as Eigen converts a vector of T into one of doubles where no one should.
template <class S, class X, class T>
concept StatesForces = requires(const S& s, const X& x, const T& t) {
  { s.f(x, x, t) } -> OfScalar<T>;
}
|| requires(const S& s, const X& x, const T& t) {
  { s.f(x, t) } -> OfScalar<T>;
};
template <class S, class X, class T>
concept StatesMass = requires(const S& s, const X& x) {
  { s.M(x) } -> OfScalar<T>;
};
template <class S, class X, class T>
concept StatesB = requires(const S& s, const X& x, const T& t) {
  { s.B(x, t) } -> OfScalar<T>;
};
template <class S, class X, class T>
concept StatesConstraint = requires(const S& s, const X& x, const T& t) {
  { s.g(x, t) } -> OfScalar<T>;
};
template <class S, class X, class T>
concept StatesJacobian = requires(const S& s, const X& x, const T& t) {
  { s.G(x, t) } -> OfScalar<T>;
  { s.g_t(x, t) } -> OfScalar<T>;
};
template <class S, class X, class T>
concept StatesCurvature = requires(const S& s, const X& x, const T& t) {
  { s.curvature(x, x, t) } -> OfScalar<T>;
};
template <class S, class X, class T>
concept StatesVelocity = requires(const S& s, const X& x, const T& t) {
  { s.w(x, x, t) } -> OfScalar<T>;
};
template <class S, class X, class T, class At>
concept StatesTerms = requires(const S& s, const X& x, const T& t, At& at) {
  s.terms(x, x, t, at);
}
|| requires(const S& s, const X& x, const T& t, At& at) { s.terms(x, t, at); };

/// Matrices and vectors of a problem with entries T.
template <class P, class T>
struct TermsIn {
  using X = ConfigurationOf<P>;
  using L = MultiplierOf<P>;
  using Columns = Eigen::Matrix<T, rows<X>, rows<L>, Eigen::ColMajor, most_rows<X>, most_rows<L>>;
  struct None {};
  template <class Q>
  struct Mass {
    using type = None;
  };
  template <Multibody Q>
  struct Mass<Q> {
    using type = std::conditional_t<
        is_diagonal_mass<MassOf<Q>>, Eigen::DiagonalMatrix<T, rows<X>, most_rows<X>>,
        Eigen::Matrix<T, rows<X>, rows<X>, Eigen::ColMajor, most_rows<X>, most_rows<X>>>;
  };

  Rebind<X, T> f;
  typename Mass<P>::type M;
  std::conditional_t<Multibody<P>, None, Columns> B;
  JacobianFor<L, X, T> G;
  Rebind<L, T> position, g_t, curvature;
};

/// How many derivatives are taken along: with respect to all of x and t where that is not many.
template <class X>
inline constexpr int derivatives_along = rows<X> != Dynamic&& rows<X> <= 16 ? rows<X> + 1 : 8;

/// A derivative along each of them. Those that are zero are left out where the compiler can see
/// them: loops over sizes of the type are unrolled.
template <class X, class T, int width = derivatives_along<X>>
using LaneDual = Dual<T, width,
                      std::conditional_t<rows<X> != Dynamic && width <= SomeDirections::most,
                                         SomeDirections, AllDirections>>;

template <class P, class T>
concept Bounded = most_rows<ConfigurationOf<P>>
!= Dynamic&& most_rows<MultiplierOf<P>> != Dynamic&& most_rows<ConfigurationOf<P>> <= most_on_stack;

/// P has a lane of T for each of as many points: everything it is made of is a template.
template <class P, class T>
concept InLanesOf = Dae<P> && Bounded<P, T> && !requires {
  requires !Stated<P>::in_lanes;
}
&&(StatesTerms<Stated<P>, Rebind<ConfigurationOf<P>, T>, T, TermsIn<P, T>> ||
   (StatesForces<Stated<P>, Rebind<ConfigurationOf<P>, T>, T> &&
    (Multibody<P>
         ? StatesMass<Stated<P>, Rebind<ConfigurationOf<P>, T>, T>
         : StatesB<Stated<P>, Rebind<ConfigurationOf<P>, T>,
                   T>)&&(!HasVelocityConstraint<P> ||
                         StatesVelocity<Stated<P>, Rebind<ConfigurationOf<P>, T>,
                                        T>)&&StatesConstraint<Stated<P>,
                                                              Rebind<ConfigurationOf<P>, T>, T> &&
    (StatedTrait<P>::differentiable ||
     (StatesJacobian<Stated<P>, Rebind<ConfigurationOf<P>, T>, T> &&
      (SemiExplicitDae<P> || StatesCurvature<Stated<P>, Rebind<ConfigurationOf<P>, T>, T>)))));

/// Evaluates them. Nothing that is not named by T is left behind for the linker.
template <class P, class T>
class LaneTerms {
 public:
  using X = ConfigurationOf<P>;
  using Q = Rebind<X, T>;

  explicit LaneTerms(const Sizes& sizes) : n_(sizes.nq), y_(sizes.ny), k_(sizes.nk) {
    const int nl = ny() + nk();
    q.resize(nq());
    v.resize(nq());
    at.f.resize(nq());
    if constexpr (Multibody<P>) {
      if constexpr (is_diagonal_mass<MassOf<P>>) {
        at.M.resize(nq());
      } else {
        at.M.resize(nq(), nq());
      }
    } else {
      at.B.resize(nq(), nl);
    }
    at.G.resize(nl, nq());
    at.position.resize(nl);
    at.g_t.resize(nl);
    at.curvature.resize(nl);
    for (int i = 0; i < nl; ++i) at.position[i] = at.g_t[i] = at.curvature[i] = T(0);
  }

  /// At q, v and t, which are set before. @tparam S  the struct, or one with parameters in lanes.
  template <class S>
  [[gnu::always_inline]] void fill(const S& problem, Ask what) {
    if constexpr (requires { problem.terms(q, v, t, at); }) {
      problem.terms(q, v, t, at);
    } else if constexpr (requires { problem.terms(q, t, at); }) {
      problem.terms(q, t, at);
    } else {
      fill_forces(problem, what);
      fill_constraints(problem, what);
    }
  }

  Q q, v;
  T t;
  TermsIn<P, T> at;

 private:
  template <class S>
  [[gnu::always_inline]] void fill_forces(const S& problem, Ask what) {
    if (asks(what, Ask::f)) {
      if constexpr (SemiExplicitDae<P>) {
        at.f = problem.f(q, t);
      } else {
        at.f = problem.f(q, v, t);
      }
    }
    if constexpr (Multibody<P>) {
      if (asks(what, Ask::M)) at.M = problem.M(q);
    } else {
      if (asks(what, Ask::B)) at.B = problem.B(q, t);
    }
  }

  template <class S>
  [[gnu::always_inline]] void fill_constraints(const S& problem, Ask what) {
    constexpr bool own = StatesJacobian<S, Q, T>;
    const bool differentiate = asks(what, Ask::G | Ask::g_t);
    if constexpr (own) {
      if (asks(what, Ask::G)) at.G.topRows(ny()) = problem.G(q, t);
      if (asks(what, Ask::g_t)) at.g_t.head(ny()) = problem.g_t(q, t);
    } else {
      if (differentiate) differentiate_g(problem);
    }
    if (asks(what, Ask::g) && (own || !differentiate)) at.position.head(ny()) = problem.g(q, t);
    if constexpr (HasVelocityConstraint<P>) {
      if (differentiate) differentiate_w(problem);
    }
    if constexpr (!SemiExplicitDae<P>) {
      if (asks(what, Ask::curvature)) curve(problem);
    }
  }

  /// G, g_t and g; with all that g calls inlined, so that the directions of a derivative are known
  /// wherever it is used.
  template <class S>
  DAEWAVE_FLATTEN void differentiate_g(const S& problem) {
    constexpr int width = derivatives_along<X>;
    using D = LaneDual<X, T>;
    Rebind<X, D> x;
    x.resize(nq());
    for (int from = 0; from <= nq(); from += width) {
      for (int j = 0; j < nq(); ++j) {
        x[j] = j >= from && j < from + width ? D(q[j], j - from) : D(q[j]);
      }
      const D time = nq() < from + width ? D(t, nq() - from) : D(t);
      const Rebind<typename P::Multiplier, D> value = problem.g(x, time);
      for (int i = 0; i < ny(); ++i) {
        at.position[i] = value[i].value;
        for (int j = from; j < from + width && j < nq(); ++j) {
          at.G(i, j) = value[i].derivative(j - from);
        }
        if (nq() < from + width) at.g_t[i] = value[i].derivative(nq() - from);
      }
    }
  }

  /// K and k: w is linear in v.
  template <class S>
  DAEWAVE_FLATTEN void differentiate_w(const S& problem) {
    constexpr int width = derivatives_along<X>;
    using D = LaneDual<X, T>;
    Rebind<X, D> x, u;
    x.resize(nq());
    u.resize(nq());
    for (int j = 0; j < nq(); ++j) x[j] = D(q[j]);
    for (int from = 0; from < nq(); from += width) {
      for (int j = 0; j < nq(); ++j) {
        u[j] = j >= from && j < from + width ? D(T(0), j - from) : D(T(0));
      }
      const Rebind<typename P::VelocityMultiplier, D> value = problem.w(x, u, D(t));
      for (int i = 0; i < nk(); ++i) {
        at.g_t[ny() + i] = value[i].value;
        for (int j = from; j < from + width && j < nq(); ++j) {
          at.G(ny() + i, j) = value[i].derivative(j - from);
        }
      }
    }
  }

  template <class S>
  [[gnu::always_inline]] void curve(const S& problem) {
    if constexpr (StatesCurvature<S, Q, T>) {
      at.curvature.head(ny()) = problem.curvature(q, v, t);
    } else {
      curve_g(problem);
    }
    if constexpr (HasVelocityConstraint<P>) curve_w(problem);
  }

  template <class S>
  void curve_g(const S& problem) {
    const Rebind<X, Taylor2Of<T>> line = along();
    const Rebind<typename P::Multiplier, Taylor2Of<T>> value = problem.g(line, time_along());
    for (int i = 0; i < ny(); ++i) at.curvature[i] = value[i].second;
  }
  template <class S>
  void curve_w(const S& problem) {
    const Rebind<X, Taylor2Of<T>> line = along();
    Rebind<X, Taylor2Of<T>> fixed;
    fixed.resize(nq());
    for (int i = 0; i < nq(); ++i) fixed[i] = Taylor2Of<T>(v[i]);
    const Rebind<typename P::VelocityMultiplier, Taylor2Of<T>> value =
        problem.w(line, fixed, time_along());
    for (int i = 0; i < nk(); ++i) at.curvature[ny() + i] = value[i].first;
  }

  /// q + s v and t + s.
  Rebind<X, Taylor2Of<T>> along() const {
    Rebind<X, Taylor2Of<T>> line;
    line.resize(nq());
    for (int i = 0; i < nq(); ++i) line[i] = Taylor2Of<T>(q[i], v[i], T(0));
    return line;
  }
  Taylor2Of<T> time_along() const { return Taylor2Of<T>(t, T(1), T(0)); }

  [[gnu::always_inline]] int nq() const { return n_.value(); }
  [[gnu::always_inline]] int ny() const { return y_.value(); }
  [[gnu::always_inline]] int nk() const { return k_; }

  LaneSize<rows<X>> n_;
  LaneSize<rows<typename P::Multiplier>> y_;
  int k_;
};

}  // namespace daewave::detail
