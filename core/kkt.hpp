#pragma once
// The linear system of a constrained multibody system at one state, in the null space of G:
//
//   [ M  G^T ] [ a      ]   [ f ]
//   [ G   0  ] [ lambda ] = [ c ]
//
// G is eliminated row by row, the pivot being the largest entry of its row; Z spans its null space
// and Z^T M Z is factorized. M need not be regular, only the whole matrix. Rows are never scaled
// against each other and G M^-1 G^T, which would square their smallness, is not formed: that is
// what carries a computation through configurations where G loses rank.     [AL2] section 5

#include <Eigen/Cholesky>
#include <algorithm>
#include <array>
#include <cmath>
#include <type_traits>
#include <vector>

#include "core/dae.hpp"
#include "core/types.hpp"

namespace daewave {

/// @tparam Position    column vector of nq, fixed, bounded or Dynamic.
/// @tparam Multiplier  column vector of nl <= nq.
template <class Position, class Multiplier>
class NullSpaceKkt {
  static constexpr int nq_ = Position::RowsAtCompileTime;
  static constexpr int mq_ = Position::MaxRowsAtCompileTime;
  static constexpr int nl_ = Multiplier::RowsAtCompileTime;
  static constexpr int ml_ = Multiplier::MaxRowsAtCompileTime;
  static constexpr bool fixed_ = nq_ != Dynamic && nl_ != Dynamic;
  static constexpr int nf_ = fixed_ ? nq_ - nl_ : Dynamic;

 public:
  using Rows = Eigen::Matrix<double, nl_, nq_,
                             nl_ != 1 && nq_ == 1 ? Eigen::ColMajor : Eigen::RowMajor, ml_, mq_>;

  /// Eliminates G (nl x nq); the other functions may be called after that.
  /// @param rank_tolerance  a row whose entries have all become smaller than this times the largest
  ///                        of G takes no part: its multiplier is zero.
  template <class Jacobian>
  void eliminate(const Jacobian& G, double rank_tolerance) {
    U_ = G;
    const int nl = static_cast<int>(U_.rows()), nq = static_cast<int>(U_.cols());
    resize(nl, nq);
    for (int i = 0; i < nl; ++i) row_[i] = i;
    for (int j = 0; j < nq; ++j) column_[j] = j;
    const double least = rank_tolerance * (nl > 0 ? U_.cwiseAbs().maxCoeff() : 0.0);
    smallest_pivot_ = nl > 0 ? INFINITY : 1.0;
    int rank = 0, last = nl;
    while (rank < last) {
      int best = rank;
      double pivot = std::abs(U_(rank, rank));
      for (int j = rank + 1; j < nq; ++j) {
        const double size = std::abs(U_(rank, j));
        if (size > pivot) {
          pivot = size;
          best = j;
        }
      }
      if (!(pivot > least)) {  // A row of NaN ends here too: rank() tells.
        smallest_pivot_ = pivot < smallest_pivot_ ? pivot : smallest_pivot_;
        --last;
        if (rank != last) {
          U_.row(rank).swap(U_.row(last));
          std::swap(row_[rank], row_[last]);
        }
        continue;
      }
      smallest_pivot_ = std::min(smallest_pivot_, pivot);
      if (best != rank) {
        U_.col(rank).swap(U_.col(best));
        std::swap(column_[rank], column_[best]);
      }
      const double scale = 1 / U_(rank, rank);
      for (int i = rank + 1; i < nl; ++i) {
        const double factor = U_(i, rank) * scale;
        U_(i, rank) = factor;
        for (int j = rank + 1; j < nq; ++j) U_(i, j) -= factor * U_(rank, j);
      }
      ++rank;
    }
    rank_ = rank;
    span_null_space(nq);
  }

  /// Factorizes Z^T M Z; M dense or an Eigen diagonal matrix, kept by reference until the last call
  /// that uses it. False when the system is singular.
  template <class Mass>
  bool weigh(const Mass& M) {
    if (free() == 0) return true;
    MZ_.noalias() = M * Z_;
    return factorize_reduced(MZ_, reduced_);
  }

  int rank() const { return rank_; }
  /// Degrees of freedom, nq - rank.
  int free() const { return static_cast<int>(Z_.cols()); }
  /// Of G; in its own unit.
  double smallest_pivot() const { return smallest_pivot_; }
  /// Row of G that takes no part, i in [rank, nl).
  int dropped_row(int i) const { return row_[i]; }

  /// M a + G^T lambda = f, G a = c; M as given to weigh().
  template <class Mass>
  void solve(const Mass& M, const Position& f, const Multiplier& c, Position& a,
             Multiplier& lambda) {
    particular(c, a);
    residual_ = f;
    residual_.noalias() -= M * a;
    add_free_part(a);
    residual_ = f;
    residual_.noalias() -= M * a;
    transposed(lambda);
  }

  /// The smallest a in the metric of M with G a = c: a = F c,
  /// F = M^-1 G^T (G M^-1 G^T)^-1.                              [ACPR] (5.5)
  template <class Mass>
  void correct(const Mass& M, const Multiplier& c, Position& a) {
    particular(c, a);
    residual_.noalias() = -(M * a);
    add_free_part(a);
  }

  /// The smallest a with G a = c: F = G^T (G G^T)^-1. Needs no weigh().       [ACPR] (5.6)
  void correct_orthogonal(const Multiplier& c, Position& a) {
    particular(c, a);
    if (free() == 0) return;
    factorize_reduced(Z_, orthogonal_);
    reduced_rhs_.noalias() = Z_.transpose() * a;
    solve_reduced(orthogonal_, reduced_rhs_);
    a.noalias() -= Z_ * reduced_rhs_;
  }

