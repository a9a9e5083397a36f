// Elimination in vectors of `width` doubles, inlined into one function per instruction set.
//
// Right-looking, in blocks of four pivots: within the eight columns that hold the block each pivot
// is applied at once, right of them four at a time, so that a row is loaded and stored once for
// four multiplications. Pivots and order of arithmetic are those of the plain algorithm.

#include "core/blocks/dense_elimination.hpp"

#include <algorithm>
#include <cmath>

#include "core/machine/aligned.hpp"
#include "core/machine/has_vectors.hpp"

namespace daewave {
namespace {

template <int width>
class EliminationKernel {
 public:
  /// As eliminate_panel().
  [[gnu::always_inline]] static inline double eliminate(double** rows, int count, int pivots,
                                                        int stride) {
    double smallest = INFINITY, greatest = 0;
    int pivot = 0;
    for (int first = 0; first < pivots; first += block) {
      const int end = std::min(first + block, pivots);
      const int begin = first / vector_width * vector_width, right = begin + vector_width;
      if (first == begin) pivot = largest_in_column(rows, first, pivots);
      for (int j = first; j < end; ++j) {
        double* const row = rows[pivot];
        const double largest = std::abs(row[j]);
        if (!(largest > 0) || !std::isfinite(largest)) return 0;
        smallest = std::min(smallest, largest);
        greatest = std::max(greatest, largest);
        rows[pivot] = rows[j];
        rows[j] = row;
        for (int s = first; s < j; ++s) subtract_one(row, row[s], rows[s], right, stride);
        pivot = subtract_beside(rows, count, pivots, j, begin);
      }
      if (right < stride) subtract_right(rows, count, first, end, right, stride);
    }
    return pivots == 0 ? 1 : smallest / greatest;
  }

  /// As back_substitute().
  [[gnu::always_inline]] static inline void substitute(double** rows, int pivots, int from,
                                                       int stride) {
    for (int j = pivots; j-- > 0;) {
      double* const target = rows[j];
      const double inverse = 1 / target[j];
      for (int c = from; c < stride; c += vector_width) {
        Vector sum[parts];
        for (int p = 0; p < parts; ++p) sum[p] = at(target + c)[p];
        for (int s = j + 1; s < pivots; ++s) {
          const double factor = target[s];
          for (int p = 0; p < parts; ++p) sum[p] -= factor * at(rows[s] + c)[p];
        }
        for (int p = 0; p < parts; ++p) at(target + c)[p] = inverse * sum[p];
      }
    }
  }

  /// As weigh_rows().
  [[gnu::always_inline]] static inline void weigh(double* const* rows, const double* weights,
                                                  int count, int from, int stride, double* sum) {
    for (int c = from; c < stride; c += vector_width) {
      Vector part[parts] = {};
      for (int j = 0; j < count; ++j) {
        for (int p = 0; p < parts; ++p) part[p] += weights[j] * at(rows[j] + c)[p];
      }
      for (int p = 0; p < parts; ++p) at(sum + (c - from))[p] = part[p];
    }
  }

 private:
  typedef double Vector __attribute__((vector_size(8 * width), may_alias, aligned(8)));
  static constexpr int block = 4, parts = vector_width / width;

  [[gnu::always_inline]] static inline Vector* at(double* row) {
    return reinterpret_cast<Vector*>(row);
  }
  [[gnu::always_inline]] static inline const Vector* at(const double* row) {
    return reinterpret_cast<const Vector*>(row);
  }

  /// What becomes of eight columns of which j is eliminated: those before it hold factors and stay,
  /// column j becomes the factor, as x * 0 - factor * (-1), the others lose factor * upper.
  struct Masks {
    alignas(64) double keep[vector_width][vector_width], after[vector_width][vector_width],
        factor[vector_width][vector_width];
  };
  static constexpr Masks make_masks() {
    Masks all{};
    for (int j = 0; j < vector_width; ++j) {
      for (int e = 0; e < vector_width; ++e) {
        all.keep[j][e] = e == j ? 0 : 1;
        all.after[j][e] = e > j ? 1 : 0;
        all.factor[j][e] = e == j ? -1 : 0;
      }
    }
    return all;
  }
  static constexpr Masks masks = make_masks();

  [[gnu::always_inline]] static inline int largest_in_column(double** rows, int j, int pivots) {
    int pivot = j;
    double largest = std::abs(rows[j][j]);
    for (int i = j + 1; i < pivots; ++i) {
      const double candidate = std::abs(rows[i][j]);
      if (candidate > largest) {
        largest = candidate;
        pivot = i;
      }
    }
    return pivot;
  }

  /// target -= factor * upper.
  [[gnu::always_inline]] static inline void subtract_one(double* target, double factor,
                                                         const double* upper, int begin, int end) {
    for (int c = begin; c < end; c += width) *at(target + c) -= factor * *at(upper + c);
  }

