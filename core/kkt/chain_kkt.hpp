#pragma once
// The linear system of a planar open chain in O(n): with a ChainJacobian G and a diagonal M,
//
//   [ M  G^T ] [ a      ]   [ f ]        S = G M^-1 G^T  is block tridiagonal, 2 x 2 blocks,
//   [ G   0  ] [ lambda ] = [ c ]        S lambda = G M^-1 f - c,   a = M^-1 (f - G^T lambda).
//
// S may be formed here, unlike in core/kkt/kkt.hpp: the joints of an open chain, each seeing where
// its body is, are never dependent, and the condition of S grows like n^2 only. Where masses are so
// uneven that its pivots lose digits solutions are refined (core/kkt/refined_solve.hpp).

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "core/kkt/chain_jacobian.hpp"
#include "core/kkt/refined_solve.hpp"
#include "core/lost_digits.hpp"
#include "core/types.hpp"

namespace daewave {

/// Interface of NullSpaceKkt for `using Kkt = ChainKkt` in a problem. Allocates at the first call
/// only, and not at all where the size is known and no digits are lost. About 30 ns a body for
/// eliminate, weigh and solve.
///
/// @tparam N  bodies, >= 1; may be Dynamic.
template <int N>
class ChainKktOf {
  using Jacobian = ChainJacobianOf<N>;
  using Position = Vec<N == Dynamic ? Dynamic : 3 * N>;
  using Multiplier = Vec<N == Dynamic ? Dynamic : 2 * N>;

 public:
  /// Takes G; the other functions may be called after that. The rank of an open chain is known: no
  /// tolerance decides it. What cannot be answered, as G is not finite or weigh() was not called or
  /// was false, is answered with NaN.
  void eliminate(const Jacobian& G, double /*rank_tolerance*/) {
    G_.resize(G.bodies());
    weighted_.ready = orthogonal_.ready = false;
    double sum = 0;
    for (int i = 0; i < G.bodies(); ++i) {
      const double own_x = G.own[i][0], own_y = G.own[i][1];
      const double before_x = G.before[i][0], before_y = G.before[i][1];
      G_.own[i][0] = own_x;
      G_.own[i][1] = own_y;
      G_.before[i][0] = before_x;
      G_.before[i][1] = before_y;
      sum += (own_x + own_y) + (before_x + before_y);
    }
    finite_ = std::isfinite(sum);
  }

  /// Factorizes G M^-1 G^T; M an Eigen diagonal matrix. False when it is not positive definite.
  template <class Mass>
  bool weigh(const Mass& M) {
    // Masses hardly ever change, and to compare costs less than to divide.
    const auto size = sizeof(double) * static_cast<std::size_t>(G_.cols());
    const bool same = weighed_ && mass_.size() == G_.cols() &&
                      (size == 0 || std::memcmp(mass_.data(), M.diagonal().data(), size) == 0);
    if (!same) {
      mass_ = M.diagonal();
      inverse_mass_ = mass_.cwiseInverse();
      uneven_ = is_uneven(G_.cols(), [this](int j) { return mass_[j]; });
      weighed_ = true;
    }
    return uneven_ ? factorize<true>(inverse_mass_, weighted_)
                   : factorize<false>(inverse_mass_, weighted_);
  }

  /// All rows, or none where G is not finite.
  int rank() const { return finite_ ? 2 * bodies() : 0; }
  int free() const { return 3 * bodies() - rank(); }
  /// Row of G that takes no part, i in [rank, 2 n).
  int dropped_row(int i) const { return i; }
  /// Of the blocks (I, own_i), by Gram and Schmidt; in the unit of G.
  double smallest_pivot() const {
    double smallest = bodies() > 0 ? INFINITY : 1.0;
    for (const Vec<2>& turn : G_.own) {
      const double first = std::sqrt(1 + turn[0] * turn[0]);
      const double overlap = turn[0] * turn[1] / first;
      const double second = std::sqrt(std::max(0.0, 1 + turn[1] * turn[1] - overlap * overlap));
      smallest = std::min({smallest, first, second});
    }
    return smallest;
  }

