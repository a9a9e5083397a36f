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
    Mat<2, 2> below;    ///< S_{i,i-1} times the inverse pivot above.
    Mat<2, 2> inverse;  ///< Of the pivot, S_ii - below S_{i-1,i}.
  };
  struct Elimination {
    std::vector<Row> rows;
    bool ready = false;
  };

  int bodies() const { return G_.bodies(); }

  /// Of S = G W G^T, W diagonal. Written out: a product of Eigen's would hide the symmetry.
  bool factorize(const VecX& W, Elimination& elimination) const {
    elimination.rows.resize(static_cast<std::size_t>(bodies()));
    bool positive = finite_;
    for (int i = 0; i < bodies(); ++i) {
      Row& row = elimination.rows[i];
      Mat<2, 3> WJ = G_.own[i] * W.segment<3>(3 * i).asDiagonal();
      Mat<2, 2> pivot = WJ * G_.own[i].transpose();
      if (i > 0) {
        WJ = G_.before[i] * W.segment<3>(3 * i - 3).asDiagonal();
        const Mat<2, 2> coupling = WJ * G_.own[i - 1].transpose();
        row.below.noalias() = coupling * elimination.rows[i - 1].inverse;
        pivot.noalias() += WJ * G_.before[i].transpose();
        pivot.noalias() -= row.below * coupling.transpose();
      }
      const double determinant = pivot(0, 0) * pivot(1, 1) - pivot(0, 1) * pivot(1, 0);
      positive = positive && pivot(0, 0) > 0 && determinant > 0;
      const double scale = 1 / determinant;
      row.inverse << scale * pivot(1, 1), -scale * pivot(0, 1), -scale * pivot(1, 0),
          scale * pivot(0, 0);
    }
    elimination.ready = positive;
    return positive;
  }

  /// b <- S^-1 b.
  void substitute(const Elimination& elimination, VecX& b) const {
    const int n = bodies();
    for (int i = 1; i < n; ++i) {
      b.segment<2>(2 * i).noalias() -= elimination.rows[i].below * b.segment<2>(2 * i - 2);
    }
    for (int i = n - 1; i >= 0; --i) {
      Vec<2> x = elimination.rows[i].inverse * b.segment<2>(2 * i);
      if (i + 1 < n) {
        x.noalias() -= elimination.rows[i + 1].below.transpose() * b.segment<2>(2 * i + 2);
      }
      b.segment<2>(2 * i) = x;
    }
  }

  ChainJacobian G_;
  bool finite_ = false;
  VecX inverse_mass_, ones_, multiplier_, force_;
  Elimination weighted_, orthogonal_;
};

}  // namespace daewave
