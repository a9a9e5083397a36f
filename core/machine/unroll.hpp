#pragma once
// Loops whose steps are each compiled by itself, where what one leaves to the next is waited for.

/// Before a loop that counts upward to a number of at most 8 that is known to the compiler: entries
/// of arrays then are registers from one step to the next, and not memory.
#if defined(__GNUC__) && !defined(__clang__)
#define DAEWAVE_UNROLL _Pragma("GCC unroll 8")
#else
#define DAEWAVE_UNROLL
#endif
