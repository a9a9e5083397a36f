#pragma once
// The linear algebra of open chains in lanes, as core/kkt/chain_kkt.hpp: of bodies (x, y, angle),
// each held to the one before by the two rows (I, own_i) and (-I, before_i), with diagonal M,
//
//   M a + G^T lambda = f,  G a = c;   S lambda = G M^-1 f - c,  S = G M^-1 G^T
//
// and S block tridiagonal, eliminated from the first body on. No branches: S is definite where M
// is. Nothing is refined: lanes in which uneven masses lose digits are lost.

#include "core/lanes/lane_array.hpp"
#include "core/lost_digits.hpp"

namespace daewave {

/// @tparam T  Lanes.
template <class T>
class LaneChain {
 public:
  using Mask = typename T::Mask;

  explicit LaneChain(int bodies)
      : bodies_(bodies), weight_(3 * bodies), rows_(row_size * bodies), left_(2 * bodies) {}

  int bodies() const { return bodies_; }

  // Terms are entries of T::width numbers side by side, wherever they are.

  /// @param M  diagonal, 3 entries for each body.
  void set_mass(const double* M) {
    for (int i = 0; i < 3 * bodies_; ++i) weight_[i] = 1.0 / entry(M, i);
    const bool uneven = is_uneven(3 * bodies_ * T::width, [M](int i) { return M[i]; });
    least_part_ = uneven ? cancelled : 0;
  }

  /// @param G  own_i and before_i, 4 for each body.  @param curvature  -c.
  /// @param a  of M a + G^T lambda = f, G a = c.
  /// @return lanes in which something is not finite, M not positive, or a pivot has lost digits.
  [[gnu::always_inline]] Mask solve(const double* f, const double* G, const double* curvature,
                                    T* a) {
    const Mask lost = eliminate(f, G, curvature, a);
    substitute<1>(G, {left_.data()}, {a});
    return lost;
  }

  /// What was factorized by solve(), for G as there or near it, and two right-hand sides, each of 2
  /// entries for each body, which are overwritten.
  /// @param a  M^-1 G^T (G M^-1 G^T)^-1 c, of each.                               [ACPR] (5.5)
  [[gnu::always_inline]] void correct(const double* G, T* const (&c)[2], T* const (&a)[2]) {
    T y[2][2] = {};  // Of the body before.
    for (int i = 0; i < bodies_; ++i) {
      const T* const row = rows_.data() + row_size * i;
      for (int k = 0; k < 2; ++k) {
        T* const at = c[k] + 2 * i;
        const T first = -(at[0] + (row[3] * y[k][0] + row[4] * y[k][1]));
        const T second = -(at[1] + (row[5] * y[k][0] + row[6] * y[k][1]));
        y[k][0] = at[0] = first;
        y[k][1] = at[1] = second;
        for (int j = 0; j < 3; ++j) a[k][3 * i + j] = T(0);
      }
    }
    substitute<2>(G, c, a);
  }

  /// c = G v + g_t.
  [[gnu::always_inline]] void moves(const double* G, const double* g_t, const T* v, T* c) const {
    T x(0), y(0), turn(0);  // Of the body before.
    for (int i = 0; i < bodies_; ++i, v += 3) {
      c[2 * i] =
          entry(g_t, 2 * i) + (v[0] + entry(G, 4 * i) * v[2]) + (entry(G, 4 * i + 2) * turn - x);
      c[2 * i + 1] = entry(g_t, 2 * i + 1) + (v[1] + entry(G, 4 * i + 1) * v[2]) +
                     (entry(G, 4 * i + 3) * turn - y);
      x = v[0], y = v[1], turn = v[2];
    }
  }

 private:
  /// Of a body, one after the other: the inverse of its pivot (3), its factor (4).
  static constexpr int row_size = 7;

  [[gnu::always_inline]] static T entry(const double* of, int i) {
    return T::load(of + i * T::width);
  }

