// Block LU with row pivoting: a panel of the rows carried from the left and those of one interval
// slides down the diagonal. Separated conditions need no fill; rows that couple both ends drag
// columns of u_N along.
//
// Row pivoting within the panel decouples growing from decaying modes (Ascher, Mattheij, Russell,
// section 7.2), so separated conditions are stable; coupled ones may not be, which the residual
// check of CheckedSolver finds.

#include <algorithm>
#include <cmath>

#include "core/linear_solver.hpp"

namespace daewave {
namespace {

struct Panel {
  int size = 0;     // n, columns eliminated.
  int carried = 0;  // Rows from the left.
  int border = 0;   // n where conditions couple both ends, else 0.
  int rows() const { return carried + size; }
  int trailing() const { return size + border; }
  std::size_t left_entries() const { return static_cast<std::size_t>(rows()) * size; }
  std::size_t right_entries() const { return static_cast<std::size_t>(size) * trailing(); }
};

/// Eliminates `size` columns of the work panel (rows() x (size + trailing()), row-major).
/// N > 0 fixes the size at compile time, C >= 0 the carried rows: small panels are then unrolled as
/// a whole. Diagonals are left inverted.
/// @return false at a pivot that is zero or not finite.
template <int N, int C, bool Border>
bool eliminate(const Panel& panel, double* __restrict work, int* __restrict pivots) {
  const int n = N > 0 ? N : panel.size;
  const int columns = Border ? 3 * n : 2 * n;
  const int rows = (C >= 0 ? C : panel.carried) + n;
  for (int j = 0; j < n; ++j) {
    int pivot = j;
    double largest = std::abs(work[j * columns + j]);
    for (int i = j + 1; i < rows; ++i) {
      const double candidate = std::abs(work[i * columns + j]);
      if (candidate > largest) {
        largest = candidate;
        pivot = i;
      }
    }
    pivots[j] = pivot;
    if (!(largest > 0) || !std::isfinite(largest)) return false;
    double* const upper = work + j * columns;
    if (pivot != j) std::swap_ranges(upper, upper + columns, work + pivot * columns);
    const double inverse = 1 / upper[j];
    upper[j] = inverse;
    for (int i = j + 1; i < rows; ++i) {
      double* const row = work + i * columns;
      const double factor = row[j] * inverse;
      row[j] = factor;
      for (int c = j + 1; c < columns; ++c) row[c] -= factor * upper[c];
    }
  }
  return true;
}

/// Calls f.operator()<N, C>() with the sizes at hand; C is fixed for the smallest blocks only.
template <bool Border, class F>
auto with_sizes(const Panel& panel, F f) {
  if constexpr (!Border) {
    switch (panel.size * 10 + panel.carried) {
      case 10:
        return f.template operator()<1, 0>();
      case 11:
        return f.template operator()<1, 1>();
      case 20:
        return f.template operator()<2, 0>();
      case 21:
        return f.template operator()<2, 1>();
      case 22:
        return f.template operator()<2, 2>();
      case 41:
        return f.template operator()<4, 1>();
      case 42:
        return f.template operator()<4, 2>();
      case 43:
        return f.template operator()<4, 3>();
      case 44:
        return f.template operator()<4, 4>();
      default:
        break;
    }
  }
  switch (panel.size) {
    case 2:
      return f.template operator()<2, -1>();
    case 3:
      return f.template operator()<3, -1>();
    case 4:
      return f.template operator()<4, -1>();
    case 5:
      return f.template operator()<5, -1>();
    case 6:
      return f.template operator()<6, -1>();
    case 8:
      return f.template operator()<8, -1>();
    case 12:
      return f.template operator()<12, -1>();
    case 24:
      return f.template operator()<24, -1>();
    default:
      return f.template operator()<0, -1>();
  }
}

class BlockLu final : public LinearSolver {
 public:
  const char* name() const override { return "block_lu"; }

  void analyze(const BabdMatrix& matrix) override {
    intervals_ = matrix.intervals();
    order_ = order_conditions(matrix.B0, matrix.B1);
    panel_.size = matrix.block_size();
    panel_.carried = static_cast<int>(order_.carried.size());
    panel_.border = order_.coupled ? panel_.size : 0;
    left_.resize(panel_.left_entries() * intervals_);
    right_.resize(panel_.right_entries() * intervals_);
    pivots_.resize(static_cast<std::size_t>(panel_.size) * intervals_);
    last_.resize(static_cast<std::size_t>(panel_.size) * panel_.size);
    last_pivots_.resize(panel_.size);
  }

