#pragma once
// Instruction sets as types, so that what is compiled for one of them is never taken by the linker
// for another one.

#include "core/machine/simd.hpp"

namespace daewave {

struct Sse2 {
  static constexpr Simd simd = Simd::sse2;
  static constexpr int numbers = 2;  ///< In one register.
};
struct Avx2 {
  static constexpr Simd simd = Simd::avx2;
  static constexpr int numbers = 4;
};
struct Avx512 {
  static constexpr Simd simd = Simd::avx512;
  static constexpr int numbers = 8;
};

/// What the file that includes this is compiled for.
#if defined(__AVX512F__) && defined(__AVX512VL__) && defined(__AVX512DQ__)
using CompiledSimd = Avx512;
#elif defined(__AVX2__) && defined(__FMA__)
using CompiledSimd = Avx2;
#else
using CompiledSimd = Sse2;
#endif

/// of(set) of the widest set that lanes are compiled for and the machine has, or of the one that is
/// named; what it gives has one type, and is value-initialized where there is no such set.
template <class Function>
auto best_of(Function of, [[maybe_unused]] Simd simd = best_simd()) {
#if defined(DAEWAVE_LANES_AVX512)
  if (simd == Simd::avx512) return of(Avx512());
#endif
#if defined(DAEWAVE_LANES_AVX2)
  if (simd == Simd::avx2) return of(Avx2());
#endif
#if defined(DAEWAVE_LANES_SSE2)
  if (simd == Simd::sse2) return of(Sse2());
#endif
  return decltype(of(CompiledSimd())){};
}

}  // namespace daewave