  [[gnu::always_inline]] Mask eliminate(const double* f, const double* G, const double* curvature,
                                        T* a) {
    Mask lost = T(0) < T(0);
    const T least(least_part_);
    T i00(0), i01(0), i11(0), y0(0), y1(0);                          // Of the body before,
    T u0(0), u1(0), u2(0), own_x(0), own_y(0), a0(0), a1(0), a2(0);  // with its free acceleration.
    for (int i = 0; i < bodies_; ++i) {
      const T* const w = weight_.data() + 3 * i;
      const T gx = entry(G, 4 * i), gy = entry(G, 4 * i + 1);
      const T bx = entry(G, 4 * i + 2), by = entry(G, 4 * i + 3);
      const T x = u2 * bx, y = u2 * by;
      const T c00 = x * own_x - u0, c01 = x * own_y, c10 = y * own_x, c11 = y * own_y - u1;
      const T l00 = c00 * i00 + c01 * i01, l01 = c00 * i01 + c01 * i11;
      const T l10 = c10 * i00 + c11 * i01, l11 = c10 * i01 + c11 * i11;
      T r0 = bx * a2 - a0, r1 = by * a2 - a1;
      const T w2x = w[2] * gx, w2y = w[2] * gy;
      const T s00 = (w[0] + w2x * gx) + (u0 + x * bx), s11 = (w[1] + w2y * gy) + (u1 + y * by);
      const T p00 = s00 - (l00 * c00 + l01 * c01);
      const T p01 = w2x * gy + x * by - (l00 * c10 + l01 * c11);
      const T p11 = s11 - (l10 * c10 + l11 * c11);
      a0 = w[0] * entry(f, 3 * i);
      a1 = w[1] * entry(f, 3 * i + 1);
      a2 = w[2] * entry(f, 3 * i + 2);
      r0 += a0 + gx * a2 + entry(curvature, 2 * i) - (l00 * y0 + l01 * y1);
      r1 += a1 + gy * a2 + entry(curvature, 2 * i + 1) - (l10 * y0 + l11 * y1);
      const T determinant = p00 * p11 - p01 * p01;
      lost = lost | !((p00 > T(0)) & (determinant > least * (s00 * s11)));
      const T scale = 1.0 / determinant;
      i00 = scale * p11;
      i01 = -(scale * p01);
      i11 = scale * p00;
      y0 = r0;
      y1 = r1;
      T* const row = rows_.data() + row_size * i;
      row[0] = i00, row[1] = i01, row[2] = i11;
      row[3] = l00, row[4] = l01, row[5] = l10, row[6] = l11;
      left_[2 * i] = y0, left_[2 * i + 1] = y1;
      a[3 * i] = a0, a[3 * i + 1] = a1, a[3 * i + 2] = a2;
      u0 = w[0], u1 = w[1], u2 = w[2];
      own_x = gx, own_y = gy;
    }
    return lost;
  }

  /// a -= M^-1 G^T lambda, of each of `count`; y is what is left of its right-hand side.
  template <int count>
  [[gnu::always_inline]] void substitute(const double* G, T* const (&y)[count],
                                         T* const (&a)[count]) const {
    T next[count][2] = {};                           // lambda of the next body,
    T l00(0), l01(0), l10(0), l11(0), bx(0), by(0);  // and what it takes from this one.
    for (int i = bodies_; i-- > 0;) {
      const T *const row = rows_.data() + row_size * i, *const w = weight_.data() + 3 * i;
      const T gx = entry(G, 4 * i), gy = entry(G, 4 * i + 1);
      for (int k = 0; k < count; ++k) {
        const T y0 = y[k][2 * i], y1 = y[k][2 * i + 1], next0 = next[k][0], next1 = next[k][1];
        const T lambda0 = row[0] * y0 + row[1] * y1 - (l00 * next0 + l10 * next1);
        const T lambda1 = row[1] * y0 + row[2] * y1 - (l01 * next0 + l11 * next1);
        T* const at = a[k] + 3 * i;
        at[0] -= w[0] * (lambda0 - next0);
        at[1] -= w[1] * (lambda1 - next1);
        at[2] -= w[2] * ((gx * lambda0 + gy * lambda1) + (bx * next0 + by * next1));
        next[k][0] = lambda0, next[k][1] = lambda1;
      }
      l00 = row[3], l01 = row[4], l10 = row[5], l11 = row[6];
      bx = entry(G, 4 * i + 2), by = entry(G, 4 * i + 3);
    }
  }

  int bodies_;
  double least_part_ = 0;  ///< Of a determinant, of that of the entries of S; 0 where M is even.
  LaneArray<T> weight_;    ///< M^-1.
  LaneArray<T> rows_;
  LaneArray<T> left_;  ///< Of the right-hand side, 2 entries for each body.
};

}  // namespace daewave