  FactorStatus factorize(const BabdMatrix& matrix) override {
    if (order_.coupled) {
      return with_sizes<true>(panel_,
                              [&]<int N, int C> { return factorize_sized<N, C, true>(matrix); });
    }
    return with_sizes<false>(panel_,
                             [&]<int N, int C> { return factorize_sized<N, C, false>(matrix); });
  }

  void solve(const VecX& right, VecX& u) const override {
    u.resize(static_cast<std::ptrdiff_t>(panel_.size) * (intervals_ + 1));
    if (order_.coupled) {
      with_sizes<true>(panel_, [&]<int N, int C> { solve_sized<N, C, true>(right, u); });
    } else {
      with_sizes<false>(panel_, [&]<int N, int C> { solve_sized<N, C, false>(right, u); });
    }
  }

  double bytes() const override {
    return 8.0 * static_cast<double>(left_.size() + right_.size()) +
           4.0 * static_cast<double>(pivots_.size());
  }

 private:
  template <int N, int C, bool Border>
  FactorStatus factorize_sized(const BabdMatrix& matrix) {
    const int n = N > 0 ? N : panel_.size;
    const int carried = C >= 0 ? C : panel_.carried, rows = carried + n;
    const int columns = Border ? 3 * n : 2 * n;
    AlignedVector memory(static_cast<std::size_t>(rows) * columns);
    AlignedVector carry(static_cast<std::size_t>(carried) * (columns - n));
    double* const work = memory.data();
    for (int r = 0; r < carried; ++r) {
      for (int c = 0; c < n; ++c) {
        carry[r * (columns - n) + c] = matrix.B0(order_.carried[r], c);
        if (Border) carry[r * (columns - n) + n + c] = matrix.B1(order_.carried[r], c);
      }
    }
    for (int i = 0; i < intervals_; ++i) {
      for (int r = 0; r < carried; ++r) {
        double* const row = work + r * columns;
        const double* const from = carry.data() + r * (columns - n);
        for (int c = 0; c < n; ++c) {
          row[c] = from[c];
          row[n + c] = 0;
          if (Border) row[2 * n + c] = from[n + c];
        }
      }
      const double *S = matrix.S(i), *R = matrix.R(i);
      for (int r = 0; r < n; ++r) {
        double* const row = work + (carried + r) * columns;
        for (int c = 0; c < n; ++c) {
          row[c] = S[r * n + c];
          row[n + c] = R[r * n + c];
          if (Border) row[2 * n + c] = 0;
        }
      }
      if (!eliminate<N, C, Border>(panel_, work,
                                   pivots_.data() + static_cast<std::size_t>(i) * n)) {
        return {false, "zero or non-finite pivot in interval " + std::to_string(i)};
      }
      double* left = left_.data() + panel_.left_entries() * i;
      for (int r = 0; r < rows; ++r) {
        for (int c = 0; c < n; ++c) *left++ = work[r * columns + c];
      }
      double* right = right_.data() + panel_.right_entries() * i;
      for (int r = 0; r < n; ++r) {
        for (int c = n; c < columns; ++c) *right++ = work[r * columns + c];
      }
      for (int r = 0; r < carried; ++r) {
        const double* const row = work + (n + r) * columns + n;
        std::copy(row, row + columns - n, carry.data() + r * (columns - n));
      }
    }
    // At the end u_i is u_N: the border joins the carried columns.
    for (int r = 0; r < n; ++r) {
      for (int c = 0; c < n; ++c) {
        double value;
        if (r < carried) {
          const double* const row = carry.data() + r * (columns - n);
          value = Border ? row[c] + row[n + c] : row[c];
        } else {
          value = matrix.B1(order_.right[r - carried], c);
        }
        last_[r * n + c] = value;
      }
    }
    return factorize_last();
  }

