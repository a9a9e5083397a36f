#pragma once
// Registers of 2, 4 and 8 numbers, and what of them differs from one instruction set to another:
// vector extensions of the compiler, and intrinsics only where it cannot know better. Where nothing
// wider than SSE2 was asked for no header of intrinsics is read: it takes a third of a second.

#include <cmath>
#include <cstdint>
#if defined(__AVX__)
#include <immintrin.h>
#endif

#include "core/lanes/instruction_set.hpp"

namespace daewave::detail {

template <int n>
struct RegisterOf;
template <>
struct RegisterOf<2> {
  using Numbers [[gnu::vector_size(16)]] = double;
  using Bits [[gnu::vector_size(16)]] = std::int64_t;
};
template <>
struct RegisterOf<4> {
  using Numbers [[gnu::vector_size(32)]] = double;
  using Bits [[gnu::vector_size(32)]] = std::int64_t;
};
template <>
struct RegisterOf<8> {
  using Numbers [[gnu::vector_size(64)]] = double;
  using Bits [[gnu::vector_size(64)]] = std::int64_t;
};

/// What differs from one instruction set to another. A mask is all bits of a lane, or none.
template <int each, class Set>
struct LaneOperations {
  using Numbers = typename RegisterOf<each>::Numbers;
  using Mask = typename RegisterOf<each>::Bits;

  [[gnu::always_inline]] static Mask less(Numbers a, Numbers b) { return a < b; }
  [[gnu::always_inline]] static Mask less_equal(Numbers a, Numbers b) { return a <= b; }
  [[gnu::always_inline]] static Mask equal(Numbers a, Numbers b) { return a == b; }
  [[gnu::always_inline]] static Numbers select(Mask m, Numbers a, Numbers b) {
#if defined(__AVX__)
    if constexpr (each == 4) {
      return reinterpret_cast<Numbers>(_mm256_blendv_pd(reinterpret_cast<__m256d>(b),
                                                        reinterpret_cast<__m256d>(a),
                                                        reinterpret_cast<__m256d>(m)));
    }
#endif
    return reinterpret_cast<Numbers>((reinterpret_cast<Mask>(a) & m) |
                                     (reinterpret_cast<Mask>(b) & ~m));
  }
  /// Lowest bit: lane 0.
  [[gnu::always_inline]] static unsigned bits(Mask m) {
#if defined(__AVX__)
    if constexpr (each == 4) {
      return static_cast<unsigned>(_mm256_movemask_pd(reinterpret_cast<__m256d>(m)));
    }
#endif
#if defined(__SSE2__)
    if constexpr (each == 2) {
      return static_cast<unsigned>(__builtin_ia32_movmskpd(reinterpret_cast<Numbers>(m)));
    }
#endif
    unsigned all = 0;
    for (int i = 0; i < each; ++i) all |= (m[i] < 0 ? 1U : 0U) << i;
    return all;
  }
};

#if defined(__AVX512F__) && defined(__AVX512VL__) && defined(__AVX512DQ__)
/// Masks of eight have registers of their own; those of fewer lanes are faster as above.
template <>
struct LaneOperations<8, Avx512> {
  using Numbers = RegisterOf<8>::Numbers;
  using Mask = __mmask8;

  [[gnu::always_inline]] static Mask less(Numbers a, Numbers b) {
    return _mm512_cmp_pd_mask(a, b, _CMP_LT_OS);
  }
  [[gnu::always_inline]] static Mask less_equal(Numbers a, Numbers b) {
    return _mm512_cmp_pd_mask(a, b, _CMP_LE_OS);
  }
  [[gnu::always_inline]] static Mask equal(Numbers a, Numbers b) {
    return _mm512_cmp_pd_mask(a, b, _CMP_EQ_OQ);
  }
  [[gnu::always_inline]] static Numbers select(Mask m, Numbers a, Numbers b) {
    return _mm512_mask_blend_pd(m, b, a);
  }
  [[gnu::always_inline]] static unsigned bits(Mask m) { return m; }
};
#endif

/// How W lanes lie in registers.
template <int W, class Set>
struct LaneLayout {
  static_assert(W == 2 || W == 4 || W == 8 || W == 16, "lanes come in 2, 4, 8 or 16");
  static constexpr int each = W < Set::numbers ? W : Set::numbers;
  static constexpr int count = W / each;
  using Operations = LaneOperations<each, Set>;
  using Numbers = typename RegisterOf<each>::Numbers;
  using Bits = typename RegisterOf<each>::Bits;
  using Mask = typename Operations::Mask;
};

/// a > b ? a : b, as the instruction has it.
template <int each, class Numbers>
[[gnu::always_inline]] inline Numbers larger(Numbers a, Numbers b) {
#if defined(__AVX512F__)
  if constexpr (each == 8) {
    // All lanes; the form without a mask makes some compilers warn of their own header.
    return reinterpret_cast<Numbers>(
        _mm512_maskz_max_pd(0xff, reinterpret_cast<__m512d>(a), reinterpret_cast<__m512d>(b)));
  }
#endif
#if defined(__AVX__)
  if constexpr (each == 4) {
    return reinterpret_cast<Numbers>(
        _mm256_max_pd(reinterpret_cast<__m256d>(a), reinterpret_cast<__m256d>(b)));
  }
#endif
#if defined(__SSE2__)
  if constexpr (each == 2) {
    return __builtin_ia32_maxpd(a, b);
  }
#endif
  for (int i = 0; i < each; ++i) a[i] = a[i] > b[i] ? a[i] : b[i];
  return a;
}

template <int each, class Numbers>
[[gnu::always_inline]] inline Numbers square_root(Numbers x) {
#if defined(__AVX512F__)
  if constexpr (each == 8) {
    return reinterpret_cast<Numbers>(_mm512_maskz_sqrt_pd(0xff, reinterpret_cast<__m512d>(x)));
  }
#endif
#if defined(__AVX__)
  if constexpr (each == 4) {
    return reinterpret_cast<Numbers>(_mm256_sqrt_pd(reinterpret_cast<__m256d>(x)));
  }
#endif
#if defined(__SSE2__)
  if constexpr (each == 2) {
    return __builtin_ia32_sqrtpd(x);
  }
#endif
  for (int i = 0; i < each; ++i) x[i] = std::sqrt(x[i]);
  return x;
}

/// (last of `before`, then all of `x` but its last).
template <int each, class Numbers>
[[gnu::always_inline]] inline Numbers moved_up(Numbers before, Numbers x) {
  if constexpr (each == 2) {
    return __builtin_shufflevector(before, x, 1, 2);
  } else if constexpr (each == 4) {
    return __builtin_shufflevector(before, x, 3, 4, 5, 6);
  } else {
    return __builtin_shufflevector(before, x, 7, 8, 9, 10, 11, 12, 13, 14);
  }
}

}  // namespace daewave::detail