  /// The same with a = G^T mu told: mu = (G G^T)^-1 c.
  void correct_orthogonal(const Multiplier& c, Position& a, Multiplier& mu) {
    correct_orthogonal(c, a);
    residual_ = a;
    transposed(mu);
  }

  /// The part of v that the constraints forbid, in the metric of M: P v = v - Z (..)^-1 Z^T M v.
  void forbidden(const Position& v, Position& Pv) {
    Pv = v;
    if (free() == 0) return;
    reduced_rhs_.noalias() = MZ_.transpose() * v;
    solve_reduced(reduced_, reduced_rhs_);
    Pv.noalias() -= Z_ * reduced_rhs_;
  }

 private:
  using Basis = Eigen::Matrix<double, nq_, Dynamic, Eigen::ColMajor, mq_, mq_>;
  using Reduced = Eigen::Matrix<double, Dynamic, Dynamic, Eigen::ColMajor, mq_, mq_>;
  using ReducedVector = Eigen::Matrix<double, Dynamic, 1, Eigen::ColMajor, mq_, 1>;
  template <int most>
  using Places =
      std::conditional_t<most == Dynamic, std::vector<int>,
                         std::array<int, static_cast<std::size_t>(most == Dynamic ? 1 : most + 1)>>;

  void resize(int nl, int nq) {
    if constexpr (ml_ == Dynamic) row_.resize(static_cast<std::size_t>(nl));
    if constexpr (mq_ == Dynamic) column_.resize(static_cast<std::size_t>(nq));
  }

  /// Z = [-U1^-1 U2; I] in the order of the pivots.
  void span_null_space(int nq) {
    const int nf = nq - rank_;
    Z_.setZero(nq, nf);
    for (int j = 0; j < nf; ++j) {
      Z_(column_[rank_ + j], j) = 1;
      for (int i = rank_ - 1; i >= 0; --i) {
        double sum = -U_(i, rank_ + j);
        for (int k = i + 1; k < rank_; ++k) sum -= U_(i, k) * Z_(column_[k], j);
        Z_(column_[i], j) = sum / U_(i, i);
      }
    }
  }

  template <class Right>
  bool factorize_reduced(const Right& MZ, Reduced& factor) {
    factor.noalias() = Z_.transpose() * MZ;
    const int nf = free();
    for (int j = 0; j < nf; ++j) {  // Cholesky, in place.
      double d = factor(j, j);
      for (int k = 0; k < j; ++k) d -= factor(j, k) * factor(j, k);
      if (!(d > 0)) return false;
      const double root = std::sqrt(d);
      factor(j, j) = root;
      for (int i = j + 1; i < nf; ++i) {
        double sum = factor(i, j);
        for (int k = 0; k < j; ++k) sum -= factor(i, k) * factor(j, k);
        factor(i, j) = sum / root;
      }
    }
    return true;
  }

  void solve_reduced(const Reduced& factor, ReducedVector& b) const {
    const int nf = free();
    for (int i = 0; i < nf; ++i) {
      for (int k = 0; k < i; ++k) b[i] -= factor(i, k) * b[k];
      b[i] /= factor(i, i);
    }
    for (int i = nf - 1; i >= 0; --i) {
      for (int k = i + 1; k < nf; ++k) b[i] -= factor(k, i) * b[k];
      b[i] /= factor(i, i);
    }
  }

  /// Some a with G a = c, zero outside of the pivots.
  void particular(const Multiplier& c, Position& a) const {
    a.setZero(U_.cols());
    for (int i = 0; i < rank_; ++i) {
      double sum = c[row_[i]];
      for (int k = 0; k < i; ++k) sum -= U_(i, k) * a[column_[k]];
      a[column_[i]] = sum;
    }
    for (int i = rank_ - 1; i >= 0; --i) {
      double sum = a[column_[i]];
      for (int k = i + 1; k < rank_; ++k) sum -= U_(i, k) * a[column_[k]];
      a[column_[i]] = sum / U_(i, i);
    }
  }

  /// a += Z (Z^T M Z)^-1 Z^T residual.
  void add_free_part(Position& a) {
    if (free() == 0) return;
    reduced_rhs_.noalias() = Z_.transpose() * residual_;
    solve_reduced(reduced_, reduced_rhs_);
    a.noalias() += Z_ * reduced_rhs_;
  }

  /// G^T lambda = residual, which lies in the range of G^T.
  void transposed(Multiplier& lambda) const {
    lambda.setZero(U_.rows());
    for (int i = 0; i < rank_; ++i) {
      double sum = residual_[column_[i]];
      for (int k = 0; k < i; ++k) sum -= U_(k, i) * lambda[row_[k]];
      lambda[row_[i]] = sum / U_(i, i);
    }
    for (int i = rank_ - 1; i >= 0; --i) {
      for (int k = i + 1; k < rank_; ++k) lambda[row_[i]] -= U_(k, i) * lambda[row_[k]];
    }
  }

  Rows U_;  ///< L below the diagonal, U above, in the order of the pivots.
  Places<ml_> row_;
  Places<mq_> column_;
  int rank_ = 0;
  double smallest_pivot_ = 0;
  Basis Z_, MZ_;
  Reduced reduced_, orthogonal_;
  ReducedVector reduced_rhs_;
  Position residual_;
};

namespace detail {

template <class P>
struct KktTrait {
  using type = NullSpaceKkt<typename P::Position, MultiplierOf<P>>;
};
template <class P>
requires requires { typename P::Kkt; }
struct KktTrait<P> {
  using type = typename P::Kkt;
};

}  // namespace detail

/// What solves the linear systems of a multibody system: `typename P::Kkt` where the problem has a
/// solver of its own, with the interface of NullSpaceKkt.
template <class P>
using KktOf = typename detail::KktTrait<P>::type;

}  // namespace daewave
