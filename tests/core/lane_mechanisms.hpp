#pragma once
// Problems whose functions are templates on the scalar, one of each kind and structure.

#include <cmath>

#include "bench/lane_mechanisms.hpp"
#include "core/problem/dae.hpp"
#include "core/types.hpp"

namespace daewave::testing {

using bench::HeavyPendulum, bench::LedArm, bench::LooseString, bench::SevenBodies, bench::Turning;

/// The arm with derivatives of its own.
struct LedArmByHand : LedArm {
  double mistake = 0;  ///< In G.

  template <class T>
  MatOf<T, 1, 2> G(const VecOf<T, 2>& q, T) const {
    using std::cos;
    return {l1 * cos(q[0]), (1 + mistake) * l2 * cos(q[1])};
  }
  template <class T>
  VecOf<T, 1> g_t(const VecOf<T, 2>&, T t) const {
    using std::cos;
    return VecOf<T, 1>(-0.3 * cos(t));
  }
  template <class T>
  VecOf<T, 1> curvature(const VecOf<T, 2>& q, const VecOf<T, 2>& v, T t) const {
    using std::sin;
    return VecOf<T, 1>(-l1 * sin(q[0]) * v[0] * v[0] - l2 * sin(q[1]) * v[1] * v[1] + 0.3 * sin(t));
  }
};

/// A skate on ice that moves, its height bound to its place.
struct LaneSkate {
  using Position = Vec<4>;  // x, y, z, phi.
  using Multiplier = Vec<1>;
  using VelocityMultiplier = Vec<1>;

  template <class T>
  Eigen::DiagonalMatrix<T, 4> M(const VecOf<T, 4>&) const {
    return Eigen::DiagonalMatrix<T, 4>(T(1), T(1), T(1), T(2));
  }
  template <class T>
  VecOf<T, 4> f(const VecOf<T, 4>&, const VecOf<T, 4>&, T) const {
    return {T(0), T(0), T(-9.81), T(0.1)};
  }
  template <class T>
  VecOf<T, 1> g(const VecOf<T, 4>& q, T) const {
    using std::sin;
    return VecOf<T, 1>(q[2] - sin(q[0]) * q[1]);
  }
  template <class T>
  VecOf<T, 1> w(const VecOf<T, 4>& q, const VecOf<T, 4>& v, T t) const {
    using std::cos, std::sin;
    return VecOf<T, 1>(v[0] * sin(q[3]) - v[1] * cos(q[3]) - t * t);
  }
};

/// A bead of index 3 with B of its own.
struct BentBead {
  using Position = Vec<3>;
  using Multiplier = Vec<2>;

  template <class T>
  VecOf<T, 3> f(const VecOf<T, 3>& x, const VecOf<T, 3>& v, T t) const {
    using std::cos;
    return {-x[0] + cos(t), -v[1] * x[2], x[0] * x[1]};
  }
  template <class T>
  MatOf<T, 3, 2> B(const VecOf<T, 3>& x, T) const {
    MatOf<T, 3, 2> columns;
    columns << x[0], T(0.2), x[1], T(1), T(0), 0.3 + x[2];
    return columns;
  }
  template <class T>
  VecOf<T, 2> g(const VecOf<T, 3>& x, T t) const {
    using std::exp;
    return {0.5 * (x[0] * x[0] + x[1] * x[1] - 1.0), x[2] - x[0] * exp(-t)};
  }
};

}  // namespace daewave::testing
