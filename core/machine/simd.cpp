#include "core/machine/simd.hpp"

#include <fmt/format.h>

#include "core/error.hpp"
#include "core/machine/has_vectors.hpp"

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

bool compiled(Simd simd) {
  switch (simd) {
    case Simd::sse2:
#if defined(DAEWAVE_LANES_SSE2)
      return true;
#else
      return false;
#endif
    case Simd::avx2:
#if defined(DAEWAVE_LANES_AVX2)
      return true;
#else
      return false;
#endif
    case Simd::avx512:
#if defined(DAEWAVE_LANES_AVX512)
      return true;
#else
      return false;
#endif
  }
  return false;
}

namespace {

bool machine_has(Simd simd) {
  return simd == Simd::avx512 ? has_avx512() : simd == Simd::sse2 || has_avx2();
}

std::string compiled_names() {
  std::string names;
  for (Simd simd : all_simd()) {
    if (compiled(simd)) names += (names.empty() ? "" : ", ") + std::string(name_of(simd));
  }
  return names;
}

}  // namespace

bool supported(Simd simd) { return compiled(simd) && machine_has(simd); }

Simd best_simd() {
  for (Simd simd : {Simd::avx512, Simd::avx2}) {
    if (supported(simd)) return simd;
  }
  return Simd::sse2;
}

Simd simd_named(const std::string& name) {
  if (name == "auto") {
    check_supported(best_simd());
    return best_simd();
  }
  for (Simd simd : all_simd()) {
    if (name != name_of(simd)) continue;
    check_supported(simd);
    return simd;
  }
  throw InvalidOption(fmt::format("simd = \"{}\"; known: auto, sse2, avx2, avx512", name));
}

void check_supported(Simd simd) {
  if (supported(simd)) return;
  if (!supported(best_simd())) {
    throw InvalidOption(fmt::format(
        "loops = lanes: compiled for {}, of which this machine has none; take loops = step-local, "
        "sweeps or pipelined, or set DAEWAVE_LANE_SETS to sse2 when the library is built",
        compiled_names()));
  }
  if (!compiled(simd)) {
    throw InvalidOption(fmt::format("simd = {}: lanes are compiled for {} here: take auto",
                                    name_of(simd), compiled_names()));
  }
  throw InvalidOption(fmt::format("simd = {}: this machine has none; it has {} at most: take auto",
                                  name_of(simd), name_of(best_simd())));
}

}  // namespace daewave
