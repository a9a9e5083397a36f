// An interval in each of `lanes` numbers side by side, inlined into one function per instruction
// set. A lane never knows of the others, so it has the same bits whatever they hold.

#include "bvp/nonlinear/slope_kernel.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace daewave::bvp {
namespace {

/// Registers of eight numbers would take as long: panels of eight intervals leave the cache.
constexpr int most_lanes = 4;
/// A diagonal that is as large a part of the largest entry below it stays where it is: mostly all
/// do, and no lane waits for the rows of another.
constexpr double pivot_part = 0.25;
constexpr std::int64_t bits_of_infinity = 0x7ff0000000000000;

template <int lanes>
struct Registers {
  typedef double Numbers __attribute__((vector_size(8 * lanes), may_alias, aligned(8)));
  typedef std::int64_t Bits __attribute__((vector_size(8 * lanes), may_alias, aligned(8)));
};

template <int lanes>
class SlopeKernel {
  using Numbers = typename Registers<lanes>::Numbers;
  using Bits = typename Registers<lanes>::Bits;

 public:
  [[gnu::always_inline]] static inline int eliminate(const SlopePanels& at) {
    const int size = at.n * at.stages;
    const int columns = size + (at.nodes != nullptr ? at.n : 0) + 1;
    int failed = -1;
    for (int first = 0; first < at.width; first += lanes) {
      // The last lanes are some of the ones before once more: of as many there are as many bits.
      const int from = std::max(0, std::min(first, at.width - lanes));
      fill(at, from, size, columns);
      const int lane = factorize(at.work, size, columns);
      if (lane >= 0) {
        const int interval = std::min(from + lane, at.width - 1);
        failed = failed < 0 ? interval : std::min(failed, interval);
        continue;
      }
      substitute(at.work, size, columns);
      give_out(at, from, size, columns);
    }
    return failed;
  }

  [[gnu::always_inline]] static inline void add(int n, int stages, int width, const double* nodes,
                                                const double* dx, double* dK) {
    for (int l = 0; l < stages; ++l) {
      for (int r = 0; r < n; ++r) {
        double* const out = dK + static_cast<std::ptrdiff_t>(r * stages + l) * width;
        const double* const row = nodes + static_cast<std::ptrdiff_t>((l * n + r) * n) * width;
        int i = 0;
        for (; i + lanes <= width; i += lanes) {
          Numbers sum = at(out + i);
          for (int c = 0; c < n; ++c) sum += at(row + c * width + i) * at(dx + c * width + i);
          at(out + i) = sum;
        }
        for (; i < width; ++i) {
          double sum = out[i];
          for (int c = 0; c < n; ++c) sum += row[c * width + i] * dx[c * width + i];
          out[i] = sum;
        }
      }
    }
  }

 private:
  [[gnu::always_inline]] static inline Numbers& at(double* where) {
    return *reinterpret_cast<Numbers*>(where);
  }
  [[gnu::always_inline]] static inline const Numbers& at(const double* where) {
    return *reinterpret_cast<const Numbers*>(where);
  }
  /// `lanes` numbers of a row from the one given on; of a row that is shorter its last again.
  [[gnu::always_inline]] static inline void load(const double* row, int from, int width,
                                                 Numbers& to) {
    if (width >= lanes) {
      to = at(row + from);
    } else {
      for (int e = 0; e < lanes; ++e) to[e] = row[std::min(e, width - 1)];
    }
  }
  [[gnu::always_inline]] static inline void store(const Numbers& from, double* row, int first,
                                                  int width) {
    if (width >= lanes) {
      at(row + first) = from;
    } else {
      for (int e = 0; e < width; ++e) row[e] = from[e];
    }
  }

  /// [I - h A (x) J | J | r].
  [[gnu::always_inline]] static inline void fill(const SlopePanels& of, int from, int size,
                                                 int columns) {
    const int n = of.n, k = of.stages, m = of.width;
    Numbers h = {};
    load(of.h, from, m, h);
    for (int j = 0; j < k; ++j) {
      for (int r = 0; r < n; ++r) {
        double* const row = of.work + static_cast<std::ptrdiff_t>(j * n + r) * columns * lanes;
        for (int c = 0; c < n; ++c) {
          Numbers J = {};
          load(of.J + static_cast<std::ptrdiff_t>((c * n + r) * k + j) * m, from, m, J);
          const Numbers scaled = -h * J;
          for (int l = 0; l < k; ++l) {
            at(row + (l * n + c) * lanes) = of.a[j * k + l] * scaled;
          }
          if (of.nodes != nullptr) at(row + (size + c) * lanes) = J;
        }
        at(row + (j * n + r) * lanes) += 1.0;
        Numbers right = {};
        load(of.r + static_cast<std::ptrdiff_t>(r * k + j) * m, from, m, right);
        at(row + (columns - 1) * lanes) = right;
      }
    }
  }

