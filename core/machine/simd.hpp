#pragma once
// Instruction sets for numbers in lanes, of which a program carries all and takes one at run time.

#include <string>
#include <vector>

namespace daewave {

/// By the width of their registers: 2, 4 and 8 numbers.
enum class Simd {
  sse2,    ///< Every x86-64 processor; elsewhere whatever the compiler makes of two numbers.
  avx2,    ///< With FMA, though it is never used: see core/lanes/lanes.hpp.
  avx512,  ///< F, VL and DQ.
};

const char* name_of(Simd simd);
const std::vector<Simd>& all_simd();

/// True where the lanes of the library are compiled for it (cmake/DaewaveLanes.cmake).
bool compiled(Simd simd);
/// True where, besides, this machine and its operating system have it.
bool supported(Simd simd);
/// The widest that is supported; sse2 where none is.
Simd best_simd();

/// @param name  sse2, avx2, avx512, or auto for the widest this machine has.
/// @throws InvalidOption for names that are not known, and for what this machine or this build
///         lacks.
Simd simd_named(const std::string& name);

/// @throws InvalidOption where this machine or this build lacks it.
void check_supported(Simd simd);

}  // namespace daewave
