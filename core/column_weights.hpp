#pragma once
// Weights of the columns of G for the choice of pivots, about M_jj^-1/2: the larger of two entries
// is the one that moves more in the metric of M. Where a light body hangs on a heavy one, whose
// acceleration a pivot in the columns of the heavy one would take the joint force from, eps times
// the ratio of their masses would be lost.

#include <bit>
#include <cstdint>

namespace daewave {

/// Below this ratio of the largest to the smallest entry of its diagonal M is even, and columns are
/// counted as they are: three digits are the least that one would miss.
inline constexpr double most_even = 1024;
/// What is lighter than 2^-52 of the heaviest counts as that: what rounding leaves of an entry of G
/// that vanishes, 1e-16 of the largest, must not become a pivot because it is light.
inline constexpr int widest_exponents = 52;

namespace detail {

[[gnu::always_inline]] inline int exponent_of(double x) {
  return static_cast<int>(std::bit_cast<std::uint64_t>(x) >> 52U & 0x7ffU);
}

}  // namespace detail

/// Powers of two, so that no bit of what they multiply is lost: 1 for the lightest column.
/// @param n        columns.
/// @param mass     mass(j) is entry j of the diagonal of M; 0 counts as light.
/// @param weights  n; written where masses are uneven.
/// @return whether they are.
template <class Mass, class Weights>
bool weigh_columns(int n, Mass mass, Weights& weights) {
  if (n == 0) return false;
  double lightest = mass(0), heaviest = lightest;
  for (int j = 1; j < n; ++j) {
    const double m = mass(j);
    lightest = m < lightest ? m : lightest;
    heaviest = m > heaviest ? m : heaviest;
  }
  if (!(heaviest > most_even * lightest)) return false;
  const int least = detail::exponent_of(heaviest) - widest_exponents;
  const int exponent = detail::exponent_of(lightest), first = exponent > least ? exponent : least;
  for (int j = 0; j < n; ++j) {
    const int beyond = detail::exponent_of(mass(j)) - first;
    const auto power = static_cast<std::uint64_t>(beyond > 0 ? 1023 - beyond / 2 : 1023);
    weights[j] = std::bit_cast<double>(power << 52U);
  }
  return true;
}

}  // namespace daewave
