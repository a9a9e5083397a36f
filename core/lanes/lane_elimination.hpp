#pragma once
// Elimination by Gauss and Jordan in lanes: of n equations A x = c in m >= n unknowns, each lane
// with the pivots of its own,
//
//   x = P^T ( T c - N free;  free ),
//
// the pivot of a row being its largest entry, as in core/kkt/kkt.hpp. There the unknowns are
// renumbered by the indices of the pivots; lanes cannot have indices of their own, so here columns
// change places by selection, and unknown number k is the pivot of row k in every lane.

#include <limits>

#include "core/lanes/lane_sizes.hpp"
#include "core/lanes/lanes_in_eigen.hpp"

namespace daewave {

/// @tparam T  Lanes.  @tparam fixed_n, fixed_m  rows and columns, or Dynamic.
/// @tparam in_metric  columns may have weights.
template <class T, int fixed_n, int fixed_m, bool in_metric = false>
class LaneElimination {
 public:
  using Mask = typename T::Mask;

  explicit LaneElimination(int n = fixed_n, int m = fixed_m) : n_(n), m_(m) {}

  /// @param tolerance  relative to the largest entry; a smaller pivot is none.
  /// @param weight     where in_metric, of the m columns, powers of two, or null: pivots are the
  ///                   largest by what entries are times these, in the unit of A all the same.
  /// @return lanes without full rank, whose numbers mean nothing; also where A is not finite.
  template <class Matrix>
  Mask eliminate(const Matrix& A, double tolerance, const T* weight = nullptr) {
    const int n = n_.value(), m = m_.value();
    exchanges_ = 0;
    smallest_ = T(std::numeric_limits<double>::infinity());
    T largest(0);
    for (int i = 0; i < n; ++i) {
      T of_row(0);  // Rows do not wait for each other.
      for (int j = 0; j < m; ++j) {
        U_[i][j] = A(i, j);
        of_row = max(of_row, abs(U_[i][j]));
      }
      largest = max(largest, of_row);
    }
    if constexpr (in_metric) {
      weighted_ = weight != nullptr;
      if (weighted_) weigh(weight);
    }
    const T least = tolerance * largest;
    if constexpr (fixed_n == Dynamic) {
      Mask lost = !finite_in(largest);
      for (int k = 0; k < n; ++k) lost = lost | !(eliminate_with(k) > least);
      return lost;
    } else {
      return eliminate_from<0>(least, !finite_in(largest));
    }
  }

  /// Of the last elimination, by size.
  const T& smallest_pivot() const { return smallest_; }

  /// From the order of the unknowns to that of the pivots, and back; with weights the unknowns are
  /// x_j / w_j.
  template <class Vector>
  [[gnu::always_inline]] void permute(Vector& x) const {
    if constexpr (in_metric) apply_weights(x);
    for (int i = 0; i < exchanges_; ++i) exchange(exchange_[i], x);
  }
  template <class Vector>
  [[gnu::always_inline]] void permute_back(Vector& x) const {
    for (int i = exchanges_; i-- > 0;) exchange(exchange_[i], x);
    if constexpr (in_metric) apply_weights(x);
  }

  /// Some x with A x = c: (T c; 0).
  template <class C, class X>
  [[gnu::always_inline]] void particular(const C& c, X& x) const {
    const int n = n_.value(), m = m_.value();
    for (int r = 0; r < n; ++r) {
      T sum = U_[r][0] * c[0];
      for (int s = 1; s < n; ++s) sum += U_[r][s] * c[s];
      x[r] = sum;
    }
    for (int r = n; r < m; ++r) x[r] = T(0);
    permute_back(x);
  }

  /// The vector of the null space that is 1 in the free unknown j, or its weight.
  template <class X>
  [[gnu::always_inline]] void null_space(int j, X& z) const {
    const int n = n_.value(), m = m_.value();
    for (int i = 0; i < n; ++i) z[i] = -U_[i][n + j];
    for (int i = n; i < m; ++i) z[i] = T(i == n + j ? 1 : 0);
    permute_back(z);
  }

  /// A^T lambda = f, of an f in the range of A^T.
  template <class X, class C>
  [[gnu::always_inline]] void transposed(X f, C& lambda) const {
    const int n = n_.value();
    permute(f);
    for (int s = 0; s < n; ++s) {
      T sum = U_[0][s] * f[0];
      for (int r = 1; r < n; ++r) sum += U_[r][s] * f[r];
      lambda[s] = sum;
    }
  }

 private:
  /// Columns k and j change places in some lanes.
  struct Exchange {
    int k, j;
    Mask where;
  };
  template <class Vector>
  [[gnu::always_inline]] static void exchange(const Exchange& one, Vector& x) {
    exchange(one.where, x[one.k], x[one.j]);
  }
  [[gnu::always_inline]] static void exchange(const Mask& where, T& a, T& b) {
    const T kept = a;
    a = select(where, b, a);
    b = select(where, kept, b);
  }

