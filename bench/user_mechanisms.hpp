#pragma once
// Mechanisms as a user writes them: f, M and g, templates on the scalar, without a word about
// structure, for what is measured beside the catalogue's own.

#include <cmath>
#include <numbers>

#include "core/problem/dae.hpp"
#include "core/types.hpp"
#include "problems/acpr.hpp"

namespace daewave::bench {

/// The chain of problems/chain.hpp. @tparam N  rods; Dynamic: `rods`.
template <int N = Dynamic>
struct Rods {
  static constexpr int nq = N == Dynamic ? Dynamic : 3 * N;
  using Position = Vec<nq>;
  using Multiplier = Vec<N == Dynamic ? Dynamic : 2 * N>;
  int rods = N == Dynamic ? 16 : N;

  template <class T>
  MatOf<T, nq, nq> M(const VecOf<T, nq>& q) const {
    MatOf<T, nq, nq> mass = MatOf<T, nq, nq>::Zero(q.size(), q.size());
    for (int i = 0; i < rods; ++i) {
      mass(3 * i, 3 * i) = mass(3 * i + 1, 3 * i + 1) = T(1);
      mass(3 * i + 2, 3 * i + 2) = T(1.0 / 12);
    }
    return mass;
  }
  template <class T>
  VecOf<T, nq> f(const VecOf<T, nq>& q, const VecOf<T, nq>&, T) const {
    VecOf<T, nq> force = VecOf<T, nq>::Zero(q.size());
    for (int i = 0; i < rods; ++i) force[3 * i + 1] = T(-9.81);
    return force;
  }
  template <class T>
  VecOf<T, Multiplier::RowsAtCompileTime> g(const VecOf<T, nq>& q, T) const {
    using std::cos, std::sin;
    VecOf<T, Multiplier::RowsAtCompileTime> gap(2 * rods);
    T x(0), y(0);
    for (int i = 0; i < rods; ++i) {
      const T c = 0.5 * cos(q[3 * i + 2]), s = 0.5 * sin(q[3 * i + 2]);
      gap[2 * i] = q[3 * i] - c - x;
      gap[2 * i + 1] = q[3 * i + 1] - s - y;
      x = q[3 * i] + c;
      y = q[3 * i + 1] + s;
    }
    return gap;
  }
};

/// TwoLinkArm of problems/acpr.hpp, its hand on the parabola.
struct Arm {
  using Position = Vec<2>;
  using Multiplier = Vec<1>;
  double m1 = 36, m2 = 36, l1 = 1, l2 = 1, g0 = 9.81;

  template <class T>
  MatOf<T, 2, 2> M(const VecOf<T, 2>& q) const {
    using std::cos;
    const double inner = m2 * l2 * l2 / 3;
    const T coupling = m2 * l1 * l2 * cos(q[1]);
    MatOf<T, 2, 2> mass;
    mass(0, 0) = m1 * l1 * l1 / 3 + m2 * l1 * l1 + inner + coupling;
    mass(0, 1) = mass(1, 0) = inner + coupling / 2.0;
    mass(1, 1) = T(inner);
    return mass;
  }
  template <class T>
  VecOf<T, 2> f(const VecOf<T, 2>& q, const VecOf<T, 2>& v, T) const {
    using std::cos, std::sin;
    const T pull = 0.5 * m2 * l1 * l2 * sin(q[1]);
    const T outer = 0.5 * m2 * g0 * l2 * cos(q[0] + q[1]);
    return {pull * v[1] * (2.0 * v[0] + v[1]) - (0.5 * m1 + m2) * g0 * l1 * cos(q[0]) - outer,
            -pull * v[0] * v[0] - outer};
  }
  template <class T>
  VecOf<T, 1> g(const VecOf<T, 2>& q, T) const {
    using std::cos, std::sin;
    const T x = l1 * cos(q[0]) + l2 * cos(q[0] + q[1]), y = l1 * sin(q[0]) + l2 * sin(q[0] + q[1]);
    const Vec<4> z = problems::AcprCase1().start();
    const double x0 = l1 * std::cos(z[0]) + l2 * std::cos(z[0] + z[1]);
    const double y0 = l1 * std::sin(z[0]) + l2 * std::sin(z[0] + z[1]);
    return VecOf<T, 1>(y - x * x + (x0 * x0 - y0));
  }
};

}  // namespace daewave::bench
