#include "bvp/newton/stage_kernel.hpp"

#include <cstddef>

#include "bvp/slopes/lu_in_lanes.hpp"
#include "core/machine/has_vectors.hpp"

namespace daewave::bvp {
namespace {

constexpr int most_stages = 8;

template <int lanes>
class StageKernel {
 public:
  [[gnu::always_inline]] static inline void add_up(const StageSums& of) {
    switch (of.stages) {
      case 2:
        return add_up_of<2>(of);
      case 3:
        return add_up_of<3>(of);
      case 4:
        return add_up_of<4>(of);
      default:
        return add_up_of<0>(of);
    }
  }

  [[gnu::always_inline]] static inline void residuals(const double* F, const double* K, double part,
                                                      int count, double* right) {
    int e = 0;
    for (; e + lanes <= count; e += lanes)
      at<lanes>(right + e) = part * (at<lanes>(F + e) - at<lanes>(K + e));
    for (; e < count; ++e) right[e] = part * (F[e] - K[e]);
  }

  [[gnu::always_inline]] static inline void squares(const double* d, const double* e, double part,
                                                    double factor, int rows, int width,
                                                    double* sums) {
    int i = 0;
    for (; i + lanes <= width; i += lanes)
      squares_at<lanes>(d + i, e + i, part, factor, rows, width, sums + i);
    for (; i < width; ++i) squares_at<1>(d + i, e + i, part, factor, rows, width, sums + i);
  }

 private:
  template <int some>
  using Numbers = typename Registers<some>::Numbers;
  template <int some>
  [[gnu::always_inline]] static inline Numbers<some>& at(double* where) {
    return Registers<some>::at(where);
  }
  template <int some>
  [[gnu::always_inline]] static inline const Numbers<some>& at(const double* where) {
    return Registers<some>::at(where);
  }

  /// @tparam fixed  number of stages; 0: any.
  template <int fixed>
  [[gnu::always_inline]] static inline void add_up_of(const StageSums& of) {
    const int m = of.width, k = fixed > 0 ? fixed : of.stages;
    for (int r = 0; r < of.n; ++r) {
      const std::ptrdiff_t rows = static_cast<std::ptrdiff_t>(r) * k * m;
      const double* const x = of.x + static_cast<std::ptrdiff_t>(r) * (m + 1);
      double* const off = of.off + static_cast<std::ptrdiff_t>(r) * m;
      int i = 0;
      for (; i + lanes <= m; i += lanes) {
        add_up_at<fixed, lanes>(of, of.K + rows + i, x + i, of.h + i, of.X + rows + i, off + i);
      }
      for (; i < m; ++i) {
        add_up_at<fixed, 1>(of, of.K + rows + i, x + i, of.h + i, of.X + rows + i, off + i);
      }
    }
  }

  template <int fixed, int some>
  [[gnu::always_inline]] static inline void add_up_at(const StageSums& of, const double* K,
                                                      const double* x, const double* h, double* X,
                                                      double* off) {
    const std::ptrdiff_t m = of.width;
    const int k = fixed > 0 ? fixed : of.stages;
    const Numbers<some> begin = at<some>(x), step = at<some>(h);
    // They are read once: what is written might be among them, as far as the compiler knows.
    Numbers<some> rates[fixed > 0 ? fixed : most_stages] = {};
    for (int l = 0; l < k; ++l) rates[l] = at<some>(K + l * m);
    for (int j = 0; j <= k; ++j) {
      const double* const weights = j < k ? of.a + j * k : of.b;
      Numbers<some> sum = weights[0] * rates[0];
      for (int l = 1; l < k; ++l) sum += weights[l] * rates[l];
      sum = begin + step * sum;
      if (j < k) {
        at<some>(X + j * m) = sum;
      } else {
        at<some>(off) = sum - at<some>(x + 1);
      }
    }
  }

  template <int some>
  [[gnu::always_inline]] static inline void squares_at(const double* d, const double* e,
                                                       double part, double factor, int rows,
                                                       std::ptrdiff_t width, double* sums) {
    Numbers<some> sum = at<some>(sums);
    for (std::ptrdiff_t l = 0; l < rows; ++l) {
      const Numbers<some> one = factor * (at<some>(d + l * width) - part * at<some>(e + l * width));
      sum += one * one;
    }
    at<some>(sums) = sum;
  }
};

#if defined(__x86_64__)
[[gnu::target("avx2,fma")]] void add_up_avx2(const StageSums& of) { StageKernel<4>::add_up(of); }
[[gnu::target("avx2,fma")]] void residuals_avx2(const double* F, const double* K, double part,
                                                int count, double* right) {
  StageKernel<4>::residuals(F, K, part, count, right);
}
[[gnu::target("avx2,fma")]] void squares_avx2(const double* d, const double* e, double part,
                                              double factor, int rows, int width, double* sums) {
  StageKernel<4>::squares(d, e, part, factor, rows, width, sums);
}
#endif

}  // namespace

// What is done is little beside what is fetched for it: longer vectors would gain nothing.

void add_up_stages(const StageSums& of) {
#if defined(__x86_64__)
  if (has_avx2()) return add_up_avx2(of);
#endif
  StageKernel<2>::add_up(of);
}

void slope_residuals(const double* F, const double* K, double part, int count, double* right) {
#if defined(__x86_64__)
  if (has_avx2()) return residuals_avx2(F, K, part, count, right);
#endif
  StageKernel<2>::residuals(F, K, part, count, right);
}

void add_squares(const double* d, const double* e, double part, double factor, int rows, int width,
                 double* sums) {
#if defined(__x86_64__)
  if (has_avx2()) return squares_avx2(d, e, part, factor, rows, width, sums);
#endif
  StageKernel<2>::squares(d, e, part, factor, rows, width, sums);
}

}  // namespace daewave::bvp
