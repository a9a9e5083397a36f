#include "bvp/curve/point_kernel.hpp"

#include <algorithm>

#include "core/machine/has_vectors.hpp"

namespace daewave::bvp {
namespace {

constexpr int most_polynomials = 10;

template <int lanes>
class PointKernel {
  typedef double Numbers __attribute__((vector_size(8 * lanes), may_alias, aligned(8)));

 public:
  [[gnu::always_inline]] static inline void lagrange(const PolynomialPoints& of, const double* c,
                                                     const double* scales) {
    const int k = of.k;
    const std::ptrdiff_t m = of.points;
    each(
        of.points, [&](int p) __attribute__((always_inline)) {
          Numbers apart[most_polynomials], product = at(of.theta + p) * 0 + 1;
          double* const found = of.found + p;
          for (int l = 0; l < k; ++l) {
            apart[l] = at(of.theta + p) - c[l];
            at(found + l * m) = scales[l] * product;
            product *= apart[l];
          }
          product = apart[k - 1];
          for (int l = k - 1; l-- > 0;) {
            at(found + l * m) *= product;
            product *= apart[l];
          }
        });
  }

  [[gnu::always_inline]] static inline void horner(const PolynomialPoints& of,
                                                   const double* coefficients) {
    const int k = of.k;
    const std::ptrdiff_t m = of.points;
    each(
        of.points, [&](int p) __attribute__((always_inline)) {
          const Numbers s = 2 * at(of.theta + p) - 1;
          for (int l = 0; l < k; ++l) {
            Numbers sum = s * coefficients[l + k * k] + coefficients[l + (k - 1) * k];
            for (int j = k - 1; j-- > 0;) sum = s * sum + coefficients[l + j * k];
            at(of.found + p + l * m) = sum;
          }
        });
  }

  [[gnu::always_inline]] static inline void weigh(const double* values, std::ptrdiff_t stride,
                                                  int points, int k, const double* weights,
                                                  double first, double* sums) {
    each(
        points, [&](int p) __attribute__((always_inline)) {
          Numbers sum = weights[0] * at(values + p);
          for (int l = 1; l < k; ++l) sum += weights[l] * at(values + l * stride + p);
          at(sums + p) = sum + first;  // Last: what is small is not rounded with it.
        });
  }

  [[gnu::always_inline]] static inline void map(const double* factors, int n, const double* rows,
                                                int points, double* sums) {
    each(
        points, [&](int p) __attribute__((always_inline)) {
          for (int i = 0; i < n; ++i) {
            Numbers sum = factors[i] * at(rows + p);
            for (std::ptrdiff_t j = 1; j < n; ++j)
              sum += factors[j * n + i] * at(rows + j * points + p);
            at(sums + static_cast<std::ptrdiff_t>(i) * points + p) = sum;
          }
        });
  }

  [[gnu::always_inline]] static inline void subtract(const double* a, const double* b, int points,
                                                     double* value, double* size) {
    each(
        points, [&](int p) __attribute__((always_inline)) {
          const Numbers left = at(a + p), right = at(b + p);
          at(value + p) = left - right;
          at(size + p) = (left < 0 ? -left : left) + (right < 0 ? -right : right);
        });
  }

  template <bool adds>
  [[gnu::always_inline]] static inline void columns(const double* from, std::ptrdiff_t rows,
                                                    std::ptrdiff_t count, const double* weights,
                                                    std::ptrdiff_t stride, double* sums) {
    std::ptrdiff_t i = 0;
    for (; i + lanes <= rows; i += lanes) {
      Numbers sum{};
      for (std::ptrdiff_t j = 0; j < count; ++j)
        sum += weights[j * stride] * at(from + j * rows + i);
      at(sums + i) = adds ? at(sums + i) + sum : sum;
    }
    for (; i < rows; ++i) {
      double sum = 0;
      for (std::ptrdiff_t j = 0; j < count; ++j) sum += weights[j * stride] * from[j * rows + i];
      sums[i] = adds ? sums[i] + sum : sum;
    }
  }

