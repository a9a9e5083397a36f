#pragma once
// Accelerations of motions with few coordinates in lanes,
//
//   M a + G^T lambda = f,   G a = c:   a = a_c + Z u,  Z^T M Z u = Z^T (f - M a_c),
//
// with one order of the coordinates for all lanes, those that are eliminated first, as long as each
// of them is not much smaller than the largest of its row in any lane. So nothing changes places in
// some lanes alone, which takes as long as the elimination itself: points near each other have
// pivots alike.

#include <limits>

#include "core/column_weights.hpp"
#include "core/lanes/lane_cholesky.hpp"
#include "core/lanes/lane_sizes.hpp"
#include "core/lanes/lanes_in_eigen.hpp"
#include "core/machine/unroll.hpp"

namespace daewave {

/// @tparam T  Lanes.  @tparam nq, nl  columns and rows of G, or Dynamic.
/// @tparam diagonal  M, whose entries then are those of a first column.
template <class T, int nq_, int nl_, bool diagonal>
class LaneAccelerations {
 public:
  using Mask = typename T::Mask;

  /// The order of the coordinates; empty until it is chosen.
  struct Order {
    int column[LaneSize<nq_>::most];
    double weight[LaneSize<nq_>::most];  ///< By columns of G, where masses are uneven.
    bool chosen = false, uneven = false;
  };

  /// @param least_pivot  what a pivot has at least, of the largest entry of its row.
  LaneAccelerations(int nq, int nl, double least_pivot)
      : nq_given_(nq), nl_given_(nl), least_pivot_(least_pivot), reduced_(nq - nl) {}