  /// M a + G^T lambda = f, G a = c; M as given to weigh().
  template <class Mass>
  void solve(const Mass&, const Position& f, const Multiplier& c, Position& a, Multiplier& lambda) {
    const int n = bodies();
    if (!weighted_.ready) {
      answer_nothing(3 * n, a);
      return answer_nothing(2 * n, lambda);
    }
    if (weighted_.loses_digits) {
      return refined_(G_, weigher(), substituter(), f, c, a, lambda);
    }
    a = inverse_mass_.cwiseProduct(f);
    lambda.resize(2 * n);
    for (int i = 0; i < n; ++i) {
      const auto residual = G_.row(i, a.data());
      lambda[2 * i] = residual[0] - c[2 * i];
      lambda[2 * i + 1] = residual[1] - c[2 * i + 1];
    }
    substitute(weighted_, lambda);
    for (int i = 0; i < n; ++i) {
      const auto force = G_.column(i, lambda.data());
      for (int k = 0; k < 3; ++k) a[3 * i + k] -= inverse_mass_[3 * i + k] * force[k];
    }
  }

  /// a = M^-1 G^T (G M^-1 G^T)^-1 c.                                          [ACPR] (5.5)
  template <class Mass>
  void correct(const Mass&, const Multiplier& c, Position& a) {
    if (!weighted_.ready) return answer_nothing(3 * bodies(), a);
    if (weighted_.loses_digits) return refined_.correct(G_, weigher(), substituter(), c, a);
    multiplier_ = c;
    substitute(weighted_, multiplier_);
    apply_transposed(G_, multiplier_, a);
    a.array() *= inverse_mass_.array();
  }

  /// a = G^T (G G^T)^-1 c. Needs no weigh().                                  [ACPR] (5.6)
  void correct_orthogonal(const Multiplier& c, Position& a) {
    correct_orthogonal(c, a, multiplier_);
  }

  /// The same with a = G^T mu told: mu = (G G^T)^-1 c.
  void correct_orthogonal(const Multiplier& c, Position& a, Multiplier& mu) {
    if (!orthogonal_.ready) {
      ones_.setOnes(G_.cols());
      factorize<false>(ones_, orthogonal_);
    }
    if (!orthogonal_.ready) {
      answer_nothing(3 * bodies(), a);
      return answer_nothing(2 * bodies(), mu);
    }
    mu = c;
    substitute(orthogonal_, mu);
    apply_transposed(G_, mu, a);
  }

  /// The part of v that the constraints forbid, in the metric of M: P v = M^-1 G^T S^-1 G v.
  void forbidden(const Position& v, Position& Pv) {
    if (!weighted_.ready) return answer_nothing(3 * bodies(), Pv);
    apply(G_, v, multiplier_);
    if (weighted_.loses_digits) {
      return refined_.correct(G_, weigher(), substituter(), multiplier_, Pv);
    }
    substitute(weighted_, multiplier_);
    apply_transposed(G_, multiplier_, Pv);
    Pv.array() *= inverse_mass_.array();
  }

