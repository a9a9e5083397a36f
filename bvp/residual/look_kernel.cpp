#include "bvp/residual/look_kernel.hpp"

#include <cmath>

#include "core/machine/has_vectors.hpp"

namespace daewave::bvp {
namespace {

/// add_up() makes lanes the sums of those up to them.
template <int lanes>
struct Register {};
template <>
struct Register<2> {
  typedef double Numbers __attribute__((vector_size(16), may_alias, aligned(8)));
  [[gnu::always_inline]] static inline void add_up(Numbers& x) {
    x += __builtin_shufflevector(x, Numbers{}, 2, 0);
  }
};
template <>
struct Register<4> {
  typedef double Numbers __attribute__((vector_size(32), may_alias, aligned(8)));
  [[gnu::always_inline]] static inline void add_up(Numbers& x) {
    x += __builtin_shufflevector(x, Numbers{}, 4, 0, 1, 2);
    x += __builtin_shufflevector(x, Numbers{}, 4, 4, 0, 1);
  }
};

template <>
struct Register<8> {
  typedef double Numbers __attribute__((vector_size(64), may_alias, aligned(8)));
  [[gnu::always_inline]] static inline void add_up(Numbers& x) {
    x += __builtin_shufflevector(x, Numbers{}, 8, 0, 1, 2, 3, 4, 5, 6);
    x += __builtin_shufflevector(x, Numbers{}, 8, 8, 0, 1, 2, 3, 4, 5);
    x += __builtin_shufflevector(x, Numbers{}, 8, 8, 8, 8, 0, 1, 2, 3);
  }
};

/// Points in steps of `lanes`, the last ones one by one. No function gives out a register: how
/// depends on the instruction set.
template <int lanes>
class LookKernel {
  using Numbers = typename Register<lanes>::Numbers;

 public:
  [[gnu::always_inline]] static inline RowMeasure measure(const ResidualRow& row,
                                                          const double* parts) {
    Numbers largest{}, sum{}, most{};
    double reached = 0;
    int p = 0;
    for (; p + lanes <= row.points; p += lanes) {
      Numbers here;
      beyond(row, p, here);
      const Numbers alone = at(parts + p) * here;
      largest = here > largest ? here : largest;
      sum += alone;
      Numbers from_left = at(row.values + p) > 0 ? alone : -alone;
      Register<lanes>::add_up(from_left);
      from_left += reached;
      reached = from_left[lanes - 1];
      const Numbers size = from_left < 0 ? -from_left : from_left;
      most = size > most ? size : most;
    }
    RowMeasure all;
    for (int l = 0; l < lanes; ++l) {
      all.largest = largest[l] > all.largest ? largest[l] : all.largest;
      all.most = most[l] > all.most ? most[l] : all.most;
      all.sum += sum[l];
    }
    for (; p < row.points; ++p) {
      const double here = one_beyond(row, p), alone = parts[p] * here;
      all.largest = here > all.largest ? here : all.largest;
      all.sum += alone;
      reached += row.values[p] > 0 ? alone : -alone;
      all.most = std::abs(reached) > all.most ? std::abs(reached) : all.most;
    }
    return all;
  }

  [[gnu::always_inline]] static inline double largest(const ResidualRow& row) {
    Numbers most{};
    int p = 0;
    for (; p + lanes <= row.points; p += lanes) {
      Numbers here;
      beyond(row, p, here);
      most = here > most ? here : most;
    }
    double all = 0;
    for (int l = 0; l < lanes; ++l) all = most[l] > all ? most[l] : all;
    for (; p < row.points; ++p) {
      const double here = one_beyond(row, p);
      all = here > all ? here : all;
    }
    return all;
  }

  [[gnu::always_inline]] static inline void forget(const ResidualRow& row) {
    int p = 0;
    for (; p + lanes <= row.points; p += lanes) {
      const Numbers value = at(row.values + p);
      at(row.values + p) = value == value ? value : Numbers{};
    }
    for (; p < row.points; ++p) row.values[p] = std::isnan(row.values[p]) ? 0 : row.values[p];
  }

  [[gnu::always_inline]] static inline void smooth(const ResidualRow& row, const double* fit,
                                                   const double* smooth) {
    Numbers first{}, second{};
    int p = 0;
    for (; p + lanes <= row.points; p += lanes) {
      const Numbers value = at(row.values + p);
      first += at(fit + p) * value;
      second += at(fit + row.points + p) * value;
    }
    double one = 0, two = 0;
    for (int l = 0; l < lanes; ++l) {
      one += first[l];
      two += second[l];
    }
    for (; p < row.points; ++p) {
      one += fit[p] * row.values[p];
      two += fit[row.points + p] * row.values[p];
    }
    for (p = 0; p + lanes <= row.points; p += lanes) {
      at(row.values + p) -= one * at(smooth + p) + two * at(smooth + row.points + p);
    }
    for (; p < row.points; ++p) {
      row.values[p] -= one * smooth[p] + two * smooth[row.points + p];
    }
  }

