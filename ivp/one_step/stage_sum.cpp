#include "ivp/one_step/stage_sum.hpp"

#include <array>
#include <cstddef>
#include <utility>

namespace daewave::ivp {

namespace {

/// With the number of terms known, the compiler sums over all stages in one pass over the state.
template <std::size_t... before_last>
[[gnu::always_inline]] inline void sum_of(std::index_sequence<before_last...>, const double* z,
                                          double h, const Combination& row,
                                          const double* const* stages, int n,
                                          double* __restrict out) {
  constexpr std::size_t last = sizeof...(before_last);
  const double* const newest = stages[last];
  const double newest_factor = h * row.coefficient[last];
  if constexpr (last == 0) {
    for (int i = 0; i < n; ++i) out[i] = z[i] + newest_factor * newest[i];
  } else {
    const std::array<const double*, last> k{stages[before_last]...};
    const std::array<double, last> a{row.coefficient[before_last]...};
    for (int i = 0; i < n; ++i) {
      const double sum = (... + (a[before_last] * k[before_last][i]));
      out[i] = (z[i] + h * sum) + newest_factor * newest[i];
    }
  }
}

template <std::size_t count>
[[gnu::always_inline]] inline void sum_from(const double* z, double h, const Combination& row,
                                            const double* const* k, int n, double* out) {
  if (row.count == static_cast<int>(count)) {
    return sum_of(std::make_index_sequence<count - 1>(), z, h, row, k, n, out);
  }
  if constexpr (count < most_stages) sum_from<count + 1>(z, h, row, k, n, out);
}

void for_any(const double* z, double h, const Combination& row, const double* const* k, int n,
             double* out) {
  sum_from<1>(z, h, row, k, n, out);
}

#if defined(__x86_64__)
[[gnu::target("avx2,fma")]] void for_avx2(const double* z, double h, const Combination& row,
                                          const double* const* k, int n, double* out) {
  sum_from<1>(z, h, row, k, n, out);
}
bool has_avx2() { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"); }
#else
constexpr auto for_avx2 = for_any;
bool has_avx2() { return false; }
#endif

}  // namespace

StageSum stage_sum() {
  static const StageSum best = has_avx2() ? for_avx2 : for_any;
  return best;
}

}  // namespace daewave::ivp
