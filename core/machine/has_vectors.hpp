#pragma once
// What this processor has, for kernels that are compiled more than once ([[gnu::target]]) beside a
// form that every processor runs. Sets of lanes, which a build may leave out, are asked for by
// core/machine/simd.hpp.

namespace daewave {

/// Vectors of four numbers, with FMA.
inline bool has_avx2() {
#if defined(__x86_64__)
  static const bool has = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  return has;
#else
  return false;
#endif
}

/// Vectors of eight numbers, with integers of 64 bits in them and masks for shorter ones.
inline bool has_avx512() {
#if defined(__x86_64__)
  static const bool has = has_avx2() && __builtin_cpu_supports("avx512f") &&
                          __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
  return has;
#else
  return false;
#endif
}

}  // namespace daewave
