#pragma once
// Derivatives of f, and of r, that a struct states beside them:
//
//   ordinary, index 2         f_x(x, t)
//   index 1                   f_x(x, w, t), f_w(x, w, t), r_x(x, w, t);  r_w as ever
//   with invariants           f_z(z, w, t), f_w(z, w, t), r_z(z, w, t)
//   second order              f_x(x, v, t), f_v(x, v, t)
//   multibody                 f_q(q, v, t), f_v(q, v, t)
//
// All that its kind has, or none.

#include "core/problem/dae.hpp"
#include "core/problem/dae_problem.hpp"

namespace daewave::detail {

template <class P>
concept StatesFirstOrder = requires(const P& problem, const typename P::State& x, double t) {
  MatX(problem.f_x(x, t));
};
template <class P>
concept StatesIndexOne = requires(const P& problem, const typename P::State& x,
                                  const typename P::Algebraic& w, double t) {
  MatX(problem.f_x(x, w, t));
  MatX(problem.f_w(x, w, t));
  MatX(problem.r_x(x, w, t));
};
template <class P>
concept StatesInvariant = requires(const P& problem, const typename P::State& z,
                                   const typename P::Algebraic& w, double t) {
  MatX(problem.f_z(z, w, t));
  MatX(problem.f_w(z, w, t));
  MatX(problem.r_z(z, w, t));
};
template <class P>
concept StatesSecondOrder = requires(const P& problem, const typename P::Position& x, double t) {
  MatX(problem.f_x(x, x, t));
  MatX(problem.f_v(x, x, t));
};
template <class P>
concept StatesMultibody = Multibody<P> &&
    requires(const P& problem, const typename P::Position& q, double t) {
  MatX(problem.f_q(q, q, t));
  MatX(problem.f_v(q, q, t));
};

template <class P>
concept StatesFJacobian = StatesFirstOrder<P> || StatesIndexOne<P> || StatesInvariant<P> ||
    StatesSecondOrder<P> || StatesMultibody<P>;

/// The memory of what a struct states; none of one that states nothing.
template <class P>
class StructFJacobian {
 public:
  template <class... Arguments>
  void fill(const P&, Ask, Terms&, const Arguments&...) {}
};

template <StatesFJacobian P>
class StructFJacobian<P> {
  using X = ConfigurationOf<P>;

 public:
  /// @param v  velocities, or the unknowns w; not looked at where there are none.
  template <class V>
  void fill(const P& problem, Ask what, Terms& out, const X& x, const V& v, double t) {
    constexpr Ask any = Ask::f_q | Ask::f_v | Ask::f_w | Ask::r_q;
    if (!asks(what, any)) return;
    if constexpr (StatesFirstOrder<P>) {
      put(
          what, Ask::f_q, [&] { return problem.f_x(x, t); }, f_q_, out.f_q);
    } else if constexpr (StatesIndexOne<P>) {
      put(
          what, Ask::f_q, [&] { return problem.f_x(x, v, t); }, f_q_, out.f_q);
      put(
          what, Ask::f_w, [&] { return problem.f_w(x, v, t); }, f_v_, out.f_w);
      put(
          what, Ask::r_q, [&] { return problem.r_x(x, v, t); }, r_q_, out.r_q);
    } else if constexpr (StatesInvariant<P>) {
      put(
          what, Ask::f_q, [&] { return problem.f_z(x, v, t); }, f_q_, out.f_q);
      put(
          what, Ask::f_w, [&] { return problem.f_w(x, v, t); }, f_v_, out.f_w);
      put(
          what, Ask::r_q, [&] { return problem.r_z(x, v, t); }, r_q_, out.r_q);
    } else if constexpr (StatesSecondOrder<P>) {
      put(
          what, Ask::f_q, [&] { return problem.f_x(x, v, t); }, f_q_, out.f_q);
      put(
          what, Ask::f_v, [&] { return problem.f_v(x, v, t); }, f_v_, out.f_v);
    } else {
      put(
          what, Ask::f_q, [&] { return problem.f_q(x, v, t); }, f_q_, out.f_q);
      put(
          what, Ask::f_v, [&] { return problem.f_v(x, v, t); }, f_v_, out.f_v);
    }
  }

 private:
  template <class Function>
  static void put(Ask what, Ask one, Function function, MatX& memory, const double*& out) {
    if (!asks(what, one)) return;
    memory = function();
    out = memory.data();
  }

  MatX f_q_, f_v_, r_q_;
};

}  // namespace daewave::detail
