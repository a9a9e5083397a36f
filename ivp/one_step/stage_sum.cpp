#include "ivp/one_step/stage_sum.hpp"

#include <array>
#include <cassert>
#include <cstddef>
#include <cstring>
#include <utility>

#include "core/machine/has_vectors.hpp"

namespace daewave::ivp {

namespace {

using Two [[gnu::vector_size(16)]] = double;
using Four [[gnu::vector_size(32)]] = double;

// Numbers go by reference: as values, registers of four would be passed in different ways by what
// is compiled with and without them.

template <class Numbers>
[[gnu::always_inline]] inline void load(const double* from, Numbers& numbers) {
  std::memcpy(&numbers, from, sizeof numbers);
}

/// What has just been stored by twos is at hand at once where it is read by twos.
template <class Numbers>
[[gnu::always_inline]] inline void load_newest(const double* from, Numbers& numbers) {
  if constexpr (sizeof(Numbers) == sizeof(Four)) {
    Two first, second;
    load(from, first);
    load(from + 2, second);
    numbers = __builtin_shufflevector(first, second, 0, 1, 2, 3);
  } else {
    load(from, numbers);
  }
}

/// sum += a k, or for the first term sum = a k.
template <bool first, class Numbers>
[[gnu::always_inline]] inline void add(double a, const double* k, Numbers& sum) {
  Numbers numbers;
  load(k, numbers);
  if constexpr (first) {
    sum = a * numbers;
  } else {
    sum += a * numbers;
  }
}

/// All that is known before the newest stage: in two chains, as one would be long.
template <class Numbers, std::size_t... i>
[[gnu::always_inline]] inline void sum_terms(std::index_sequence<i...>, const double* a,
                                             const double* const* k, int at, Numbers& sum) {
  Numbers chain[2];
  (add<(i < 2)>(a[i], k[i] + at, chain[i % 2]), ...);
  sum = chain[0];
  if constexpr (sizeof...(i) > 1) sum += chain[1];
}

/// With the number of terms known, one pass over the state sums over all of them.
template <class Numbers, std::size_t terms, bool alone>
[[gnu::always_inline]] inline void sum_at(int i, const double* z, double h, const double* a,
                                          const double* const* k, double* out) {
  Numbers newest, sum;
  load_newest(k[terms - 1] + i, newest);
  if constexpr (terms > 1) {
    sum_terms(std::make_index_sequence<terms - 1>(), a, k, i, sum);
    sum *= h;
  }
  if constexpr (!alone) {
    Numbers begin;
    load(z + i, begin);
    if constexpr (terms > 1) {
      sum += begin;
    } else {
      sum = begin;
    }
  }
  if constexpr (alone && terms == 1) {
    sum = (h * a[0]) * newest;
  } else {
    sum += (h * a[terms - 1]) * newest;
  }
  std::memcpy(out + i, &sum, sizeof sum);
}

template <std::size_t terms, bool alone>
[[gnu::always_inline]] inline void sum(const double* z, double h, const double* a,
                                       const double* const* k, int n, double* out) {
  int i = 0;
  for (; i + 4 <= n; i += 4) sum_at<Four, terms, alone>(i, z, h, a, k, out);
  if ((n & 2) != 0) {
    sum_at<Two, terms, alone>(i, z, h, a, k, out);
    i += 2;
  }
  if ((n & 1) != 0) sum_at<double, terms, alone>(i, z, h, a, k, out);
}

template <std::size_t terms, bool alone>
void for_any(const double* z, double h, const double* a, const double* const* k, int n,
             double* out) {
  sum<terms, alone>(z, h, a, k, n, out);
}

#if defined(__x86_64__)
template <std::size_t terms, bool alone>
[[gnu::target("avx2,fma")]] void for_avx2(const double* z, double h, const double* a,
                                          const double* const* k, int n, double* out) {
  sum<terms, alone>(z, h, a, k, n, out);
}
#else
template <std::size_t terms, bool alone>
constexpr StageSum for_avx2 = for_any<terms, alone>;
#endif

using Sums = std::array<StageSum, static_cast<std::size_t>(most_stages)>;

template <bool alone, std::size_t... before_last>
Sums sums(std::index_sequence<before_last...>) {
  if (has_avx2()) return {for_avx2<before_last + 1, alone>...};
  return {for_any<before_last + 1, alone>...};
}

template <bool alone>
StageSum sum_of(int terms) {
  assert(terms >= 1 && terms <= most_stages);
  static const Sums best = sums<alone>(std::make_index_sequence<most_stages>());
  return best[static_cast<std::size_t>(terms - 1)];
}

}  // namespace

StageSum stage_sum(int terms) { return sum_of<false>(terms); }
StageSum stage_sum_alone(int terms) { return sum_of<true>(terms); }

}  // namespace daewave::ivp
