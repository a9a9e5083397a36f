#pragma once
// Sine and cosine of an angle together, without a call, for the mathematics of a problem:
//
//   x = n pi/2 + r,  |r| <= pi/4;   (sin x, cos x) = (sin r, cos r) turned by n quarters.
//
// Polynomials of W. Kahan and K. C. Ng (fdlibm, k_sin.c and k_cos.c); pi/2 in two parts after Cody
// and Waite, of 33 bits and the rest: n times the first is exact for |n| < 2^20.

#include <cmath>
#include <cstdint>

namespace daewave {

struct SineCosine {
  double sine, cosine;
};

namespace detail {

/// Angles beyond it, and those that are not finite, go to the standard library.
inline constexpr double largest_reduced_angle = 1e6;

template <class Real>
struct SinesCosines {
  Real sine, cosine;
};

/// |x| <= largest_reduced_angle. No branches: lanes go together. No calls either, not even of
/// std::bit_cast: a vector wider than the processor asked for is passed in another way than one
/// that is not.
/// @tparam Real, Bits  double and its bits, or vectors of both.
template <class Real, class Bits>
[[gnu::always_inline]] inline SinesCosines<Real> reduced_sines_cosines(const Real& x) {
  constexpr double two_over_pi = 6.36619772367581382433e-01;
  constexpr double half_pi = 1.57079632673412561417e+00, rest_of_it = 6.07710050650619224932e-11;
  constexpr double to_integer =
      6755399441055744;  // 1.5 * 2^52: the sum ends in the integer's bits.
  const Real shifted = x * two_over_pi + to_integer;
  const Real n = shifted - to_integer;
  const auto quarters = __builtin_bit_cast(Bits, shifted);
  const Real r = (x - n * half_pi) - n * rest_of_it;

  const Real z = r * r;
  const Real of_sine =
      -1.66666666666666324348e-01 +
      z * (8.33333333332248946124e-03 +
           z * (-1.98412698298579493134e-04 +
                z * (2.75573137070700676789e-06 +
                     z * (-2.50507602534068634195e-08 + z * 1.58969099521155010221e-10))));
  const Real of_cosine =
      4.16666666666666019037e-02 +
      z * (-1.38888888888741095749e-03 +
           z * (2.48015872894767294178e-05 +
                z * (-2.75573143513906633035e-07 +
                     z * (2.08757232129817482790e-09 - z * 1.13596475577881948265e-11))));
  const Real sine = r + (r * z) * of_sine;
  const Real most = 1 - 0.5 * z;
  const Real cosine = most + (((1 - most) - 0.5 * z) + (z * z) * of_cosine);

  const Bits swap = 0 - (quarters & 1);
  const auto s = __builtin_bit_cast(Bits, sine), c = __builtin_bit_cast(Bits, cosine);
  const Bits exchanged = (s ^ c) & swap;
  return {__builtin_bit_cast(Real, (s ^ exchanged) ^ ((quarters & 2) << 62)),
          __builtin_bit_cast(Real, (c ^ exchanged) ^ (((quarters + 1) & 2) << 62))};
}

}  // namespace detail

/// (sin x, cos x), each within 1.3e-16 of the exact value.
inline SineCosine sine_cosine(double x) {
  if (std::abs(x) <= detail::largest_reduced_angle) {
    const auto both = detail::reduced_sines_cosines<double, std::uint64_t>(x);
    return {both.sine, both.cosine};
  }
  return {std::sin(x), std::cos(x)};
}

/// The same of a number as of any other scalar, which has functions of its own: for mathematics that
/// is written once.
inline void sine_and_cosine(double angle, double& sine, double& cosine) {
  const SineCosine both = sine_cosine(angle);
  sine = both.sine;
  cosine = both.cosine;
}
template <class T>
[[gnu::always_inline]] inline void sine_and_cosine(const T& angle, T& sine, T& cosine) {
  // Before either is stored: they share their work, unless `sine` may be where the angle is.
  const T s = sin(angle), c = cos(angle);
  sine = s;
  cosine = c;
}

namespace detail {

/// As sines_and_cosines(). @return how many angles were done: all, or those before one too large.
using ManyAngles = int (*)(const double* x, int stride, int n, double* sine, double* cosine);
/// The best this processor has registers for.
ManyAngles many_angles();

}  // namespace detail

/// The same of n angles at once: x[i * stride] gives sine[i] and cosine[i], bit by bit those of the
/// function above.
inline void sines_and_cosines(const double* x, int stride, int n, double* sine, double* cosine) {
  for (int i = detail::many_angles()(x, stride, n, sine, cosine); i < n; ++i) {
    const SineCosine both = sine_cosine(x[i * stride]);
    sine[i] = both.sine;
    cosine[i] = both.cosine;
  }
}

}  // namespace daewave
