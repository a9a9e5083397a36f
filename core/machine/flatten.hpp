#pragma once
// Functions with all their calls inlined, where speed is wanted.

/// Before a function. Nothing under the sanitizers, which triple what the compiler has to do and are
/// not there for speed.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define DAEWAVE_FLATTEN
#else
#define DAEWAVE_FLATTEN [[gnu::flatten]]
#endif