  /// By the largest entry of each row that is open, of one lane and in the metric of its M; as they
  /// come where G has not full rank there.
  template <class MatrixG, class MatrixM>
  void choose(const MatrixG& G, const MatrixM& M, int lane, Order& order) const {
    const int n = nl_given_.value(), m = nq_given_.value();
    double U[most_l_][most_q_];
    for (int j = 0; j < m; ++j) order.column[j] = j;
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < m; ++j) U[i][j] = G(i, j)[lane];
    }
    const auto mass = [&](int j) { return M(j, diagonal ? 0 : j)[lane]; };
    order.uneven = weigh_columns(m, mass, order.weight);
    for (int i = 0; order.uneven && i < n; ++i) {
      for (int j = 0; j < m; ++j) U[i][j] *= order.weight[j];
    }
    for (int k = 0; k < n; ++k) {
      int pivot = k;
      for (int j = k + 1; j < m; ++j) {
        if (size(U[k][j]) > size(U[k][pivot])) pivot = j;
      }
      for (int i = 0; i < n; ++i) exchange(U[i][k], U[i][pivot]);
      exchange(order.column[k], order.column[pivot]);
      if (!(size(U[k][k]) > 0)) break;
      for (int i = k + 1; i < n; ++i) {
        const double factor = U[i][k] / U[k][k];
        for (int j = k; j < m; ++j) U[i][j] -= factor * U[k][j];
      }
    }
    order.chosen = true;
  }

  /// @param c  nl; its negative is taken.
  /// @return lanes for which the order is not good, or G has not full rank, or M is not positive
  ///         definite; what is not finite is such, too.
  template <class MatrixG, class MatrixM, class F, class C, class A>
  [[gnu::always_inline]] Mask solve(const MatrixG& G, const MatrixM& M, const F& f, const C& c,
                                    double rank_tolerance, const Order& order, A& a) {
    load(G, c, order);
    const Mask lost = eliminate(rank_tolerance, order);
    substitute();
    return lost | accelerate(M, f, order, a);
  }

  /// The smallest d with G d = c in the metric of M, of two c at once, with what solve() has
  /// factorized: d = M^-1 G^T (G M^-1 G^T)^-1 c.                                [ACPR] (5.5)
  template <class C, class D>
  [[gnu::always_inline]] void correct(const C& c, const C& other_c, const Order& order, D& d,
                                      D& other_d) const {
    const int n = nl_given_.value();
    const int* const at = order.column;
    T r[2][most_l_], u[2][most_free_];
    for (int i = 0; i < n; ++i) {
      r[0][i] = c[i];
      r[1][i] = other_c[i];
    }
    for (auto& one : r) particular(one);
    for (int side = 0; side < 2; ++side) {
      for (int j = 0; j < free(); ++j) {
        T sum(0);
        for (int k = 0; k < n; ++k) sum -= MZ_[j][k] * r[side][k];
        u[side][j] = sum;
      }
      reduced_.solve(u[side]);
    }
    for (int k = 0; k < n; ++k) {
      for (int side = 0; side < 2; ++side) {
        T sum = r[side][k];
        for (int j = 0; j < free(); ++j) sum -= U_[k][n + j] * u[side][j];
        (side == 0 ? d : other_d)[at[k]] = sum;
      }
    }
    for (int j = 0; j < free(); ++j) {
      d[at[n + j]] = u[0][j];
      other_d[at[n + j]] = u[1][j];
    }
  }

  /// Of the largest open entries of the rows, the smallest: with full choice the smallest pivot.
  const T& smallest_row() const { return smallest_; }

 private:
  static constexpr int most_q_ = LaneSize<nq_>::most, most_l_ = LaneSize<nl_>::most;
  static constexpr int difference_ = lane_difference(nq_, nl_);
  static constexpr int most_free_ =
      LaneSize<difference_>::most > 0 ? LaneSize<difference_>::most : 1;

  static double size(double x) { return x < 0 ? -x : x; }
  template <class X>
  static void exchange(X& a, X& b) {
    const X kept = a;
    a = b;
    b = kept;
  }
  [[gnu::always_inline]] int free() const { return nq_given_.value() - nl_given_.value(); }

  /// -c behind the last column.
  template <class MatrixG, class C>
  [[gnu::always_inline]] void load(const MatrixG& G, const C& c, const Order& order) {
    const int n = nl_given_.value(), m = nq_given_.value();
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < m; ++j) U_[i][j] = G(i, order.column[j]);
      U_[i][m] = -c[i];
    }
  }

  /// To an upper triangle, with the inverse of the pivots in its diagonal.
  [[gnu::always_inline]] Mask eliminate(double rank_tolerance, const Order& order) {
    const int n = nl_given_.value(), m = nq_given_.value();
    T largest(0);
    for (int i = 0; i < n; ++i) {
      T of_row(0);
      for (int j = 0; j < m; ++j) of_row = max(of_row, abs(U_[i][j]));
      largest = max(largest, of_row);
    }
    Mask lost = !finite_in(largest);
    if (order.uneven) weigh_rows(order);
    smallest_ = T(std::numeric_limits<double>::infinity());
    DAEWAVE_UNROLL
    for (int k = 0; k < n; ++k) {
      T pivot = abs(U_[k][k]), others(0);
      if (order.uneven) {
        weigh_row(k, order, pivot, others);
      } else {
        for (int j = k + 1; j < m; ++j) others = max(others, abs(U_[k][j]));
      }
      lost = lost | !(pivot >= least_pivot_ * others);
      smallest_ = min(smallest_, max(pivot, others));
      const T inverse = 1.0 / U_[k][k];
      for (int i = k + 1; i < n; ++i) {
        if (!(U_[i][k] != T(0)).any()) continue;  // Rows of G are mostly zeros.
        const T factor = U_[i][k] * inverse;
        for (int j = k + 1; j <= m; ++j) U_[i][j] -= factor * U_[k][j];
      }
      U_[k][k] = inverse;
    }
    return lost | !(smallest_ > rank_tolerance * largest);
  }

  /// As in core/kkt/kkt.hpp: pivots are the largest in the metric of M, in the unit of G.
  [[gnu::noinline]] void weigh_rows(const Order& order) {
    for (int i = 0; i < nl_given_.value(); ++i) {
      T of_row(0), in_metric(0);
      for (int j = 0; j < nq_given_.value(); ++j) {
        of_row = max(of_row, abs(U_[i][j]));
        in_metric = max(in_metric, order.weight[order.column[j]] * abs(U_[i][j]));
      }
      row_weight_[i] = select(in_metric > T(0), of_row / in_metric, T(1));
    }
  }
  [[gnu::noinline]] void weigh_row(int k, const Order& order, T& pivot, T& others) const {
    const auto in_metric = [&](int j) {
      return row_weight_[k] * (order.weight[order.column[j]] * abs(U_[k][j]));
    };
    pivot = in_metric(k);
    others = T(0);
    for (int j = k + 1; j < nq_given_.value(); ++j) others = max(others, in_metric(j));
  }

  /// Columns behind the triangle by what it makes of them: T c, and the null space. Of rows below
  /// the next one last, as it is known last.
  [[gnu::always_inline]] void substitute() {
    const int n = nl_given_.value(), m = nq_given_.value();
    DAEWAVE_UNROLL
    for (int done = 0; done < n; ++done) {
      const int k = n - 1 - done;
      for (int j = n; j <= m; ++j) {
        T sum = U_[k][j];
        for (int i = n; --i > k;) sum -= U_[k][i] * U_[i][j];
        U_[k][j] = sum * U_[k][k];
      }
    }
  }

  /// r <- the eliminated part of some d with G d = r, whose other part is zero.
  [[gnu::always_inline]] void particular(T* r) const {
    const int n = nl_given_.value();
    for (int k = 0; k < n; ++k) {
      for (int i = k + 1; i < n; ++i) r[i] -= (U_[i][k] * U_[k][k]) * r[k];
    }
    for (int k = n; k-- > 0;) {
      for (int i = n; --i > k;) r[k] -= U_[k][i] * r[i];
      r[k] *= U_[k][k];
    }
  }

  template <class MatrixM, class F, class A>
  [[gnu::always_inline]] Mask accelerate(const MatrixM& M, const F& f, const Order& order, A& a) {
    const int n = nl_given_.value(), m = nq_given_.value();
    const int* const at = order.column;
    T u[most_free_];
    for (int j = 0; j < free(); ++j) {
      for (int i = 0; i < m; ++i) {
        if constexpr (diagonal) {
          const T mass = M(at[i], 0);
          MZ_[j][i] = i < n ? -(mass * U_[i][n + j]) : i == n + j ? mass : T(0);
        } else {
          T sum = M(at[i], at[n + j]);
          for (int k = 0; k < n; ++k) sum -= M(at[i], at[k]) * U_[k][n + j];
          MZ_[j][i] = sum;
        }
      }
    }
    for (int j = 0; j < free(); ++j) {
      u[j] = left_along(j, M, f, order);
      for (int i = j; i < free(); ++i) reduced_(i, j) = along(i, MZ_[j]);
    }
    const Mask lost = reduced_.factorize();
    reduced_.solve(u);
    for (int k = 0; k < n; ++k) {
      T sum = U_[k][m];
      for (int j = 0; j < free(); ++j) sum -= U_[k][n + j] * u[j];
      a[at[k]] = sum;
    }
    for (int j = 0; j < free(); ++j) a[at[n + j]] = u[j];
    return lost;
  }

  /// Entry j of Z^T (f - M a_c). As M is symmetric, M Z says what M makes of a_c, too.
  template <class MatrixM, class F>
  [[gnu::always_inline]] T left_along(int j, const MatrixM& M, const F& f,
                                      const Order& order) const {
    const int n = nl_given_.value(), m = nq_given_.value();
    const int* const at = order.column;
    T sum = f[at[n + j]];
    for (int k = 0; k < n; ++k) {
      if constexpr (diagonal) {
        sum -= U_[k][n + j] * (f[at[k]] - M(at[k], 0) * U_[k][m]);
      } else {
        sum -= U_[k][n + j] * f[at[k]] + MZ_[j][k] * U_[k][m];
      }
    }
    return sum;
  }

  /// Entry j of Z^T x.
  [[gnu::always_inline]] T along(int j, const T* x) const {
    const int n = nl_given_.value();
    T sum = x[n + j];
    for (int k = 0; k < n; ++k) sum -= U_[k][n + j] * x[k];
    return sum;
  }
  LaneSize<nq_> nq_given_;
  LaneSize<nl_> nl_given_;
  T least_pivot_;
  T U_[most_l_][most_q_ + 1];
  T smallest_{};
  T row_weight_[most_l_];  ///< Where masses are uneven.
  T MZ_[most_free_][most_q_];
  LaneCholesky<T, difference_> reduced_;
};

}  // namespace daewave
