#pragma once
// The linear system of a planar open chain in O(n): with a ChainJacobian G and a diagonal M,
//
//   [ M  G^T ] [ a      ]   [ f ]        S = G M^-1 G^T  is block tridiagonal, 2 x 2 blocks,
//   [ G   0  ] [ lambda ] = [ c ]        S lambda = G M^-1 f - c,   a = M^-1 (f - G^T lambda).
//
// S may be formed here, unlike in core/kkt.hpp: the joints of an open chain, each seeing where its
// body is, are never dependent, and the condition of S grows like n^2 only.

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <vector>

#include "core/chain_jacobian.hpp"
#include "core/types.hpp"

namespace daewave {

/// Interface of NullSpaceKkt for `using Kkt = ChainKkt` in a problem. Allocates at the first call
/// only. About 30 ns a body for eliminate, weigh and solve.
class ChainKkt {
 public:
  /// Takes G; the other functions may be called after that. The rank of an open chain is known: no
  /// tolerance decides it.
  void eliminate(const ChainJacobian& G, double /*rank_tolerance*/) {
    G_.own = G.own;
    G_.before = G.before;
    orthogonal_.ready = false;
    double sum = 0;
    for (int i = 0; i < bodies(); ++i) sum += G_.own[i].sum() + G_.before[i].sum();
    finite_ = std::isfinite(sum);
  }

  /// Factorizes G M^-1 G^T; M an Eigen diagonal matrix. False when it is not positive definite.
  template <class Mass>
  bool weigh(const Mass& M) {
    inverse_mass_ = M.diagonal().cwiseInverse();
    return factorize(inverse_mass_, weighted_);
  }

  /// All rows, or none where G is not finite.
  int rank() const { return finite_ ? 2 * bodies() : 0; }
  int free() const { return 3 * bodies() - rank(); }
  /// Row of G that takes no part, i in [rank, 2 n).
  int dropped_row(int i) const { return i; }
  /// Of the blocks own_i, by Gram and Schmidt; in the unit of G.
  double smallest_pivot() const {
    double smallest = bodies() > 0 ? INFINITY : 1.0;
    for (const Mat<2, 3>& J : G_.own) {
      const double first = J.row(0).norm();
      const double overlap = J.row(0).dot(J.row(1)) / first;
      const double second = std::sqrt(std::max(0.0, J.row(1).squaredNorm() - overlap * overlap));
      smallest = std::min({smallest, first, second});
    }
    return smallest;
  }

  /// M a + G^T lambda = f, G a = c; M as given to weigh().
  template <class Mass>
  void solve(const Mass&, const VecX& f, const VecX& c, VecX& a, VecX& lambda) {
    a = inverse_mass_.cwiseProduct(f);
    apply(G_, a, lambda);
    lambda -= c;
    substitute(weighted_, lambda);
    apply_transposed(G_, lambda, force_);
    a -= inverse_mass_.cwiseProduct(force_);
  }

  /// a = M^-1 G^T (G M^-1 G^T)^-1 c.                                          [ACPR] (5.5)
  template <class Mass>
  void correct(const Mass&, const VecX& c, VecX& a) {
    multiplier_ = c;
    substitute(weighted_, multiplier_);
    apply_transposed(G_, multiplier_, a);
    a.array() *= inverse_mass_.array();
  }

  /// a = G^T (G G^T)^-1 c. Needs no weigh().                                  [ACPR] (5.6)
  void correct_orthogonal(const VecX& c, VecX& a) { correct_orthogonal(c, a, multiplier_); }

  /// The same with a = G^T mu told: mu = (G G^T)^-1 c.
  void correct_orthogonal(const VecX& c, VecX& a, VecX& mu) {
    if (!orthogonal_.ready) {
      ones_.setOnes(G_.cols());
      factorize(ones_, orthogonal_);
    }
    mu = c;
    substitute(orthogonal_, mu);
    apply_transposed(G_, mu, a);
  }

  /// The part of v that the constraints forbid, in the metric of M: P v = M^-1 G^T S^-1 G v.
  void forbidden(const VecX& v, VecX& Pv) {
    apply(G_, v, multiplier_);
    substitute(weighted_, multiplier_);
    apply_transposed(G_, multiplier_, Pv);
    Pv.array() *= inverse_mass_.array();
  }

 private:
  /// Block row i of the elimination of S from joint 0 on.
  struct Row {
    Mat<2, 2> below = Mat<2, 2>::Zero();  ///< S_{i,i-1} times the inverse pivot above.
    Mat<2, 2> inverse;                    ///< Of the pivot, S_ii - below S_{i-1,i}.
  };
  struct Elimination {
    std::vector<Row> rows;
    bool ready = false;
  };