  [[gnu::always_inline]] static inline double bound(const ResidualRow& row, const double* gaps,
                                                    double* memory) {
    memory[0] = memory[row.points + 1] = 0;
    int p = 0;
    for (; p + lanes <= row.points; p += lanes) beyond(row, p, at(memory + 1 + p));
    for (; p < row.points; ++p) memory[1 + p] = one_beyond(row, p);
    Numbers sum{};
    for (p = 0; p + lanes <= row.points + 1; p += lanes) {
      const Numbers left = at(memory + p), right = at(memory + p + 1);
      sum += at(gaps + p) * (left > right ? left : right);
    }
    double all = 0;
    for (int l = 0; l < lanes; ++l) all += sum[l];
    for (; p <= row.points; ++p) {
      all += gaps[p] * (memory[p] > memory[p + 1] ? memory[p] : memory[p + 1]);
    }
    return all;
  }

 private:
  [[gnu::always_inline]] static inline Numbers& at(double* where) {
    return *reinterpret_cast<Numbers*>(where);
  }
  [[gnu::always_inline]] static inline const Numbers& at(const double* where) {
    return *reinterpret_cast<const Numbers*>(where);
  }
  /// 0 where all is rounding, and where it is not known.
  [[gnu::always_inline]] static inline void beyond(const ResidualRow& row, int p, Numbers& here) {
    const Numbers value = at(row.values + p);
    const Numbers left = (value < 0 ? -value : value) - row.rounding * at(row.sizes + p);
    here = left > 0 ? left : Numbers{};
  }
  [[gnu::always_inline]] static inline double one_beyond(const ResidualRow& row, int p) {
    const double here = std::abs(row.values[p]) - row.rounding * row.sizes[p];
    return here > 0 ? here : 0;
  }
};

#if defined(__x86_64__)
[[gnu::target("avx2,fma")]] RowMeasure measure_avx2(const ResidualRow& row, const double* parts) {
  return LookKernel<4>::measure(row, parts);
}
[[gnu::target("avx2,fma")]] double largest_avx2(const ResidualRow& row) {
  return LookKernel<4>::largest(row);
}
[[gnu::target("avx2,fma")]] void smooth_avx2(const ResidualRow& row, const double* fit,
                                             const double* smooth) {
  LookKernel<4>::smooth(row, fit, smooth);
}
[[gnu::target("avx2,fma")]] void forget_avx2(const ResidualRow& row) { LookKernel<4>::forget(row); }
[[gnu::target("avx2,fma")]] double bound_avx2(const ResidualRow& row, const double* gaps,
                                              double* memory) {
  return LookKernel<4>::bound(row, gaps, memory);
}

[[gnu::target("avx512f,avx512dq,avx512vl,fma")]] RowMeasure measure_avx512(const ResidualRow& row,
                                                                           const double* parts) {
  return LookKernel<8>::measure(row, parts);
}
[[gnu::target("avx512f,avx512dq,avx512vl,fma")]] double largest_avx512(const ResidualRow& row) {
  return LookKernel<8>::largest(row);
}
[[gnu::target("avx512f,avx512dq,avx512vl,fma")]] void smooth_avx512(const ResidualRow& row,
                                                                    const double* fit,
                                                                    const double* smooth) {
  LookKernel<8>::smooth(row, fit, smooth);
}
[[gnu::target("avx512f,avx512dq,avx512vl,fma")]] void forget_avx512(const ResidualRow& row) {
  LookKernel<8>::forget(row);
}
[[gnu::target("avx512f,avx512dq,avx512vl,fma")]] double bound_avx512(const ResidualRow& row,
                                                                     const double* gaps,
                                                                     double* memory) {
  return LookKernel<8>::bound(row, gaps, memory);
}
#endif

}  // namespace

RowMeasure measure_row(const ResidualRow& row, const double* parts) {
#if defined(__x86_64__)
  if (has_avx512()) return measure_avx512(row, parts);
  if (has_avx2()) return measure_avx2(row, parts);
#endif
  return LookKernel<2>::measure(row, parts);
}

double largest_of_row(const ResidualRow& row) {
#if defined(__x86_64__)
  if (has_avx512()) return largest_avx512(row);
  if (has_avx2()) return largest_avx2(row);
#endif
  return LookKernel<2>::largest(row);
}

void take_smooth(const ResidualRow& row, const double* fit, const double* smooth) {
#if defined(__x86_64__)
  if (has_avx512()) return smooth_avx512(row, fit, smooth);
  if (has_avx2()) return smooth_avx2(row, fit, smooth);
#endif
  LookKernel<2>::smooth(row, fit, smooth);
}

void forget_unknown(const ResidualRow& row) {
#if defined(__x86_64__)
  if (has_avx512()) return forget_avx512(row);
  if (has_avx2()) return forget_avx2(row);
#endif
  LookKernel<2>::forget(row);
}

double bound_of_integral(const ResidualRow& row, const double* gaps, double* memory) {
#if defined(__x86_64__)
  if (has_avx512()) return bound_avx512(row, gaps, memory);
  if (has_avx2()) return bound_avx2(row, gaps, memory);
#endif
  return LookKernel<2>::bound(row, gaps, memory);
}

}  // namespace daewave::bvp