  /// In place, in blocks of four pivots: a row right of them is loaded and stored once for four
  /// multiplications. Diagonals are left inverted.
  /// @return the first lane whose pivot is zero or not finite; -1 for none.
  [[gnu::always_inline]] static inline int factorize(double* work, int size, int columns) {
    constexpr int block = 4;
    const std::ptrdiff_t stride = static_cast<std::ptrdiff_t>(columns) * lanes;
    for (int first = 0; first < size; first += block) {
      const int end = std::min(first + block, size);
      for (int j = first; j < end; ++j) {
        const int lost = pivot(work, size, columns, j);
        if (lost >= 0) return lost;
        double* const row = work + j * stride;
        const Numbers inverse = 1.0 / at(row + j * lanes);
        at(row + j * lanes) = inverse;
        for (int r = j + 1; r < size; ++r) {
          double* const below = work + r * stride;
          const Numbers factor = at(below + j * lanes) * inverse;
          at(below + j * lanes) = factor;
          for (int c = j + 1; c < end; ++c) at(below + c * lanes) -= factor * at(row + c * lanes);
        }
      }
      for (int j = first + 1; j < end; ++j) {
        subtract(work + j * stride, work + first * stride, stride, first, j - first, end, columns);
      }
      if (end == first + block) subtract_right(work, size, columns, first);
    }
    return -1;
  }

  /// row -= as many of the rows from `upper`, whose factors are in it from column `first`.
  [[gnu::always_inline]] static inline void subtract(double* row, const double* upper,
                                                     std::ptrdiff_t stride, int first, int count,
                                                     int begin, int columns) {
    for (int s = 0; s < count; ++s, upper += stride) {
      const Numbers factor = at(row + (first + s) * lanes);
      for (int c = begin; c < columns; ++c) at(row + c * lanes) -= factor * at(upper + c * lanes);
    }
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

  [[gnu::always_inline]] static inline void give_out(const SlopePanels& of, int from, int size,
                                                     int columns) {
    const int n = of.n, k = of.stages, m = of.width;
    const std::ptrdiff_t stride = static_cast<std::ptrdiff_t>(columns) * lanes;
    Numbers h = {};
    load(of.h, from, m, h);
    for (int r = 0; r < n; ++r) {
      Numbers sum = {};
      for (int l = 0; l < k; ++l) {
        const Numbers& y = at(of.work + (l * n + r) * stride + (columns - 1) * lanes);
        store(y, of.y + static_cast<std::ptrdiff_t>(r * k + l) * m, from, m);
        sum += of.b[l] * y;
      }
      const Numbers end = h * sum;
      store(end, of.end + static_cast<std::ptrdiff_t>(r) * m, from, m);
      if (of.nodes == nullptr) continue;
      for (int c = 0; c < n; ++c) {
        Numbers moved = {};
        for (int l = 0; l < k; ++l) {
          const int row = l * n + r;
          const Numbers& entry = at(of.work + row * stride + (size + c) * lanes);
          store(entry, of.nodes + static_cast<std::ptrdiff_t>(row * n + c) * m, from, m);
          moved += of.b[l] * entry;
        }
        moved *= h;
        const int count = std::min(lanes, m);
        double* const block = of.of_node + static_cast<std::ptrdiff_t>(from) * n * n + r * n + c;
        for (int e = 0; e < count; ++e) block[static_cast<std::ptrdiff_t>(e) * n * n] = moved[e];
      }
    }
  }
};

#if defined(__x86_64__)
[[gnu::target("avx2,fma")]] int eliminate_avx2(const SlopePanels& at) {
  return SlopeKernel<4>::eliminate(at);
}
[[gnu::target("avx2,fma")]] void add_avx2(int n, int stages, int width, const double* nodes,
                                          const double* dx, double* dK) {
  SlopeKernel<4>::add(n, stages, width, nodes, dx, dK);
}

bool has_avx2() {
  static const bool has = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  return has;
}
#endif

}  // namespace

int slope_work(int n, int stages) {
  const int size = n * stages;
  return size * (size + n + 1) * most_lanes;
}

int eliminate_slopes(const SlopePanels& at) {
#if defined(__x86_64__)
  if (has_avx2()) return eliminate_avx2(at);
#endif
  return SlopeKernel<2>::eliminate(at);
}

void add_of_node(int n, int stages, int width, const double* nodes, const double* dx, double* dK) {
#if defined(__x86_64__)
  if (has_avx2()) return add_avx2(n, stages, width, nodes, dx, dK);
#endif
  SlopeKernel<2>::add(n, stages, width, nodes, dx, dK);
}

}  // namespace daewave::bvp