  FactorStatus factorize_last() {
    const int n = panel_.size;
    for (int j = 0; j < n; ++j) {
      int pivot = j;
      for (int i = j + 1; i < n; ++i) {
        if (std::abs(last_[i * n + j]) > std::abs(last_[pivot * n + j])) pivot = i;
      }
      last_pivots_[j] = pivot;
      const double largest = std::abs(last_[pivot * n + j]);
      if (!(largest > 0) || !std::isfinite(largest)) {
        return {false,
                "zero or non-finite pivot in the last block: the boundary conditions do not "
                "determine the solution"};
      }
      double* const upper = last_.data() + j * n;
      if (pivot != j) std::swap_ranges(upper, upper + n, last_.data() + pivot * n);
      upper[j] = 1 / upper[j];
      for (int i = j + 1; i < n; ++i) {
        double* const row = last_.data() + i * n;
        row[j] *= upper[j];
        for (int c = j + 1; c < n; ++c) row[c] -= row[j] * upper[c];
      }
    }
    return {};
  }

  template <int N, int C, bool Border>
  void solve_sized(const VecX& right, VecX& u) const {
    const int n = N > 0 ? N : panel_.size;
    const int carried = C >= 0 ? C : panel_.carried, rows = carried + n;
    const int trailing = Border ? 2 * n : n;
    std::vector<double> memory(rows);
    double* const v = memory.data();
    const double* const conditions = right.data() + static_cast<std::ptrdiff_t>(intervals_) * n;
    for (int r = 0; r < carried; ++r) v[n + r] = conditions[order_.carried[r]];
    for (int i = 0; i < intervals_; ++i) {
      // The carried rows stand first in the panel, those of the interval after them.
      const double* const b = right.data() + static_cast<std::ptrdiff_t>(i) * n;
      std::copy(v + n, v + rows, v);
      std::copy(b, b + n, v + carried);
      const int* const pivots = pivots_.data() + static_cast<std::size_t>(i) * n;
      const double* const left = left_.data() + panel_.left_entries() * i;
      for (int j = 0; j < n; ++j) std::swap(v[j], v[pivots[j]]);
      for (int r = 1; r < rows; ++r) {
        const double* const row = left + r * n;
        const int length = std::min(r, n);
        double sum = v[r];
        for (int c = 0; c < length; ++c) sum -= row[c] * v[c];
        v[r] = sum;
      }
      std::copy(v, v + n, u.data() + static_cast<std::ptrdiff_t>(i) * n);
    }
    double* const last = u.data() + static_cast<std::ptrdiff_t>(intervals_) * n;
    std::copy(v + n, v + rows, last);
    for (int r = carried; r < n; ++r) last[r] = conditions[order_.right[r - carried]];
    solve_last(last);
    for (int i = intervals_ - 1; i >= 0; --i) {
      double* const node = u.data() + static_cast<std::ptrdiff_t>(i) * n;
      const double* const left = left_.data() + panel_.left_entries() * i;
      const double* const upper = right_.data() + panel_.right_entries() * i;
      for (int r = n - 1; r >= 0; --r) {
        double sum = node[r];
        const double* const row = upper + r * trailing;
        for (int c = 0; c < n; ++c) sum -= row[c] * node[n + c];
        if (Border) {
          for (int c = 0; c < n; ++c) sum -= row[n + c] * last[c];
        }
        for (int c = r + 1; c < n; ++c) sum -= left[r * n + c] * node[c];
        node[r] = sum * left[r * n + r];
      }
    }
  }

  void solve_last(double* v) const {
    const int n = panel_.size;
    for (int j = 0; j < n; ++j) std::swap(v[j], v[last_pivots_[j]]);
    for (int r = 1; r < n; ++r) {
      for (int c = 0; c < r; ++c) v[r] -= last_[r * n + c] * v[c];
    }
    for (int r = n - 1; r >= 0; --r) {
      for (int c = r + 1; c < n; ++c) v[r] -= last_[r * n + c] * v[c];
      v[r] *= last_[r * n + r];
    }
  }

  int intervals_ = 0;
  Panel panel_;
  ConditionOrder order_;
  AlignedVector left_, right_, last_;
  std::vector<int> pivots_, last_pivots_;
};

}  // namespace

std::unique_ptr<LinearSolver> make_block_lu() { return std::make_unique<BlockLu>(); }

}  // namespace daewave
