#include "core/machine/simd.hpp"

#include <fmt/format.h>

#include "core/error.hpp"

namespace daewave {

const char* name_of(Simd simd) {
  switch (simd) {
    case Simd::sse2:
      return "sse2";
    case Simd::avx2:
      return "avx2";
    case Simd::avx512:
      return "avx512";
  }
  return "unknown";
}

const std::vector<Simd>& all_simd() {
  static const std::vector<Simd> all{Simd::sse2, Simd::avx2, Simd::avx512};
  return all;
}

bool supported(Simd simd) {
  if (simd == Simd::sse2) return true;
#if defined(__x86_64__)
  if (simd == Simd::avx2) {
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  }
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
         __builtin_cpu_supports("avx512dq") && supported(Simd::avx2);
#else
  return false;
#endif
}

Simd best_simd() {
  for (Simd simd : {Simd::avx512, Simd::avx2}) {
    if (supported(simd)) return simd;
  }
  return Simd::sse2;
}

Simd simd_named(const std::string& name) {
  if (name == "auto") return best_simd();
  for (Simd simd : all_simd()) {
    if (name != name_of(simd)) continue;
    check_supported(simd);
    return simd;
  }
  throw InvalidOption(fmt::format("simd = \"{}\"; known: auto, sse2, avx2, avx512", name));
}

void check_supported(Simd simd) {
  if (supported(simd)) return;
  throw InvalidOption(fmt::format("simd = {}: this machine has none; it has {} at most: take auto",
                                  name_of(simd), name_of(best_simd())));
}

}  // namespace daewave
