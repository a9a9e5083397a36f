#pragma once
// A choice without an `if`, for mathematics that is written once for numbers and for SIMD lanes,
// which may choose differently (core/lanes/lanes.hpp):
//
//   using daewave::select;
//   const T friction = select(v < T(0), -c, c);

namespace daewave {

inline double select(bool condition, double a, double b) { return condition ? a : b; }

}  // namespace daewave
