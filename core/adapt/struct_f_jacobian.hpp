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

#include "core/adapt/struct_shapes.hpp"
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
  static constexpr bool has_unknowns = StatesIndexOne<P> || StatesInvariant<P>;
  static constexpr bool has_velocities = !has_unknowns && !StatesFirstOrder<P>;

 public:
  /// @param v  velocities, or the unknowns w; not looked at where there are none.
  /// @throws InvalidProblem for a matrix of another shape.
  template <class V>
  void fill(const P& problem, Ask what, Terms& out, const X& x, const V& v, double t) {
    const Eigen::Index nx = x.size();
    if (asks(what, Ask::f_q)) {
      out.f_q = keep("df/dx", by_state(problem, x, v, t), nx, nx, by_state_);
    }
    if constexpr (has_velocities) {
      if (asks(what, Ask::f_v)) out.f_v = keep("df/dv", problem.f_v(x, v, t), nx, nx, by_second_);
    }
    if constexpr (has_unknowns) {
      const Eigen::Index nw = v.size();
      if (asks(what, Ask::f_w)) out.f_w = keep("df/dw", problem.f_w(x, v, t), nx, nw, by_second_);
      if (asks(what, Ask::r_q)) {
        out.r_q = keep("dr/dx", of_r(problem, x, v, t), nw, nx, of_r_);
      }
    }
  }

 private:
  template <class V>
  static auto by_state(const P& problem, const X& x, [[maybe_unused]] const V& v, double t) {
    if constexpr (StatesFirstOrder<P>) {
      return problem.f_x(x, t);
    } else if constexpr (StatesInvariant<P>) {
      return problem.f_z(x, v, t);
    } else if constexpr (StatesIndexOne<P> || StatesSecondOrder<P>) {
      return problem.f_x(x, v, t);
    } else {
      return problem.f_q(x, v, t);
    }
  }
  template <class V>
  static auto of_r(const P& problem, const X& x, const V& v, double t) {
    if constexpr (StatesInvariant<P>) {
      return problem.r_z(x, v, t);
    } else {
      return problem.r_x(x, v, t);
    }
  }

  template <class Matrix>
  static const double* keep(const char* name, const Matrix& given, Eigen::Index rows,
                            Eigen::Index columns, MatX& memory) {
    memory = given;
    check_shape(name, memory, rows, columns);
    return memory.data();
  }

  MatX by_state_, by_second_, of_r_;
};

}  // namespace daewave::detail
