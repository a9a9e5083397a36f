#pragma once
// Numbers too small for the normal format count as zero while a guard lives.
//
// Modes that decay along a run of intervals leave such numbers behind, on which a processor may
// spend a hundred times what others take. What is dropped is below 2.3e-308.

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace daewave {

#if defined(__x86_64__)

/// On the calling thread, from construction to destruction; what was set before is set again after.
class FlushDenormals {
 public:
  static constexpr bool available = true;

  FlushDenormals() : before_(_mm_getcsr()) {
    _mm_setcsr(before_ | both);
    keep_order();
  }
  ~FlushDenormals() {
    keep_order();
    // Flags that the arithmetic in between has raised stay.
    _mm_setcsr((_mm_getcsr() & ~both) | (before_ & both));
  }
  FlushDenormals(const FlushDenormals&) = delete;
  FlushDenormals& operator=(const FlushDenormals&) = delete;

 private:
  // Results that would be denormal (bit 15) and operands that are (bit 6).
  static constexpr unsigned both = 0x8040;

  /// The compiler knows nothing of the control register: no memory is read or written across.
  static void keep_order() { asm volatile("" ::: "memory"); }

  unsigned before_;
};

#else

/// Does nothing: how to set this is known for x86-64 only, and results differ by 2.3e-308 at most.
class FlushDenormals {
 public:
  static constexpr bool available = false;

  FlushDenormals() {}
  ~FlushDenormals() {}
  FlushDenormals(const FlushDenormals&) = delete;
  FlushDenormals& operator=(const FlushDenormals&) = delete;
};

#endif

}  // namespace daewave