  /// A by columns times their weights, and what makes the largest entry of a row as large as it
  /// was.
  [[gnu::noinline]] void weigh(const T* weight) {
    for (int j = 0; j < m_.value(); ++j) weight_[j] = weight[j];
    for (int i = 0; i < n_.value(); ++i) {
      T of_row(0), weighted_size(0);
      for (int j = 0; j < m_.value(); ++j) {
        of_row = max(of_row, abs(U_[i][j]));
        U_[i][j] *= weight[j];
        weighted_size = max(weighted_size, abs(U_[i][j]));
      }
      row_weight_[i] = select(weighted_size > T(0), of_row / weighted_size, T(1));
    }
  }
  template <class Vector>
  [[gnu::always_inline]] void apply_weights(Vector& x) const {
    if (!weighted_) return;
    for (int j = 0; j < m_.value(); ++j) x[j] *= weight_[j];
  }

  /// Step k and those after it; k is a constant, so that its loops are none.
  template <int k>
  [[gnu::always_inline]] Mask eliminate_from(const T& least, const Mask& lost) {
    if constexpr (k == fixed_n) {
      return lost;
    } else {
      return eliminate_from<k + 1>(least, lost | !(eliminate_with(k) > least));
    }
  }

  /// @return the size of the pivot.
  [[gnu::always_inline]] T eliminate_with(int k) {
    T pivot = exchange_columns(k);
    if constexpr (in_metric) {
      if (weighted_) pivot *= row_weight_[k];
    }
    smallest_ = min(smallest_, pivot);
    eliminate_column(k);
    return pivot;
  }

  /// Brings the largest open entry of row k to column k. @return its size.
  [[gnu::always_inline]] T exchange_columns(int k) {
    const int n = n_.value(), m = m_.value();
    if (k >= m) __builtin_unreachable();  // Else g++ believes that nothing is set below.
    T size[most_m_];
    for (int j = k; j < m; ++j) size[j] = abs(U_[k][j]);
    if (is_largest_in_all(k, likely_[k], size)) return exchange_in_all(k, likely_[k], size);
    T pivot = size[k];
    for (int j = k + 1; j < m; ++j) pivot = max(pivot, size[j]);
    Mask open = size[k] < pivot;
    likely_[k] = k;
    for (int j = k + 1; j < m; ++j) {
      const Mask here = open & (size[j] == pivot);
      open = open & !here;
      if (!here.any()) continue;
      likely_[k] = j;
      exchange_[exchanges_++] = {k, j, here};
      for (int i = 0; i < n; ++i) exchange(here, U_[i][k], U_[i][j]);
    }
    return pivot;
  }

  /// In every lane it is larger than each other: nothing is selected then, and which column it is
  /// need not be waited for.
  [[gnu::always_inline]] bool is_largest_in_all(int k, int likely, const T* size) const {
    if (likely < k) return false;
    const T largest = size[likely];
    Mask not_less = T(0) < T(0);
    for (int j = k; j < m_.value(); ++j) {
      if (j != likely) not_less = not_less | !(size[j] < largest);
    }
    return !not_less.any();
  }
  [[gnu::always_inline]] T exchange_in_all(int k, int j, const T* size) {
    const T pivot = size[j];
    if (j == k) return pivot;
    if (j >= m_.value()) __builtin_unreachable();  // Else g++ believes that it may be.
    exchange_[exchanges_++] = {k, j, T(0) == T(0)};
    for (int i = 0; i < n_.value(); ++i) {
      const T kept = U_[i][k];
      U_[i][k] = U_[i][j];
      U_[i][j] = kept;
    }
    return pivot;
  }

  [[gnu::always_inline]] void eliminate_column(int k) {
    const int n = n_.value(), m = m_.value();
    const T scale = 1.0 / U_[k][k];
    for (int j = 0; j < m; ++j) U_[k][j] = j == k ? scale : scale * U_[k][j];
    for (int i = 0; i < n; ++i) {
      if (i == k) continue;
      const T factor = U_[i][k];
      if (!(factor != T(0)).any()) continue;  // Rows of G are mostly zeros.
      for (int j = 0; j < m; ++j) {
        U_[i][j] = j == k ? -(factor * scale) : U_[i][j] - factor * U_[k][j];
      }
    }
  }

  static constexpr int most_n_ = LaneSize<fixed_n>::most, most_m_ = LaneSize<fixed_m>::most;
  LaneSize<fixed_n> n_;
  LaneSize<fixed_m> m_;
  T U_[most_n_][most_m_];
  T smallest_{};
  bool weighted_ = false;
  T weight_[in_metric ? most_m_ : 1], row_weight_[in_metric ? most_n_ : 1];
  /// The column that held the pivot of row k, as near states have it again; any is right.
  int likely_[most_n_] = {};
  Exchange exchange_[most_n_ * most_m_];
  int exchanges_ = 0;
};

}  // namespace daewave