 private:
  // Numbers, not vectors: what one operation writes the next one reads entry by entry.
  struct Pair {
    double x = 0, y = 0;
  };
  struct Block {
    double e00, e01, e10, e11;
  };
  struct Symmetric {
    double s00 = 0, s01 = 0, s11 = 0;
  };
  /// Block row of the elimination of S.
  struct Row {
    Block coupling;                    ///< S_{i,o} of this outer row o and the row i within.
    double pivot00, pivot01, pivot11;  ///< S_oo.
    Symmetric inverse;                 ///< Of the pivot.
    Block factor;                      ///< coupling times inverse.
  };
  struct Elimination {
    typename detail::PerBody<Row, N>::type rows;
    bool ready = false;
    bool loses_digits = false;  ///< Its solutions have to be refined.
  };
  template <class Vector>
  static void answer_nothing(int size, Vector& x) {
    x.setConstant(size, std::numeric_limits<double>::quiet_NaN());
  }
  int bodies() const { return G_.bodies(); }
  auto weigher() const {
    return [this](VecX& b) { b.array() *= inverse_mass_.array(); };
  }
  auto substituter() const {
    return [this](VecX& b) { substitute(weighted_, b); };
  }
  /// Rows are eliminated from both ends up to this one: two chains of dependent operations, which
  /// is what takes the time, run beside each other. They must not go through memory either.
  int middle() const { return bodies() / 2; }

  /// Of S = G W G^T, W diagonal. @tparam watched  digits may be lost.
  template <bool watched>
  bool factorize(const Position& W, Elimination& elimination) const {
    elimination.ready = false;
    if (!finite_) return false;
    if constexpr (N == Dynamic) elimination.rows.resize(static_cast<std::size_t>(bodies()));
    if (bodies() == 0) return elimination.ready = true;
    Row* const rows = elimination.rows.data();
    form(W.data(), rows);
    const int last = bodies() - 1, m = middle();
    Pivots pivots;
    Symmetric above, below;
    for (int k = 0; k < last - m; ++k) {
      above = eliminate_row<watched>(rows[k], above, pivots);
      below = eliminate_row<watched>(rows[last - k], below, pivots);
    }
    if (last - m < m) above = eliminate_row<watched>(rows[m - 1], above, pivots);
    above.s00 += below.s00;
    above.s01 += below.s01;
    above.s11 += below.s11;
    const auto [p00, p01, p11, scale] = pivot_of<watched>(rows[m], above, pivots);
    rows[m].inverse = {scale * p11, -scale * p01, scale * p00};
    rows[m].factor = {0, 0, 0, 0};
    elimination.loses_digits = pivots.cancel;
    return elimination.ready = pivots.positive;
  }

  /// S in rows.
  void form(const double* w, Row* rows) const {
    const int n = bodies(), m = middle();
    for (int i = 0; i < n; ++i, w += 3) {
      const Symmetric own = squared(G_.own[i], w);
      rows[i].pivot00 = own.s00;
      rows[i].pivot01 = own.s01;
      rows[i].pivot11 = own.s11;
      if (i == 0) continue;
      const Vec<2>&carried = G_.before[i], &outer = G_.own[i - 1];
      const double* const u = w - 3;
      const Symmetric held = squared(carried, u);
      rows[i].pivot00 += held.s00;
      rows[i].pivot01 += held.s01;
      rows[i].pivot11 += held.s11;
      const double x = u[2] * carried[0], y = u[2] * carried[1];
      const double c00 = x * outer[0] - u[0], c01 = x * outer[1], c10 = y * outer[0],
                   c11 = y * outer[1] - u[1];
      if (i <= m) {
        rows[i - 1].coupling = {c00, c01, c10, c11};
      } else {
        rows[i].coupling = {c00, c10, c01, c11};
      }
    }
  }
  /// J W J^T of J = (I, turn) or (-I, turn).
  static Symmetric squared(const Vec<2>& turn, const double* w) {
    const double x = w[2] * turn[0], y = w[2] * turn[1];
    return {w[0] + x * turn[0], x * turn[1], w[1] + y * turn[1]};
  }

