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

#include <Eigen/Core>
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
    const double least = rank_tolerance * (nl > 0 ? U_.cwiseAbs().maxCoeff() : 0.0);
    smallest_pivot_ = nl > 0 ? INFINITY : 1.0;
    int rank = 0, last = nl;
    while (rank < last) {
      const double pivot = U_.row(rank).cwiseAbs().maxCoeff();
      if (!(pivot > least)) {  // A row of NaN ends here too: rank() tells.
        smallest_pivot_ = pivot < smallest_pivot_ ? pivot : smallest_pivot_;
        --last;
        if (rank != last) exchange_rows(rank, last);
        continue;
      }
      smallest_pivot_ = std::min(smallest_pivot_, pivot);
      int best = 0;
      while (best + 1 < nq && std::abs(U_(rank, best)) != pivot) ++best;
      column_[rank] = best;
      inverse_pivot_[rank] = 1 / U_(rank, best);
      for (int i = rank + 1; i < nl; ++i) {
        L_(i, rank) = U_(i, best) * inverse_pivot_[rank];
        if (L_(i, rank) == 0) continue;  // Rows of G are mostly zeros.
        U_.row(i) -= L_(i, rank) * U_.row(rank);
        U_(i, best) = 0;  // Exactly, so that no later row finds its pivot there.
      }
      ++rank;
    }
    rank_ = rank;
    span_null_space();
  }

  /// Factorizes Z^T M Z; M dense or an Eigen diagonal matrix, kept by reference until the last call
  /// that uses it. False when the system is singular.
  template <class Mass>
  bool weigh(const Mass& M) {
    if (free() == 0) return true;
    MZ_.resize(Z_.rows(), Z_.cols());
    for (int j = 0; j < Z_.cols(); ++j) MZ_.col(j).noalias() = M * Z_.col(j);
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
  void correct(const Mass&, const Multiplier& c, Position& a) {
    particular(c, a);
    if (free() == 0) return;
    reduce(MZ_, a);
    solve_reduced(reduced_, reduced_rhs_);
    expand(-1, a);
  }

  /// The smallest a with G a = c: F = G^T (G G^T)^-1. Needs no weigh().       [ACPR] (5.6)
  void correct_orthogonal(const Multiplier& c, Position& a) {
    particular(c, a);
    if (free() == 0) return;
    factorize_reduced(Z_, orthogonal_);
    reduce(Z_, a);
    solve_reduced(orthogonal_, reduced_rhs_);
    expand(-1, a);
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
    reduce(MZ_, v);
    solve_reduced(reduced_, reduced_rhs_);
    expand(-1, Pv);
  }

 private:
  using Basis = Eigen::Matrix<double, nq_, Dynamic, Eigen::ColMajor, mq_, mq_>;
  using Reduced = Eigen::Matrix<double, Dynamic, Dynamic, Eigen::ColMajor, mq_, mq_>;
  using ReducedVector = Eigen::Matrix<double, Dynamic, 1, Eigen::ColMajor, mq_, 1>;
  template <class T, int most>
  using Array =
      std::conditional_t<most == Dynamic, std::vector<T>,
                         std::array<T, static_cast<std::size_t>(most == Dynamic ? 1 : most + 1)>>;

  void resize(int nl, int nq) {
    L_.resize(nl, nl);
    if constexpr (ml_ == Dynamic) {
      row_.resize(static_cast<std::size_t>(nl));
      inverse_pivot_.resize(static_cast<std::size_t>(nl));
      solved_.resize(static_cast<std::size_t>(nl));
    }
    if constexpr (mq_ == Dynamic) column_.resize(static_cast<std::size_t>(nq));
  }

  void exchange_rows(int i, int j) {
    U_.row(i).swap(U_.row(j));
    L_.row(i).swap(L_.row(j));
    std::swap(row_[i], row_[j]);
  }

  /// Memory for a solution with U: the compiler keeps it in registers where sizes are fixed.
  decltype(auto) scratch() {
    if constexpr (ml_ == Dynamic) {
      return (solved_);
    } else {
      return Array<double, ml_>();
    }
  }

  /// Calls with the rank, as a constant where sizes are fixed and G has full rank: then the
  /// compiler unrolls the loops.
  template <class Function>
  void with_rank(Function function) const {
    if constexpr (fixed_) {
      if (rank_ == nl_) return function(std::integral_constant<int, nl_>());
    }
    function(rank_);
  }

  /// Z = [-U1^-1 U2; I] in the order of the pivots.
  void span_null_space() {
    const int nq = static_cast<int>(U_.cols());
    Z_.setZero(nq, nq - rank_);
    list_free_columns(nq);
    with_rank([this, nq](auto rank) {
      auto&& solved = scratch();
      for (int j = 0; j < nq - rank; ++j) {
        const int column = column_[rank + j];
        Z_(column, j) = 1;
        for (int i = rank - 1; i >= 0; --i) {
          double sum = -U_(i, column);
          for (int k = i + 1; k < rank; ++k) sum -= U_(i, column_[k]) * solved[k];
          solved[i] = sum * inverse_pivot_[i];
          Z_(column_[i], j) = solved[i];
        }
      }
    });
  }

  /// Those without a pivot behind those with one, in their own order.
  void list_free_columns(int nq) {
    int next = rank_;
    for (int j = 0; j < nq && next < nq; ++j) {
      bool taken = false;
      for (int i = 0; i < rank_; ++i) taken = taken || column_[i] == j;
      if (!taken) column_[next++] = j;
    }
  }

  /// L D L^T of Z^T MZ in place: L below the diagonal, 1/D on it, D L^T above.
  template <class Right>
  bool factorize_reduced(const Right& MZ, Reduced& factor) {
    const int nf = free();
    factor.resize(nf, nf);
    if constexpr (fixed_) {
      for (int j = 0; j < nf; ++j) {
        for (int i = j; i < nf; ++i) factor(i, j) = Z_.col(i).dot(MZ.col(j));
      }
    } else {
      factor.noalias() = Z_.transpose() * MZ;
    }
    for (int j = 0; j < nf; ++j) {
      double d = factor(j, j);
      for (int k = 0; k < j; ++k) d -= factor(j, k) * factor(k, j);
      if (!(d > 0)) return false;
      const double inverse = 1 / d;
      factor(j, j) = inverse;
      for (int i = j + 1; i < nf; ++i) {
        double sum = factor(i, j);
        for (int k = 0; k < j; ++k) sum -= factor(i, k) * factor(k, j);
        factor(j, i) = sum;
        factor(i, j) = sum * inverse;
      }
    }
    return true;
  }

  void solve_reduced(const Reduced& factor, ReducedVector& b) const {
    const int nf = free();
    for (int i = 1; i < nf; ++i) {
      for (int k = 0; k < i; ++k) b[i] -= factor(i, k) * b[k];
    }
    for (int i = nf - 1; i >= 0; --i) {
      b[i] *= factor(i, i);
      for (int k = i + 1; k < nf; ++k) b[i] -= factor(k, i) * b[k];
    }
  }

  /// reduced_rhs_ = Y^T b.
  void reduce(const Basis& Y, const Position& b) {
    if constexpr (fixed_) {
      reduced_rhs_.resize(Y.cols());
      for (int j = 0; j < Y.cols(); ++j) reduced_rhs_[j] = Y.col(j).dot(b);
    } else {
      reduced_rhs_.noalias() = Y.transpose() * b;
    }
  }

  /// a += sign Z reduced_rhs_.
  void expand(double sign, Position& a) const {
    if constexpr (fixed_) {
      for (int j = 0; j < Z_.cols(); ++j) a += (sign * reduced_rhs_[j]) * Z_.col(j);
    } else {
      a.noalias() += sign * (Z_ * reduced_rhs_);
    }
  }

  /// Some a with G a = c, zero outside of the pivots.
  void particular(const Multiplier& c, Position& a) {
    a.setZero(U_.cols());
    with_rank([&](auto rank) {
      auto&& solved = scratch();
      for (int i = 0; i < rank; ++i) {
        double sum = c[row_[i]];
        for (int k = 0; k < i; ++k) sum -= L_(i, k) * solved[k];
        solved[i] = sum;
      }
      for (int i = rank - 1; i >= 0; --i) {
        double sum = solved[i];
        for (int k = i + 1; k < rank; ++k) sum -= U_(i, column_[k]) * solved[k];
        solved[i] = sum * inverse_pivot_[i];
        a[column_[i]] = solved[i];
      }
    });
  }

  /// a += Z (Z^T M Z)^-1 Z^T residual.
  void add_free_part(Position& a) {
    if (free() == 0) return;
    reduce(Z_, residual_);
    solve_reduced(reduced_, reduced_rhs_);
    expand(1, a);
  }

  /// G^T lambda = residual, which lies in the range of G^T.
  void transposed(Multiplier& lambda) {
    lambda.setZero(U_.rows());
    with_rank([&](auto rank) {
      auto&& solved = scratch();
      for (int i = 0; i < rank; ++i) {
        double sum = residual_[column_[i]];
        for (int k = 0; k < i; ++k) sum -= U_(k, column_[i]) * solved[k];
        solved[i] = sum * inverse_pivot_[i];
      }
      for (int i = rank - 1; i >= 0; --i) {
        for (int k = i + 1; k < rank; ++k) solved[i] -= L_(k, i) * solved[k];
        lambda[row_[i]] = solved[i];
      }
    });
  }

  Rows U_;  ///< Upper triangular in the order of the pivots, columns in their places.
  Eigen::Matrix<double, nl_, nl_, Eigen::ColMajor, ml_, ml_> L_;  ///< Below the diagonal.
  Array<int, ml_> row_;
  Array<int, mq_> column_;                     ///< Of the pivots, then those without.
  Array<double, ml_> inverse_pivot_, solved_;  ///< The second for sizes of run time alone.
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