  /// Applies pivot row j to the rows after it in the eight columns from `begin`, and leaves their
  /// factors in column j.
  /// @return the row of the largest entry of column j + 1 where that is among the eight.
  [[gnu::always_inline]] static inline int subtract_beside(double** rows, int count, int pivots,
                                                           int j, int begin) {
    const int lane = j - begin;
    const double* const pivot_row = rows[j] + begin;
    const double inverse = 1 / pivot_row[lane];
    Vector upper[parts], keep[parts];
    for (int p = 0; p < parts; ++p) {
      upper[p] = at(pivot_row)[p] * at(masks.after[lane])[p] + at(masks.factor[lane])[p];
      keep[p] = at(masks.keep[lane])[p];
    }
    const auto apply = [&](double* row) __attribute__((always_inline)) {
      const double factor = row[lane] * inverse;
      for (int p = 0; p < parts; ++p) at(row)[p] = at(row)[p] * keep[p] - factor * upper[p];
    };
    int pivot = j + 1, i = j + 1;
    if (lane + 1 < vector_width && pivot < pivots) {
      double largest = -1;
      for (; i < pivots; ++i) {
        double* const row = rows[i] + begin;
        apply(row);
        const double candidate = std::abs(row[lane + 1]);
        if (candidate > largest) {
          largest = candidate;
          pivot = i;
        }
      }
    }
    for (; i < count; ++i) apply(rows[i] + begin);
    return pivot;
  }

  /// Applies rows first..end-1 to the rows after them, two at a time, in columns begin..stride-1.
  [[gnu::always_inline]] static inline void subtract_right(double** rows, int count, int first,
                                                           int end, int begin, int stride) {
    int i = end;
    if (end == first + block) {
      const double *const a = rows[first], *const b = rows[first + 1];
      const double *const c = rows[first + 2], *const d = rows[first + 3];
      for (; i + 1 < count; i += 2) {
        double *const x = rows[i], *const y = rows[i + 1];
        const double *const p = x + first, *const q = y + first;
        const double p0 = p[0], p1 = p[1], p2 = p[2], p3 = p[3];
        const double q0 = q[0], q1 = q[1], q2 = q[2], q3 = q[3];
        for (int e = begin; e < stride; e += width) {
          const Vector va = *at(a + e), vb = *at(b + e), vc = *at(c + e), vd = *at(d + e);
          *at(x + e) = *at(x + e) - p0 * va - p1 * vb - p2 * vc - p3 * vd;
          *at(y + e) = *at(y + e) - q0 * va - q1 * vb - q2 * vc - q3 * vd;
        }
      }
    }
    for (; i < count; ++i) {
      for (int s = first; s < end; ++s) subtract_one(rows[i], rows[i][s], rows[s], begin, stride);
    }
  }
};

#if defined(__x86_64__)
[[gnu::target("avx512f,fma")]] double eliminate_avx512(double** rows, int count, int pivots,
                                                       int stride) {
  return EliminationKernel<8>::eliminate(rows, count, pivots, stride);
}

[[gnu::target("avx2,fma")]] double eliminate_avx2(double** rows, int count, int pivots,
                                                  int stride) {
  return EliminationKernel<4>::eliminate(rows, count, pivots, stride);
}

[[gnu::target("avx512f,fma")]] void substitute_avx512(double** rows, int pivots, int from,
                                                      int stride) {
  EliminationKernel<8>::substitute(rows, pivots, from, stride);
}

[[gnu::target("avx2,fma")]] void substitute_avx2(double** rows, int pivots, int from, int stride) {
  EliminationKernel<4>::substitute(rows, pivots, from, stride);
}

[[gnu::target("avx512f,fma")]] void weigh_avx512(double* const* rows, const double* weights,
                                                 int count, int from, int stride, double* sum) {
  EliminationKernel<8>::weigh(rows, weights, count, from, stride, sum);
}

[[gnu::target("avx2,fma")]] void weigh_avx2(double* const* rows, const double* weights, int count,
                                            int from, int stride, double* sum) {
  EliminationKernel<4>::weigh(rows, weights, count, from, stride, sum);
}
#endif

double eliminate_baseline(double** rows, int count, int pivots, int stride) {
  return EliminationKernel<2>::eliminate(rows, count, pivots, stride);
}

#if defined(__x86_64__)
#endif

}  // namespace

double eliminate_panel(double** rows, int count, int pivots, int stride) {
#if defined(__x86_64__)
  // In short rows the longer vectors wait longer for the scalars just stored there.
  constexpr int short_row = 48;
  if (has_avx512() && stride > short_row) return eliminate_avx512(rows, count, pivots, stride);
  if (has_avx2()) return eliminate_avx2(rows, count, pivots, stride);
#endif
  return eliminate_baseline(rows, count, pivots, stride);
}

void back_substitute(double** rows, int pivots, int from, int stride) {
#if defined(__x86_64__)
  if (has_avx512()) return substitute_avx512(rows, pivots, from, stride);
  if (has_avx2()) return substitute_avx2(rows, pivots, from, stride);
#endif
  EliminationKernel<2>::substitute(rows, pivots, from, stride);
}

void weigh_rows(double* const* rows, const double* weights, int count, int from, int stride,
                double* sum) {
#if defined(__x86_64__)
  if (has_avx512()) return weigh_avx512(rows, weights, count, from, stride, sum);
  if (has_avx2()) return weigh_avx2(rows, weights, count, from, stride, sum);
#endif
  EliminationKernel<2>::weigh(rows, weights, count, from, stride, sum);
}

}  // namespace daewave
