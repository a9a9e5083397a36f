#include "bvp/equations/rows_of_values.hpp"

#include "core/machine/has_vectors.hpp"

namespace daewave::bvp {
namespace {

template <int lanes>
class RowsKernel {
  typedef double Numbers __attribute__((vector_size(8 * lanes), may_alias, aligned(8)));

 public:
  [[gnu::always_inline]] static inline bool copy(const RowsOfValues& from, int rows, int points,
                                                 std::ptrdiff_t stride, double* to) {
    Finite finite;
    for (int i = 0; i < rows; ++i, to += stride) {
      const double* const values = from.values + i * from.stride;
      int p = 0;
      for (; p + lanes <= points; p += lanes) at(to + p) = finite.see(at(values + p));
      for (; p < points; ++p) to[p] = finite.see_one(values[p]);
    }
    return finite.all();
  }

  [[gnu::always_inline]] static inline bool divide(const RowsOfValues& moved, const double* base,
                                                   const double* taken, int rows, int points,
                                                   std::ptrdiff_t stride, double* column) {
    Finite finite;
    for (int i = 0; i < rows; ++i, base += stride, column += stride) {
      const double* const values = moved.values + i * moved.stride;
      int p = 0;
      for (; p + lanes <= points; p += lanes) {
        at(column + p) = (finite.see(at(values + p)) - at(base + p)) / at(taken + p);
      }
      for (; p < points; ++p) column[p] = (finite.see_one(values[p]) - base[p]) / taken[p];
    }
    return finite.all();
  }

 private:
  /// Of numbers that are all finite the sum times zero is zero.
  struct Finite {
    Numbers many{};
    double one = 0;

    [[gnu::always_inline]] inline const Numbers& see(const Numbers& numbers) {
      many += numbers * 0;
      return numbers;
    }
    [[gnu::always_inline]] inline double see_one(double number) {
      one += number * 0;
      return number;
    }
    [[gnu::always_inline]] inline bool all() const {
      double sum = one, parts[lanes];
      at(parts) = many;
      for (const double part : parts) sum += part;
      return sum == 0;
    }
  };

  [[gnu::always_inline]] static inline const Numbers& at(const double* where) {
    return *reinterpret_cast<const Numbers*>(where);
  }
  [[gnu::always_inline]] static inline Numbers& at(double* where) {
    return *reinterpret_cast<Numbers*>(where);
  }
};

#if defined(__x86_64__)
[[gnu::target("avx2,fma")]] bool copy_avx2(const RowsOfValues& from, int rows, int points,
                                           std::ptrdiff_t stride, double* to) {
  return RowsKernel<4>::copy(from, rows, points, stride, to);
}
[[gnu::target("avx2,fma")]] bool divide_avx2(const RowsOfValues& moved, const double* base,
                                             const double* taken, int rows, int points,
                                             std::ptrdiff_t stride, double* column) {
  return RowsKernel<4>::divide(moved, base, taken, rows, points, stride, column);
}
#endif

}  // namespace

bool copy_values(const RowsOfValues& from, int rows, int points, std::ptrdiff_t stride,
                 double* to) {
#if defined(__x86_64__)
  if (has_avx2()) return copy_avx2(from, rows, points, stride, to);
#endif
  return RowsKernel<2>::copy(from, rows, points, stride, to);
}

bool divide_differences(const RowsOfValues& moved, const double* base, const double* taken,
                        int rows, int points, std::ptrdiff_t stride, double* column) {
#if defined(__x86_64__)
  if (has_avx2()) return divide_avx2(moved, base, taken, rows, points, stride, column);
#endif
  return RowsKernel<2>::divide(moved, base, taken, rows, points, stride, column);
}

}  // namespace daewave::bvp
