#pragma once
// A DAE seen from the end of its interval: with tau = end - t and states
//
//   index 2       x_r(tau) = x(end - tau):        x_r' = -f + B y,   so B_r = -B;   y stays
//   index 3       (q, v)_r = (q, -v)(end - tau):  v_r' = f(q, -v_r, end - tau) - B y, so does B y
//
// it is a DAE of the same class, whose regularization lets constraints decay towards the begin.

#include "core/problem/terms.hpp"

namespace daewave {

namespace detail {

template <class P>
struct OwnKkt {};
template <class P>
requires requires { typename P::Kkt; }
struct OwnKkt<P> {
  using Kkt = typename P::Kkt;
};

}  // namespace detail

template <class P>
class TimeReversed;

/// Of index 2. The problem is kept by reference.
template <SemiExplicitDae P>
class TimeReversed<P> {
 public:
  using State = typename P::State;
  using Multiplier = typename P::Multiplier;

  TimeReversed(const P& problem, double end) : problem_(problem), end_(end) {}

  State f(const State& x, double tau) const { return -State(problem_.f(x, end_ - tau)); }
  auto B(const State& x, double tau) const {
    std::decay_t<decltype(problem_.B(x, tau))> B = problem_.B(x, end_ - tau);
    B = -B;
    return B;
  }
  Multiplier g(const State& x, double tau) const { return problem_.g(x, end_ - tau); }
  auto G(const State& x, double tau) const { return problem_.G(x, end_ - tau); }
  Multiplier g_t(const State& x, double tau) const {
    return -Multiplier(problem_.g_t(x, end_ - tau));
  }

  static State turned(const State& x) { return x; }
  static constexpr double sign_of_By = -1;

 private:
  const P& problem_;
  double end_;
};

namespace detail {

/// What DAEs of index 3 and multibody systems have in common here.
template <class P>
class ReversedMotion {
 public:
  using Position = typename P::Position;
  using Multiplier = typename P::Multiplier;

  ReversedMotion(const P& problem, double end) : problem_(problem), end_(end) {}

  Position f(const Position& q, const Position& v, double tau) const {
    return problem_.f(q, Position(-v), end_ - tau);
  }
  Multiplier g(const Position& q, double tau) const { return problem_.g(q, end_ - tau); }
  auto G(const Position& q, double tau) const { return problem_.G(q, end_ - tau); }
  Multiplier g_t(const Position& q, double tau) const {
    return -Multiplier(problem_.g_t(q, end_ - tau));
  }
  /// The same: v and the derivative by t both change their sign.
  Multiplier curvature(const Position& q, const Position& v,
                       double tau) const requires HasCurvature<P> {
    return problem_.curvature(q, Position(-v), end_ - tau);
  }

  static StateOf<P> turned(StateOf<P> z) {
    z.tail(z.size() / 2) *= -1;
    return z;
  }
  static constexpr double sign_of_By = 1;

 protected:
  const P& problem_;
  double end_;
};

}  // namespace detail

/// Of index 3. The problem is kept by reference.
template <SecondOrderDae P>
class TimeReversed<P> : public detail::ReversedMotion<P> {
 public:
  using detail::ReversedMotion<P>::ReversedMotion;
  auto B(const typename P::Position& q, double tau) const {
    return this->problem_.B(q, this->end_ - tau);
  }
};

/// Of a multibody system. The problem is kept by reference.
template <Multibody P>
class TimeReversed<P> : public detail::ReversedMotion<P>, public detail::OwnKkt<P> {
 public:
  using detail::ReversedMotion<P>::ReversedMotion;
  auto M(const typename P::Position& q) const { return this->problem_.M(q); }
};

}  // namespace daewave
