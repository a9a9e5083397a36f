#pragma once
// The linear system of a constrained multibody system at one state, in the null space of G:
//
//   [ M  G^T ] [ a      ]   [ f ]
//   [ G   0  ] [ lambda ] = [ c ]
//
// G is eliminated row by row, the pivot being the largest entry of its row, and in all rows at
// once: sizes are small, and what follows are products instead of chains of substitutions. Z spans
// the null space of G, and Z^T M Z is factorized. M need not be regular, only the whole matrix.
// Rows are never scaled against each other and G M^-1 G^T, which would square their smallness, is
// not formed: that is what carries a computation through configurations where G loses rank. [AL2]
// section 5
//
// Where masses are uneven entries are compared in the metric of M (core/column_weights.hpp).

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include "core/column_weights.hpp"
#include "core/kkt/small_ldl.hpp"
#include "core/problem/dae.hpp"
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

 public:
  /// Eliminates G (nl x nq); the other functions may be called after that. What cannot be answered,
  /// as G is not finite or weigh() was not called or was false, is answered with NaN.
  /// @param rank_tolerance  a row whose entries have all become smaller than this times the largest
  ///                        of G takes no part: its multiplier is zero.
  template <class Jacobian>
  void eliminate(const Jacobian& G, double rank_tolerance) {
    const double largest = take(G, static_cast<int>(G.rows()), static_cast<int>(G.cols()));
    uneven_ = false;
    eliminate_rows(rank_tolerance * largest);
  }

  /// The same with pivots where M is light, M as weigh() will have it: a joint force is then told
  /// by the light one of two bodies, and not lost in rounding of the forces on the heavy one.
  template <class Jacobian, class Mass>
  void eliminate(const Jacobian& G, const Mass& M, double rank_tolerance) {
    const double largest = take(G, static_cast<int>(G.rows()), static_cast<int>(G.cols()));
    uneven_ = weigh_columns(M);
    if (uneven_) weigh_rows();
    eliminate_rows(rank_tolerance * largest);
  }

  /// Factorizes Z^T M Z; M dense or an Eigen diagonal matrix, kept by reference until the last call
  /// that uses it. False when the system is singular, or G is not finite.
  template <class Mass>
  bool weigh(const Mass& M) {
    weighed_ = finite_;
    if (!finite_ || free() == 0) return weighed_;
    MZ_.resize(Z_.rows(), Z_.cols());
    for (int j = 0; j < Z_.cols(); ++j) MZ_.col(j).noalias() = M * Z_.col(j);
    return weighed_ = factorize_reduced(MZ_, reduced_);
  }

  int rank() const { return rank_; }
  /// Degrees of freedom, nq - rank.
  int free() const { return static_cast<int>(Z_.cols()); }
  /// Costs nothing to be asked for.
  static constexpr bool knows_pivots = true;
  /// Of G; in its own unit.
  double smallest_pivot() const { return smallest_pivot_; }
  /// Row of G that takes no part, i in [rank, nl).
  int dropped_row(int i) const { return row_[i]; }

  /// M a + G^T lambda = f, G a = c; M as given to weigh().
  template <class Mass>
  void solve(const Mass& M, const Position& f, const Multiplier& c, Position& a,
             Multiplier& lambda) {
    solve(M, f, c, a);
    if (!weighed_) return answer_nothing(rows(), lambda);
    transposed(lambda);
  }

  /// The same for a alone.
  template <class Mass>
  void solve(const Mass& M, const Position& f, const Multiplier& c, Position& a) {
    if (!weighed_) return answer_nothing(nq_now_, a);
    particular(c, a);
    residual_ = f;
    residual_.noalias() -= M * a;
    with_rank([&](auto rank) {
      const auto nf = free_after(rank);
      reduce(nf, Z_, residual_);
      solve_ldl(nf, reduced_, reduced_rhs_);
      for (int j = 0; j < nf; ++j) {
        a += reduced_rhs_[j] * Z_.col(j);
        residual_ -= reduced_rhs_[j] * MZ_.col(j);
      }
    });
  }

  /// The smallest a in the metric of M with G a = c: a = F c,
  /// F = M^-1 G^T (G M^-1 G^T)^-1.                              [ACPR] (5.5)
  template <class Mass>
  void correct(const Mass&, const Multiplier& c, Position& a) {
    if (!weighed_) return answer_nothing(nq_now_, a);
    particular(c, a);
    remove_free_part(MZ_, reduced_, a);
  }

  /// The smallest a with G a = c: F = G^T (G G^T)^-1. Needs no weigh().       [ACPR] (5.6)
  void correct_orthogonal(const Multiplier& c, Position& a) {
    if (!orthogonal_ready_) {
      orthogonal_ready_ = finite_ && (free() == 0 || factorize_reduced(Z_, orthogonal_));
    }
    if (!orthogonal_ready_) return answer_nothing(nq_now_, a);
    particular(c, a);
    if (free() > 0) remove_free_part(Z_, orthogonal_, a);
  }

  /// The same with a = G^T mu told: mu = (G G^T)^-1 c.
  void correct_orthogonal(const Multiplier& c, Position& a, Multiplier& mu) {
    correct_orthogonal(c, a);
    if (!orthogonal_ready_) return answer_nothing(rows(), mu);
    residual_ = a;
    transposed(mu);
  }

  /// The part of v that the constraints forbid, in the metric of M: P v = v - Z (..)^-1 Z^T M v.
  void forbidden(const Position& v, Position& Pv) {
    if (!weighed_) return answer_nothing(nq_now_, Pv);
    Pv = v;
    remove_free_part(MZ_, reduced_, Pv);
  }

 private:
  /// Rows are as long as an even number, for the registers of two.
  static constexpr int even(int n) { return n == Dynamic ? Dynamic : n + n % 2; }
  using Rows = Eigen::Matrix<double, nl_, even(nq_), Eigen::RowMajor, ml_, even(mq_)>;
  using Basis = Eigen::Matrix<double, nq_, Dynamic, Eigen::ColMajor, mq_, mq_>;
  using Reduced = Eigen::Matrix<double, Dynamic, Dynamic, Eigen::ColMajor, mq_, mq_>;
  using ReducedVector = Eigen::Matrix<double, Dynamic, 1, Eigen::ColMajor, mq_, 1>;
  using Wide = Eigen::Matrix<double, 1, even(nq_), Eigen::RowMajor, 1, even(mq_)>;
  /// Rows of the unit matrix, or of what it lacks to a matrix of ones.
  template <int n, bool inverse>
  struct Units {
    alignas(16) double entries[n][n] = {};
    constexpr Units() {
      for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) entries[i][j] = (i == j) != inverse ? 1 : 0;
      }
    }
    constexpr const double* operator[](int i) const { return entries[i]; }
  };
  static constexpr int most_wide_ = even(mq_) == Dynamic || even(mq_) == 0 ? 1 : even(mq_);
  static constexpr bool few_ = fixed_ && (nq_ == 2 || nq_ == 4);
  static constexpr Units<most_wide_, false> only_one{};
  static constexpr Units<most_wide_, true> all_but_one{};
  template <class T, int most>
  using Array =
      std::conditional_t<most == Dynamic, std::vector<T>,
                         std::array<T, static_cast<std::size_t>(most == Dynamic ? 1 : most + 1)>>;

  int wide() const { return even(nq_) == Dynamic ? static_cast<int>(U_.cols()) : even(nq_); }
  int rows() const { return nl_ == Dynamic ? static_cast<int>(U_.rows()) : nl_; }

  template <class Vector>
  static void answer_nothing(int size, Vector& x) {
    x.setConstant(size, std::numeric_limits<double>::quiet_NaN());
  }

  /// Copies G. @return its largest entry.
  template <class Jacobian>
  double take(const Jacobian& G, int nl, int nq) {
    U_.resize(nl, even(nq));
    open_.resize(even(nq));
    size_.resize(even(nq));
    if constexpr (ml_ == Dynamic) row_.resize(static_cast<std::size_t>(nl));
    if constexpr (mq_ == Dynamic) {
      column_.resize(static_cast<std::size_t>(nq));
      open_column_.resize(static_cast<std::size_t>(nq));
    }
    pivot_row_.resize(even(nq));
    open_.setOnes();
    if (nq % 2 != 0) {
      U_.col(nq).setZero();
      open_[nq] = 0;
    }
    U_.leftCols(Eigen::fix<nq_>(nq)) = G;
    nq_now_ = nq;
    if (nl == 0) {
      finite_ = true;
      return 0;
    }
    // Of G, which was stored a while ago: the registers of the copy would be waited for.
    finite_ = G.cwiseAbs().sum() < INFINITY;
    return G.cwiseAbs().maxCoeff();
  }

  /// In open_, where masses are uneven. @return whether they are.
  template <class Mass>
  bool weigh_columns(const Mass& M) {
    if constexpr (requires {
                    M.blocks;
                    M.bodies();
                  }) {
      const int each = nq_now_ / std::max(M.bodies(), 1);
      return daewave::weigh_columns(
          nq_now_,
          [&](int j) { return M.blocks[static_cast<std::size_t>(j / each)](j % each, j % each); },
          open_);
    } else if constexpr (requires { M.diagonal()[0]; }) {
      const auto& diagonal = M.diagonal();
      return daewave::weigh_columns(
          nq_now_, [&](int j) { return diagonal[j]; }, open_);
    } else {
      return false;
    }
  }
  /// What makes the largest entry of a row as large as it is without weights: pivots stay in the
  /// unit of G, and no row is small for being that of heavy bodies.
  void weigh_rows() {
    if constexpr (ml_ == Dynamic) row_weight_.resize(static_cast<std::size_t>(rows()));
    for (int i = 0; i < rows(); ++i) {
      const double in_metric = U_.row(i).cwiseAbs().cwiseProduct(open_).maxCoeff();
      row_weight_[i] = in_metric > 0 ? U_.row(i).cwiseAbs().maxCoeff() / in_metric : 1;
    }
  }

  /// @param least  a pivot is larger.
  void eliminate_rows(double least) {
    smallest_pivot_ = rows() > 0 ? INFINITY : 1.0;
    weighed_ = orthogonal_ready_ = false;
    rank_ = 0;
    int last = rows();
    for (int k = 0; finite_ && k < rows(); ++k) {
      const int p = largest_open(k, least);
      if (p < 0) {
        row_[--last] = k;
        continue;
      }
      row_[rank_] = k;
      column_[rank_] = p;
      ++rank_;
      eliminate_column(k, p);
    }
    span_null_space();
  }

  /// Place of the largest entry of row k in the columns that are no pivots; -1 when none exceeds
  /// `least`. Of several equal ones the first.
  int largest_open(int k, double least) {
    double pivot = 0;
    size_ = U_.row(k).cwiseAbs().cwiseProduct(open_);
    for (int j = 0; j < wide(); ++j) pivot = size_[j] > pivot ? size_[j] : pivot;
    const double of_row = uneven_ ? pivot * row_weight_[k] : pivot;
    smallest_pivot_ = of_row < smallest_pivot_ ? of_row : smallest_pivot_;
    if (!(of_row > least)) return -1;
    int p = 0;
    while (size_[p] != pivot) ++p;
    return p;
  }

  /// One step of Gauss and Jordan: the unknown p is expressed by c_k and the other unknowns, in all
  /// rows. Column p then belongs to c_k.
  void eliminate_column(int k, int p) {
    const double scale = 1 / U_(k, p);
    if constexpr (even(mq_) == Dynamic) {
      pivot_row_ = scale * U_.row(k);
      pivot_row_[p] = scale;
      for (int i = 0; i < rows(); ++i) {
        const double factor = U_(i, p);
        if (factor == 0) continue;  // Rows of G are mostly zeros.
        U_(i, p) = 0;
        U_.row(i) -= factor * pivot_row_;
      }
      open_[p] = 0;
    } else {
      // Whole rows: a number stored by itself would be waited for where its row is read next.
      const Eigen::Map<const Wide> others(all_but_one[p], 1, wide()), one(only_one[p], 1, wide());
      pivot_row_ = scale * (U_.row(k).cwiseProduct(others) + one);
      for (int i = 0; i < rows(); ++i) {
        const double factor = U_(i, p);
        if (factor == 0) continue;  // Rows of G are mostly zeros.
        U_.row(i) = U_.row(i).cwiseProduct(others) - factor * pivot_row_;
      }
      open_ = open_.cwiseProduct(others);
    }
    U_.row(k) = pivot_row_;
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
  template <class Rank>
  auto free_after(Rank rank) const {
    if constexpr (std::is_same_v<Rank, int>) {
      return nq_now_ - rank;
    } else {
      return std::integral_constant<int, nq_ - Rank::value>();
    }
  }
  /// Where full rank is known, no row was dropped.
  template <class Rank>
  int row(Rank, int r) const {
    return std::is_same_v<Rank, int> ? row_[r] : r;
  }

  /// Whole columns at a time: with so few unknowns, numbers stored one by one would be waited for
  /// where a column is read next.
  template <class Rank, class Free>
  void span_in_registers(Rank rank, Free free) {
    using Column = Eigen::Map<const Eigen::Matrix<double, most_wide_, 1>, Eigen::Aligned16>;
    for (int j = 0; j < free; ++j) {
      const int open = open_column_[j];
      Eigen::Matrix<double, most_wide_, 1> z = Column(only_one[open]);
      for (int r = 0; r < rank; ++r) {
        z -= U_(row(rank, r), open) * Column(only_one[column_[r]]);
      }
      Z_.col(j) = z;
    }
  }

  /// @return how many there are.
  int find_open_columns() {
    int nf = 0;
    if constexpr (mq_ != Dynamic && mq_ <= 64) {
      // By what is no pivot: to ask each column takes longer than to eliminate one.
      std::uint64_t left = nq_now_ == 0 ? 0 : ~std::uint64_t{0} >> (64 - nq_now_);
      for (int r = 0; r < rank_; ++r) left &= ~(std::uint64_t{1} << column_[r]);
      for (; left != 0; left &= left - 1) open_column_[nf++] = std::countr_zero(left);
    } else {
      for (int j = 0; j < nq_now_; ++j) {
        open_column_[nf] = j;
        nf += open_[j] != 0 ? 1 : 0;
      }
    }
    return nf;
  }

  void span_null_space() {
    Z_.resize(nq_now_, find_open_columns());
    with_rank([this](auto rank) {
      const auto free = free_after(rank);
      if constexpr (few_) return span_in_registers(rank, free);
      for (int j = 0; j < free; ++j) {
        const int open = open_column_[j];
        for (int r = 0; r < rank; ++r) Z_(column_[r], j) = -U_(row(rank, r), open);
        for (int i = 0; i < free; ++i) Z_(open_column_[i], j) = i == j ? 1 : 0;
      }
    });
  }

  /// Z^T MZ, factorized.
  template <class Right>
  bool factorize_reduced(const Right& MZ, Reduced& factor) {
    factor.resize(free(), free());
    bool regular = false;
    with_rank([&](auto rank) {
      const auto nf = free_after(rank);
      for (int j = 0; j < nf; ++j) {
        for (int i = j; i < nf; ++i) factor(i, j) = Z_.col(i).dot(MZ.col(j));
      }
      regular = factorize_ldl(nf, factor);
    });
    return regular;
  }

  /// reduced_rhs_ = Y^T b.
  template <class Free>
  void reduce(Free nf, const Basis& Y, const Position& b) {
    reduced_rhs_.resize(nf);
    for (int j = 0; j < nf; ++j) reduced_rhs_[j] = Y.col(j).dot(b);
  }

  /// a -= Z (Z^T Y)^-1 Y^T a.
  void remove_free_part(const Basis& Y, const Reduced& factor, Position& a) {
    with_rank([&](auto rank) {
      const auto nf = free_after(rank);
      reduce(nf, Y, a);
      solve_ldl(nf, factor, reduced_rhs_);
      for (int j = 0; j < nf; ++j) a -= reduced_rhs_[j] * Z_.col(j);
    });
  }

  /// Some a with G a = c, zero outside of the pivots.
  void particular(const Multiplier& c, Position& a) const {
    a.setZero(nq_now_);
    with_rank([&](auto rank) {
      for (int r = 0; r < rank; ++r) {
        double sum = 0;
        for (int s = 0; s < rank; ++s) sum += U_(row(rank, r), column_[s]) * c[row(rank, s)];
        a[column_[r]] = sum;
      }
    });
  }

  /// G^T lambda = residual, which lies in the range of G^T.
  void transposed(Multiplier& lambda) {
    lambda.setZero(rows());
    size_.setZero();
    with_rank([&](auto rank) {
      for (int r = 0; r < rank; ++r) {
        const double by = residual_[column_[r]];
        size_ += by * U_.row(row(rank, r));
      }
      for (int s = 0; s < rank; ++s) lambda[row(rank, s)] = size_[column_[s]];
    });
  }

  /// Row row_[r] gives the unknown column_[r]: times c_s in column column_[s], times -x_j in a
  /// column j that is open.
  Rows U_;
  Wide open_;  ///< The weights of columns that are no pivots, 1 where masses are even; else 0.
  Wide size_, pivot_row_;
  Array<int, ml_> row_;
  Array<int, mq_> column_, open_column_;
  int nq_now_ = 0;
  int rank_ = 0;
  bool finite_ = false, uneven_ = false, weighed_ = false, orthogonal_ready_ = false;
  double smallest_pivot_ = 0;
  Array<double, ml_> row_weight_;  ///< Where masses are uneven.
  Basis Z_, MZ_;
  Reduced reduced_, orthogonal_;
  ReducedVector reduced_rhs_;
  Position residual_;
};

}  // namespace daewave