 private:
  [[gnu::always_inline]] static inline Numbers& at(double* where) {
    return *reinterpret_cast<Numbers*>(where);
  }
  [[gnu::always_inline]] static inline const Numbers& at(const double* where) {
    return *reinterpret_cast<const Numbers*>(where);
  }
  /// The last points are some of those before once more: of as many there are as many bits.
  template <class Body>
  [[gnu::always_inline]] static inline void each(int points, Body body) {
    int p = 0;
    for (; p + lanes <= points; p += lanes) body(p);
    if (p < points) body(points - lanes);
  }
};

#if defined(__x86_64__)
[[gnu::target("avx2,fma")]] void lagrange_avx2(const PolynomialPoints& at, const double* c,
                                               const double* scales) {
  if (at.points >= 4) return PointKernel<4>::lagrange(at, c, scales);
  PointKernel<1>::lagrange(at, c, scales);
}
[[gnu::target("avx2,fma")]] void horner_avx2(const PolynomialPoints& at,
                                             const double* coefficients) {
  if (at.points >= 4) return PointKernel<4>::horner(at, coefficients);
  PointKernel<1>::horner(at, coefficients);
}
[[gnu::target("avx2,fma")]] void weigh_avx2(const double* values, std::ptrdiff_t stride, int points,
                                            int k, const double* weights, double first,
                                            double* sums) {
  if (points >= 4) return PointKernel<4>::weigh(values, stride, points, k, weights, first, sums);
  PointKernel<1>::weigh(values, stride, points, k, weights, first, sums);
}
[[gnu::target("avx2,fma")]] void map_avx2(const double* factors, int n, const double* rows,
                                          int points, double* sums) {
  if (points >= 4) return PointKernel<4>::map(factors, n, rows, points, sums);
  PointKernel<1>::map(factors, n, rows, points, sums);
}
[[gnu::target("avx2,fma")]] void subtract_avx2(const double* a, const double* b, int points,
                                               double* value, double* size) {
  if (points >= 4) return PointKernel<4>::subtract(a, b, points, value, size);
  PointKernel<1>::subtract(a, b, points, value, size);
}

[[gnu::target("avx512f,avx512dq,avx512vl,fma")]] void lagrange_avx512(const PolynomialPoints& at,
                                                                      const double* c,
                                                                      const double* scales) {
  PointKernel<8>::lagrange(at, c, scales);
}
[[gnu::target("avx512f,avx512dq,avx512vl,fma")]] void horner_avx512(const PolynomialPoints& at,
                                                                    const double* coefficients) {
  PointKernel<8>::horner(at, coefficients);
}
[[gnu::target("avx512f,avx512dq,avx512vl,fma")]] void weigh_avx512(const double* values,
                                                                   std::ptrdiff_t stride,
                                                                   int points, int k,
                                                                   const double* weights,
                                                                   double first, double* sums) {
  PointKernel<8>::weigh(values, stride, points, k, weights, first, sums);
}
[[gnu::target("avx512f,avx512dq,avx512vl,fma")]] void map_avx512(const double* factors, int n,
                                                                 const double* rows, int points,
                                                                 double* sums) {
  PointKernel<8>::map(factors, n, rows, points, sums);
}

bool fill_eight(int points) { return points >= 8 && has_avx512(); }
#endif

}  // namespace

void lagrange_values(const PolynomialPoints& at, const double* c, const double* scales) {
#if defined(__x86_64__)
  if (fill_eight(at.points)) return lagrange_avx512(at, c, scales);
  if (has_avx2()) return lagrange_avx2(at, c, scales);
#endif
  if (at.points >= 2) return PointKernel<2>::lagrange(at, c, scales);
  PointKernel<1>::lagrange(at, c, scales);
}

void polynomial_values(const PolynomialPoints& at, const double* coefficients) {
#if defined(__x86_64__)
  if (fill_eight(at.points)) return horner_avx512(at, coefficients);
  if (has_avx2()) return horner_avx2(at, coefficients);
#endif
  if (at.points >= 2) return PointKernel<2>::horner(at, coefficients);
  PointKernel<1>::horner(at, coefficients);
}

void weigh_at_points(const double* values, std::ptrdiff_t stride, int points, int k,
                     const double* weights, double first, double* sums) {
#if defined(__x86_64__)
  if (fill_eight(points)) return weigh_avx512(values, stride, points, k, weights, first, sums);
  if (has_avx2()) return weigh_avx2(values, stride, points, k, weights, first, sums);
#endif
  if (points >= 2) {
    return PointKernel<2>::weigh(values, stride, points, k, weights, first, sums);
  }
  PointKernel<1>::weigh(values, stride, points, k, weights, first, sums);
}

void map_at_points(const double* factors, int n, const double* rows, int points, double* sums) {
#if defined(__x86_64__)
  if (fill_eight(points)) return map_avx512(factors, n, rows, points, sums);
  if (has_avx2()) return map_avx2(factors, n, rows, points, sums);
#endif
  if (points >= 2) return PointKernel<2>::map(factors, n, rows, points, sums);
  PointKernel<1>::map(factors, n, rows, points, sums);
}

void subtract_at_points(const double* a, const double* b, int points, double* value, double* size) {
#if defined(__x86_64__)
  if (has_avx2()) return subtract_avx2(a, b, points, value, size);
#endif
  if (points >= 2) return PointKernel<2>::subtract(a, b, points, value, size);
  PointKernel<1>::subtract(a, b, points, value, size);
}

void weigh_columns(const double* columns, std::ptrdiff_t rows, std::ptrdiff_t count,
                   const double* weights, std::ptrdiff_t stride, double* sums) {
  PointKernel<2>::columns<false>(columns, rows, count, weights, stride, sums);
}
void add_columns(const double* columns, std::ptrdiff_t rows, std::ptrdiff_t count,
                 const double* weights, std::ptrdiff_t stride, double* sums) {
  PointKernel<2>::columns<true>(columns, rows, count, weights, stride, sums);
}

}  // namespace daewave::bvp
