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

  explicit LaneChain(int bodies) : bodies_(bodies), weight_(3 * bodies), rows_(row_size * bodies) {}

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
    substitute(G, a);
    return lost;
  }

 private:
  /// Of a body, one after the other: the inverse of its pivot (3), its factor (4), what is left of
  /// the right-hand side (2).
  static constexpr int row_size = 9;

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
      row[7] = y0, row[8] = y1;
      a[3 * i] = a0, a[3 * i + 1] = a1, a[3 * i + 2] = a2;
      u0 = w[0], u1 = w[1], u2 = w[2];
      own_x = gx, own_y = gy;
    }
    return lost;
  }

  [[gnu::always_inline]] void substitute(const double* G, T* a) const {
    T next0(0), next1(0);                            // lambda of the next body,
    T l00(0), l01(0), l10(0), l11(0), bx(0), by(0);  // and what it takes from this one.
    for (int i = bodies_; i-- > 0;) {
      const T *const row = rows_.data() + row_size * i, *const w = weight_.data() + 3 * i;
      const T lambda0 = row[0] * row[7] + row[1] * row[8] - (l00 * next0 + l10 * next1);
      const T lambda1 = row[1] * row[7] + row[2] * row[8] - (l01 * next0 + l11 * next1);
      a[3 * i] -= w[0] * (lambda0 - next0);
      a[3 * i + 1] -= w[1] * (lambda1 - next1);
      a[3 * i + 2] -= w[2] * ((entry(G, 4 * i) * lambda0 + entry(G, 4 * i + 1) * lambda1) +
                              (bx * next0 + by * next1));
      l00 = row[3], l01 = row[4], l10 = row[5], l11 = row[6];
      bx = entry(G, 4 * i + 2), by = entry(G, 4 * i + 3);
      next0 = lambda0, next1 = lambda1;
    }
  }

  int bodies_;
  double least_part_ = 0;  ///< Of a determinant, of that of the entries of S; 0 where M is even.
  LaneArray<T> weight_;    ///< M^-1.
  LaneArray<T> rows_;
};

}  // namespace daewave
