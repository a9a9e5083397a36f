#pragma once
// LU of several small matrices side by side, each in one number of a register, for one instruction
// set: all is inlined into the function that is compiled for it. A lane never knows of the others,
// so it has the same bits whatever they hold.

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace daewave::bvp {

/// `lanes` numbers as the compiler's vector types, and where they are in memory.
template <int lanes>
struct Registers {
  typedef double Numbers __attribute__((vector_size(8 * lanes), may_alias, aligned(8)));
  typedef std::int64_t Bits __attribute__((vector_size(8 * lanes), may_alias, aligned(8)));

  [[gnu::always_inline]] static inline Numbers& at(double* where) {
    return *reinterpret_cast<Numbers*>(where);
  }
  [[gnu::always_inline]] static inline const Numbers& at(const double* where) {
    return *reinterpret_cast<const Numbers*>(where);
  }
};

/// Matrices of `size` rows and `columns`, the first `size` of which are to be factorized and the
/// others are right sides: entry (r, c) of all lanes is at (r columns + c) lanes of `work`.
template <int lanes>
class LuInLanes {
  using Numbers = typename Registers<lanes>::Numbers;
  using Bits = typename Registers<lanes>::Bits;

 public:
  /// In place, in blocks of four pivots: a row right of them is loaded and stored once for four
  /// multiplications. Diagonals are left inverted.
  /// @return the first lane whose pivot is zero or not finite; -1 for none.
  [[gnu::always_inline]] static inline int factorize(double* work, int size, int columns) {
    int first = 0;
    for (; first + 4 <= size; first += 4) {
      int lost = eliminate_in_block<0>(work, size, columns, first);
      if (lost < 0) lost = eliminate_in_block<1>(work, size, columns, first);
      if (lost < 0) lost = eliminate_in_block<2>(work, size, columns, first);
      if (lost < 0) lost = eliminate_in_block<3>(work, size, columns, first);
      if (lost >= 0) return lost;
      subtract_within(work, columns, first);
      subtract_right(work, size, columns, first);
    }
    for (int j = first; j < size; ++j) {
      const int lost = eliminate_one(work, size, columns, j);
      if (lost >= 0) return lost;
    }
    return -1;
  }

  /// U X = the columns right of it.
  [[gnu::always_inline]] static inline void substitute(double* work, int size, int columns) {
    int c = size;
    for (; c + 8 < columns; c += 4) substitute_some<4>(work, size, columns, c);
    switch (columns - c) {
      case 8:
        return substitute_some<8>(work, size, columns, c);
      case 7:
        return substitute_some<7>(work, size, columns, c);
      case 6:
        return substitute_some<6>(work, size, columns, c);
      case 5:
        return substitute_some<5>(work, size, columns, c);
      case 4:
        return substitute_some<4>(work, size, columns, c);
      case 3:
        return substitute_some<3>(work, size, columns, c);
      default:
        for (; c < columns; ++c) substitute_one(work, size, columns, c);
    }
  }

 private:
  /// A diagonal that is as large a part of the largest entry below it stays where it is: mostly all
  /// do, and no lane waits for the rows of another.
  static constexpr double pivot_part = 0.25;
  static constexpr std::int64_t bits_of_infinity = 0x7ff0000000000000;

  [[gnu::always_inline]] static inline Numbers& at(double* where) {
    return Registers<lanes>::at(where);
  }
  [[gnu::always_inline]] static inline const Numbers& at(const double* where) {
    return Registers<lanes>::at(where);
  }

  /// Pivot `which` of a block: its factors, and what they make of the other columns of the block.
  template <int which>
  [[gnu::always_inline]] static inline int eliminate_in_block(double* work, int size, int columns,
                                                              int first) {
    const int j = first + which;
    const int lost = pivot(work, size, columns, j);
    if (lost >= 0) return lost;
    const std::ptrdiff_t stride = static_cast<std::ptrdiff_t>(columns) * lanes;
    double* row = work + j * stride + j * lanes;
    const Numbers inverse = 1.0 / at(row);
    at(row) = inverse;
    Numbers upper[4] = {};
    for (int c = 1; c < 4 - which; ++c) upper[c] = at(row + c * lanes);
    for (int r = j + 1; r < size; ++r) {
      row += stride;
      const Numbers factor = at(row) * inverse;
      at(row) = factor;
      for (int c = 1; c < 4 - which; ++c) at(row + c * lanes) -= factor * upper[c];
    }
    return -1;
  }

  /// The rows of a block less those before them, right of it.
  [[gnu::always_inline]] static inline void subtract_within(double* work, int columns, int first) {
    const std::ptrdiff_t stride = static_cast<std::ptrdiff_t>(columns) * lanes;
    double *const a = work + first * stride, *const b = a + stride, *const c = b + stride,
                  *const d = c + stride;
    const Numbers b0 = at(b + first * lanes), c0 = at(c + first * lanes),
                  c1 = at(c + (first + 1) * lanes), d0 = at(d + first * lanes),
                  d1 = at(d + (first + 1) * lanes), d2 = at(d + (first + 2) * lanes);
    for (int e = (first + 4) * lanes; e < columns * lanes; e += lanes) {
      const Numbers va = at(a + e), vb = at(b + e) - b0 * va;
      const Numbers vc = at(c + e) - c0 * va - c1 * vb;
      at(b + e) = vb;
      at(c + e) = vc;
      at(d + e) = at(d + e) - d0 * va - d1 * vb - d2 * vc;
    }
  }

  /// A pivot by itself: of the last ones, which fill no block.
  [[gnu::always_inline]] static inline int eliminate_one(double* work, int size, int columns,
                                                         int j) {
    const int lost = pivot(work, size, columns, j);
    if (lost >= 0) return lost;
    const std::ptrdiff_t stride = static_cast<std::ptrdiff_t>(columns) * lanes;
    const double* const row = work + j * stride;
    const Numbers inverse = 1.0 / at(row + j * lanes);
    at(work + j * stride + j * lanes) = inverse;
    for (int r = j + 1; r < size; ++r) {
      double* const below = work + r * stride;
      const Numbers factor = at(below + j * lanes) * inverse;
      at(below + j * lanes) = factor;
      for (int e = (j + 1) * lanes; e < columns * lanes; e += lanes) {
        at(below + e) -= factor * at(row + e);
      }
    }
    return -1;
  }

  /// The rows after the four from `first` less these, two at a time.
  [[gnu::always_inline]] static inline void subtract_right(double* work, int size, int columns,
                                                           int first) {
    const std::ptrdiff_t stride = static_cast<std::ptrdiff_t>(columns) * lanes;
    const double *const a = work + first * stride, *const b = a + stride;
    const double *const c = b + stride, *const d = c + stride;
    int i = first + 4;
    for (; i + 2 <= size; i += 2) {
      double *const x = work + i * stride, *const y = x + stride;
      const double *const p = x + first * lanes, *const q = y + first * lanes;
      const Numbers p0 = at(p), p1 = at(p + lanes), p2 = at(p + 2 * lanes), p3 = at(p + 3 * lanes);
      const Numbers q0 = at(q), q1 = at(q + lanes), q2 = at(q + 2 * lanes), q3 = at(q + 3 * lanes);
      for (int e = (first + 4) * lanes; e < columns * lanes; e += lanes) {
        const Numbers va = at(a + e), vb = at(b + e), vc = at(c + e), vd = at(d + e);
        at(x + e) = at(x + e) - p0 * va - p1 * vb - p2 * vc - p3 * vd;
        at(y + e) = at(y + e) - q0 * va - q1 * vb - q2 * vc - q3 * vd;
      }
    }
    for (; i < size; ++i) {
      double* const x = work + i * stride;
      const double* const p = x + first * lanes;
      const Numbers p0 = at(p), p1 = at(p + lanes), p2 = at(p + 2 * lanes), p3 = at(p + 3 * lanes);
      for (int e = (first + 4) * lanes; e < columns * lanes; e += lanes) {
        at(x + e) = at(x + e) - p0 * at(a + e) - p1 * at(b + e) - p2 * at(c + e) - p3 * at(d + e);
      }
    }
  }

  /// Exchanges rows in the lanes whose diagonal is too small.
  [[gnu::always_inline]] static inline int pivot(double* work, int size, int columns, int j) {
    const std::ptrdiff_t stride = static_cast<std::ptrdiff_t>(columns) * lanes;
    const Bits sign_off = INT64_MAX - Bits{}, infinity = bits_of_infinity - Bits{};
    const Numbers on_diagonal = at(work + j * stride + j * lanes);
    const Bits diagonal = reinterpret_cast<Bits>(on_diagonal) & sign_off;
    // Of numbers without a sign the bits are in their order, infinity and what is none on top.
    Bits most = diagonal;
    for (int r = j + 1; r < size; ++r) {
      const Numbers below = at(work + r * stride + j * lanes);
      const Bits entry = reinterpret_cast<Bits>(below) & sign_off;
      const Bits larger = entry > most;
      most = (entry & larger) | (most & ~larger);
    }
    const Numbers enough = pivot_part * reinterpret_cast<Numbers>(most);
    const Bits stays = diagonal >= reinterpret_cast<Bits>(enough);
    const Bits good = stays & (most > 0) & (most < infinity);
    std::int64_t all = -1;
    for (int e = 0; e < lanes; ++e) all &= good[e];
    if (all != 0) return -1;
    for (int e = 0; e < lanes; ++e) {
      if (!(most[e] > 0) || most[e] >= bits_of_infinity) return e;
      if (stays[e] != 0) continue;
      int best = j;
      for (int r = j + 1; r < size; ++r) {
        const double *const entry = work + r * stride + j * lanes + e, *const so_far =
                                                                           work + best * stride +
                                                                           j * lanes + e;
        if (std::abs(*entry) > std::abs(*so_far)) best = r;
      }
      double *const x = work + j * stride + e, *const y = work + best * stride + e;
      for (int c = 0; c < columns; ++c) std::swap(x[c * lanes], y[c * lanes]);
    }
    return -1;
  }

  /// So many that none waits for its last multiplication.
  template <int some>
  [[gnu::always_inline]] static inline void substitute_some(double* work, int size, int columns,
                                                            int c) {
    const std::ptrdiff_t stride = static_cast<std::ptrdiff_t>(columns) * lanes;
    for (int r = size; r-- > 0;) {
      double* const row = work + r * stride;
      Numbers sum[some];
      for (int e = 0; e < some; ++e) sum[e] = at(row + (c + e) * lanes);
      for (int t = r + 1; t < size; ++t) {
        const Numbers u = at(row + t * lanes);
        const double* const later = work + t * stride + c * lanes;
        for (int e = 0; e < some; ++e) sum[e] -= u * at(later + e * lanes);
      }
      const Numbers inverse = at(row + r * lanes);
      for (int e = 0; e < some; ++e) at(row + (c + e) * lanes) = sum[e] * inverse;
    }
  }
  [[gnu::always_inline]] static inline void substitute_one(double* work, int size, int columns,
                                                           int c) {
    const std::ptrdiff_t stride = static_cast<std::ptrdiff_t>(columns) * lanes;
    for (int t = size; t-- > 0;) {
      double* const row = work + t * stride;
      const Numbers x = at(row + c * lanes) * at(row + t * lanes);
      at(row + c * lanes) = x;
      for (int r = 0; r < t; ++r) {
        double* const earlier = work + r * stride;
        at(earlier + c * lanes) -= x * at(earlier + t * lanes);
      }
    }
  }
};

}  // namespace daewave::bvp