  int bodies() const { return G_.bodies(); }

  /// Of S = G W G^T, W diagonal. Every entry is a number of its own: the chain of dependent
  /// operations from pivot to pivot is what takes the time, and must not go through memory.
  bool factorize(const VecX& W, Elimination& elimination) const {
    elimination.rows.resize(static_cast<std::size_t>(bodies()));
    bool positive = finite_;
    double inverse00 = 0, inverse01 = 0, inverse11 = 0;  // Of the pivot before.
    for (int i = 0; i < bodies(); ++i) {
      Row& row = elimination.rows[i];
      const Symmetric own = squared(G_.own[i], W.data() + 3 * i);
      double pivot00 = own.s00, pivot01 = own.s01, pivot11 = own.s11;
      if (i > 0) {
        const double* const w = W.data() + 3 * i - 3;
        const Symmetric carried = squared(G_.before[i], w);
        const Mat<2, 3>&J = G_.before[i], &K = G_.own[i - 1];
        const auto product = [&](int r, int c) {
          return J(r, 0) * w[0] * K(c, 0) + J(r, 1) * w[1] * K(c, 1) + J(r, 2) * w[2] * K(c, 2);
        };
        const double c00 = product(0, 0), c01 = product(0, 1), c10 = product(1, 0),
                     c11 = product(1, 1);
        const double below00 = c00 * inverse00 + c01 * inverse01;
        const double below01 = c00 * inverse01 + c01 * inverse11;
        const double below10 = c10 * inverse00 + c11 * inverse01;
        const double below11 = c10 * inverse01 + c11 * inverse11;
        row.below << below00, below01, below10, below11;
        pivot00 += carried.s00 - (below00 * c00 + below01 * c01);
        pivot01 += carried.s01 - (below00 * c10 + below01 * c11);
        pivot11 += carried.s11 - (below10 * c10 + below11 * c11);
      }
      const double determinant = pivot00 * pivot11 - pivot01 * pivot01;
      positive = positive && pivot00 > 0 && determinant > 0;
      const double scale = 1 / determinant;
      inverse00 = scale * pivot11;
      inverse01 = -scale * pivot01;
      inverse11 = scale * pivot00;
      row.inverse << inverse00, inverse01, inverse01, inverse11;
    }
    elimination.ready = positive;
    return positive;
  }

  struct Symmetric {
    double s00, s01, s11;
  };
  /// J W J^T.
  static Symmetric squared(const Mat<2, 3>& J, const double* w) {
    const double a0 = J(0, 0) * w[0], a1 = J(0, 1) * w[1], a2 = J(0, 2) * w[2];
    return {a0 * J(0, 0) + a1 * J(0, 1) + a2 * J(0, 2), a0 * J(1, 0) + a1 * J(1, 1) + a2 * J(1, 2),
            J(1, 0) * w[0] * J(1, 0) + J(1, 1) * w[1] * J(1, 1) + J(1, 2) * w[2] * J(1, 2)};
  }

  /// b <- S^-1 b. As in factorize(), what is carried from row to row stays out of memory.
  void substitute(const Elimination& elimination, VecX& b) const {
    const int n = bodies();
    double x0 = 0, x1 = 0;
    for (int i = 0; i < n; ++i) {
      const Mat<2, 2>& below = elimination.rows[i].below;  // Zero for i = 0.
      const double y0 = b[2 * i] - (below(0, 0) * x0 + below(0, 1) * x1);
      const double y1 = b[2 * i + 1] - (below(1, 0) * x0 + below(1, 1) * x1);
      b[2 * i] = x0 = y0;
      b[2 * i + 1] = x1 = y1;
    }
    x0 = x1 = 0;
    for (int i = n - 1; i >= 0; --i) {
      const Mat<2, 2>& inverse = elimination.rows[i].inverse;
      double y0 = inverse(0, 0) * b[2 * i] + inverse(0, 1) * b[2 * i + 1];
      double y1 = inverse(1, 0) * b[2 * i] + inverse(1, 1) * b[2 * i + 1];
      if (i + 1 < n) {
        const Mat<2, 2>& below = elimination.rows[i + 1].below;
        y0 -= below(0, 0) * x0 + below(1, 0) * x1;
        y1 -= below(0, 1) * x0 + below(1, 1) * x1;
      }
      b[2 * i] = x0 = y0;
      b[2 * i + 1] = x1 = y1;
    }
  }

  ChainJacobian G_;
  bool finite_ = false;
  VecX inverse_mass_, ones_, multiplier_, force_;
  Elimination weighted_, orthogonal_;
};

}  // namespace daewave