  /// Of all rows.
  struct Pivots {
    bool positive = true;
    bool cancel = false;  ///< One is a small part of what S has there.
  };
  /// What is left of the pivot of a row.
  struct Pivot {
    double p00, p01, p11, scale;  ///< scale: 1 / determinant.
  };
  /// @param outer  what the rows outside of this one take from it.
  template <bool watched>
  [[gnu::always_inline]] static inline Pivot pivot_of(const Row& row, const Symmetric& outer,
                                                      Pivots& pivots) {
    const double p00 = row.pivot00 - outer.s00, p01 = row.pivot01 - outer.s01,
                 p11 = row.pivot11 - outer.s11;
    const double determinant = p00 * p11 - p01 * p01;
    pivots.positive = pivots.positive && p00 > 0 && determinant > 0;
    if constexpr (watched) pivots.cancel |= determinant < cancelled * (row.pivot00 * row.pivot11);
    return {p00, p01, p11, 1 / determinant};
  }

  /// @return what this row takes from the next.
  template <bool watched>
  [[gnu::always_inline]] static inline Symmetric eliminate_row(Row& row, const Symmetric& outer,
                                                               Pivots& pivots) {
    const auto [p00, p01, p11, scale] = pivot_of<watched>(row, outer, pivots);
    // The division takes longest: all but that factor is done while it is awaited.
    const Block& C = row.coupling;
    const Block D = {C.e00 * p11 - C.e01 * p01, C.e01 * p00 - C.e00 * p01,
                     C.e10 * p11 - C.e11 * p01, C.e11 * p00 - C.e10 * p01};
    const Symmetric next = {scale * (D.e00 * C.e00 + D.e01 * C.e01),
                            scale * (D.e00 * C.e10 + D.e01 * C.e11),
                            scale * (D.e10 * C.e10 + D.e11 * C.e11)};
    row.inverse = {scale * p11, -scale * p01, scale * p00};
    row.factor = {scale * D.e00, scale * D.e01, scale * D.e10, scale * D.e11};
    return next;
  }

  /// b <- S^-1 b. As in factorize(), from both ends and with what is carried out of memory.
  template <class Vector>
  void substitute(const Elimination& elimination, Vector& b) const {
    if (bodies() == 0) return;
    const Row* const rows = elimination.rows.data();
    double* const x = b.data();
    const int last = bodies() - 1, m = middle();
    Pair above, below;
    for (int k = 0; k < last - m; ++k) {
      above = inward(rows[k], above, x + 2 * k);
      below = inward(rows[last - k], below, x + 2 * (last - k));
    }
    if (last - m < m) above = inward(rows[m - 1], above, x + 2 * m - 2);
    inward(rows[m], {above.x + below.x, above.y + below.y}, x + 2 * m);
    above = below = outward(rows[m], {}, x + 2 * m);
    if (last - m < m) above = outward(rows[m - 1], above, x + 2 * m - 2);
    for (int k = last - m; k-- > 0;) {
      above = outward(rows[k], above, x + 2 * k);
      below = outward(rows[last - k], below, x + 2 * (last - k));
    }
  }
  [[gnu::always_inline]] static inline Pair inward(const Row& row, const Pair& outer, double* b) {
    const Pair y = {b[0] - outer.x, b[1] - outer.y};
    b[0] = y.x;
    b[1] = y.y;
    return {row.factor.e00 * y.x + row.factor.e01 * y.y,
            row.factor.e10 * y.x + row.factor.e11 * y.y};
  }
  [[gnu::always_inline]] static inline Pair outward(const Row& row, const Pair& inner, double* b) {
    const Pair y = {row.inverse.s00 * b[0] + row.inverse.s01 * b[1] -
                        (row.factor.e00 * inner.x + row.factor.e10 * inner.y),
                    row.inverse.s01 * b[0] + row.inverse.s11 * b[1] -
                        (row.factor.e01 * inner.x + row.factor.e11 * inner.y)};
    b[0] = y.x;
    b[1] = y.y;
    return y;
  }

  Jacobian G_;
  bool finite_ = false, weighed_ = false, uneven_ = false;
  Position mass_, inverse_mass_, ones_;
  Multiplier multiplier_;
  Elimination weighted_, orthogonal_;
  RefinedSolve refined_;
};

using ChainKkt = ChainKktOf<Dynamic>;

}  // namespace daewave
