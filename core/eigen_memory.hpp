#pragma once
// How Eigen lays out and frees its memory, the same in the library and in every program: before the
// first header of Eigen.
//
// Vectors pass between a program and the library, so that each frees what the other allocated.
// Where it vectorizes for AVX, Eigen allocates in another way, and frees what malloc gave as if it
// were its own: a program would crash at its first solution. So Eigen leaves AVX to the compiler in
// files that include this; SIMD lanes (core/lanes) do not need it.

#include <cstdlib>  // Says whose malloc it is.

#ifndef EIGEN_MAX_ALIGN_BYTES
#define EIGEN_MAX_ALIGN_BYTES 16
#endif
#ifndef EIGEN_MAX_STATIC_ALIGN_BYTES
#define EIGEN_MAX_STATIC_ALIGN_BYTES 16
#endif
#if defined(__AVX__) && !defined(EIGEN_DONT_VECTORIZE)
#define EIGEN_DONT_VECTORIZE
#endif
// With the address sanitizer it does not trust malloc.
#if defined(__GLIBC__) && defined(__LP64__) && !defined(EIGEN_MALLOC_ALREADY_ALIGNED)
#define EIGEN_MALLOC_ALREADY_ALIGNED 1
#endif

#include <Eigen/Core>

#if defined(__GLIBC__) && defined(__LP64__)
static_assert(EIGEN_MALLOC_ALREADY_ALIGNED == 1,
              "Eigen was included before daewave, with the address sanitizer: its vectors would be "
              "freed in another way than in the library. Include daewave first, or compile with "
              "-DEIGEN_MALLOC_ALREADY_ALIGNED=1");
#endif
static_assert(EIGEN_DEFAULT_ALIGN_BYTES == 16 && EIGEN_MAX_STATIC_ALIGN_BYTES == 16,
              "Eigen was included before daewave, for AVX: its vectors would be laid out and freed "
              "in another way than in the library. Include daewave first, or compile all files "
              "that pass Eigen's vectors to each other with -DEIGEN_DONT_VECTORIZE "
              "-DEIGEN_MAX_ALIGN_BYTES=16 -DEIGEN_MAX_STATIC_ALIGN_BYTES=16");
