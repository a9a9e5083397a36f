#include "core/blocks/block_chain.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "core/machine/aligned.hpp"
#include "core/not_finite.hpp"

namespace daewave {
namespace {

/// Eliminates `size` columns of the work panel, (carried + size) x (size + columns()), row-major.
/// N > 0 fixes the size at compile time, C >= 0 the carried rows: small panels are then unrolled as
/// a whole. Diagonals are left inverted.
/// @return false at a pivot that is zero or not finite.
template <int N, int C, bool Border>
bool eliminate(const ChainShape& shape, double* __restrict work, int* __restrict pivots) {
  const int n = N > 0 ? N : shape.size;
  const int columns = Border ? 3 * n : 2 * n;
  const int rows = (C >= 0 ? C : shape.carried) + n;
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

/// Has a block fetched from memory while another is eliminated: to the left, the processor does not
/// guess which comes next.
void fetch(const double* block, int entries) {
  constexpr int line = 8;
  for (int e = 0; e < entries; e += line) __builtin_prefetch(block + e);
}

/// Calls f.operator()<N, C, Border>() with the sizes at hand; C is fixed for the smallest blocks
/// without border only.
template <bool Border, class F>
auto with_block_size(const ChainShape& shape, F f) {
  switch (shape.size) {
    case 2:
      return f.template operator()<2, -1, Border>();
    case 3:
      return f.template operator()<3, -1, Border>();
    case 4:
      return f.template operator()<4, -1, Border>();
    case 5:
      return f.template operator()<5, -1, Border>();
    case 6:
      return f.template operator()<6, -1, Border>();
    case 8:
      return f.template operator()<8, -1, Border>();
    case 12:
      return f.template operator()<12, -1, Border>();
    case 24:
      return f.template operator()<24, -1, Border>();
    default:
      return f.template operator()<0, -1, Border>();
  }
}

template <class F>
auto with_sizes(const ChainShape& shape, F f) {
  if (shape.border) return with_block_size<true>(shape, f);
  switch (shape.size * 10 + shape.carried) {
    case 10:
      return f.template operator()<1, 0, false>();
    case 11:
      return f.template operator()<1, 1, false>();
    case 20:
      return f.template operator()<2, 0, false>();
    case 21:
      return f.template operator()<2, 1, false>();
    case 22:
      return f.template operator()<2, 2, false>();
    case 41:
      return f.template operator()<4, 1, false>();
    case 42:
      return f.template operator()<4, 2, false>();
    case 43:
      return f.template operator()<4, 3, false>();
    case 44:
      return f.template operator()<4, 4, false>();
    default:
      return with_block_size<false>(shape, f);
  }
}

}  // namespace

double BlockChain::work_per_interval(const ChainShape& shape) {
  const int size = shape.size, carried = shape.carried;
  // Panels are also copied to and fro, which counts for the smallest.
  double work = 2.0 * size * (carried + size);
  for (int j = 0; j < size; ++j) {
    work += static_cast<double>(carried + size - 1 - j) * (size - 1 - j + shape.columns());
  }
  return work;
}

BlockChain::BlockChain(const ChainShape& shape)
    : shape_(shape),
      left_(left_entries() * shape.intervals()),
      right_(right_entries() * shape.intervals()),
      pivots_(std::make_unique_for_overwrite<int[]>(static_cast<std::size_t>(shape.size) *
                                                    shape.intervals())) {}

double BlockChain::bytes() const {
  const double intervals = shape_.intervals();
  return intervals * (8.0 * static_cast<double>(left_entries() + right_entries()) +
                      4.0 * static_cast<double>(shape_.size));
}

int BlockChain::factorize(const BabdMatrix& matrix, double* carry) {
  const auto sized = [&]<int N, int C, bool Border> {
    return factorize_sized<N, C, Border>(matrix, carry);
  };
  return with_sizes(shape_, sized);
}

void BlockChain::forward(const VecX& right, double* carry, VecX& u) const {
  with_sizes(shape_,
             [&]<int N, int C, bool Border> { forward_sized<N, C, Border>(right, carry, u); });
}

void BlockChain::back(const double* far, VecX& u) const {
  with_sizes(shape_, [&]<int N, int C, bool Border> {
    // Where known values are is fixed too, or they are read again after each that is written.
    if (shape_.to_left()) {
      back_sized<N, Border, true>(far, u);
    } else {
      back_sized<N, Border, false>(far, u);
    }
  });
}

template <int N, int C, bool Border>
int BlockChain::factorize_sized(const BabdMatrix& matrix, double* carry) {
  const int n = N > 0 ? N : shape_.size;
  const int carried = C >= 0 ? C : shape_.carried, rows = carried + n;
  const int columns = Border ? 3 * n : 2 * n;
  AlignedVector memory(static_cast<std::size_t>(rows) * columns);
  double* const work = memory.data();
  const bool fetches = shape_.to_left() && n * n >= 64;  // It does guess small ones.
  for (int step = 0; step < shape_.intervals(); ++step) {
    const int i = interval(step);
    for (int r = 0; r < carried; ++r) {
      double* const row = work + r * columns;
      const double* const from = carry + r * (columns - n);
      for (int c = 0; c < n; ++c) {
        row[c] = from[c];
        row[n + c] = 0;
        if (Border) row[2 * n + c] = from[n + c];
      }
    }
    if (fetches && step + 1 < shape_.intervals()) {
      fetch(matrix.S(i - 1), n * n);
      fetch(matrix.R(i - 1), n * n);
    }
    // What is eliminated stands first.
    const double *near = matrix.S(i), *next = matrix.R(i);
    if (shape_.to_left()) std::swap(near, next);
    for (int r = 0; r < n; ++r) {
      double* const row = work + (carried + r) * columns;
      for (int c = 0; c < n; ++c) {
        row[c] = near[r * n + c];
        row[n + c] = next[r * n + c];
        if (Border) row[2 * n + c] = 0;
      }
    }
    if (!eliminate<N, C, Border>(shape_, work,
                                 pivots_.get() + static_cast<std::size_t>(step) * n)) {
      return i;
    }
    double* left = left_.data() + left_entries() * step;
    for (int r = 0; r < rows; ++r) {
      for (int c = 0; c < n; ++c) *left++ = work[r * columns + c];
    }
    double* right = right_.data() + right_entries() * step;
    for (int r = 0; r < n; ++r) {
      for (int c = n; c < columns; ++c) *right++ = work[r * columns + c];
    }
    for (int r = 0; r < carried; ++r) {
      const double* const row = work + (n + r) * columns + n;
      for (int c = 0; c < columns - n; ++c) carry[r * (columns - n) + c] = row[c];
    }
  }
  return -1;
}

template <int N, int C, bool Border>
void BlockChain::forward_sized(const VecX& right, double* carry, VecX& u) const {
  const int n = N > 0 ? N : shape_.size;
  const int carried = C >= 0 ? C : shape_.carried, rows = carried + n;
  // Of n entries, which are carried at most, the number is fixed where the size is.
  std::array<double, 2 * (N > 0 ? N : 1)> small;
  std::vector<double> memory(N > 0 ? 0 : 2 * static_cast<std::size_t>(n));
  double* const v = N > 0 ? small.data() : memory.data();
  std::copy_n(carry, carried, v + n);
  for (int step = 0; step < shape_.intervals(); ++step) {
    const int i = interval(step);
    // The carried rows stand first in the panel, those of the interval after them.
    const double* const b = right.data() + static_cast<std::ptrdiff_t>(i) * n;
    for (int r = 0; r < n; ++r) v[r] = v[n + r];
    for (int r = 0; r < n; ++r) v[carried + r] = b[r];
    const int* const pivots = pivots_.get() + static_cast<std::size_t>(step) * n;
    const double* const left = left_.data() + left_entries() * step;
    for (int j = 0; j < n; ++j) std::swap(v[j], v[pivots[j]]);
    const auto subtract = [&](int r, int length) {
      double sum = v[r];
      for (int c = 0; c < length; ++c) sum -= left[r * n + c] * v[c];
      v[r] = sum;
    };
    for (int r = 1; r < n; ++r) subtract(r, r);
    for (int r = n; r < rows; ++r) subtract(r, n);
    const int node = shape_.to_left() ? i + 1 : i;
    double* const to = u.data() + static_cast<std::ptrdiff_t>(node) * n;
    for (int r = 0; r < n; ++r) to[r] = v[r];
  }
  std::copy_n(v + n, carried, carry);
}

template <int N, bool Border, bool ToLeft>
void BlockChain::back_sized(const double* far, VecX& u) const {
  const int n = N > 0 ? N : shape_.size;
  const int trailing = Border ? 2 * n : n, known = ToLeft ? -n : n;
  for (int step = shape_.intervals() - 1; step >= 0; --step) {
    const int i = interval(step);
    double* const node = u.data() + static_cast<std::ptrdiff_t>(ToLeft ? i + 1 : i) * n;
    const double* const left = left_.data() + left_entries() * step;
    const double* const upper = right_.data() + right_entries() * step;
    for (int r = n - 1; r >= 0; --r) {
      double sum = node[r];
      const double* const row = upper + r * trailing;
      // What has been known for longest comes first: no sum waits for more than the last entry.
      if (Border) {
        for (int c = 0; c < n; ++c) sum -= row[n + c] * far[c];
      }
      for (int c = n - 1; c >= 0; --c) sum -= row[c] * node[known + c];
      for (int c = n - 1; c > r; --c) sum -= left[r * n + c] * node[c];
      node[r] = sum * left[r * n + r];
    }
  }
}

}  // namespace daewave
