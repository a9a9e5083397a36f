#pragma once
// Elementary functions of lanes.

#include <cmath>

#include "core/lanes/lanes.hpp"
#include "core/machine/sine_cosine.hpp"

namespace daewave {

namespace detail {

/// One lane after the other.
template <int W, class Set, class Function>
[[gnu::always_inline]] inline Lanes<W, Set> each_lane(const Lanes<W, Set>& x, Function function) {
  Lanes<W, Set> out;
  for (int i = 0; i < W; ++i) out.set(i, function(x[i]));
  return out;
}

template <int W, class Set>
struct LaneSineCosine {
  Lanes<W, Set> sine, cosine;
};

/// Lanes with a large angle, or none, by the standard library.
template <int W, class Set>
[[gnu::noinline]] void replace_far(const Lanes<W, Set>& x, LaneSineCosine<W, Set>& both) {
  for (int i = 0; i < W; ++i) {
    if (std::abs(x[i]) <= largest_reduced_angle) continue;
    both.sine.set(i, std::sin(x[i]));
    both.cosine.set(i, std::cos(x[i]));
  }
}

/// Inlined, so that a sine and a cosine of the same angle are found to be one piece of work.
template <int W, class Set>
[[gnu::always_inline]] inline LaneSineCosine<W, Set> sine_cosine_of(const Lanes<W, Set>& x) {
  using Layout = typename Lanes<W, Set>::Layout;
  using Words [[gnu::vector_size(8 * Layout::each)]] = std::uint64_t;
  LaneSineCosine<W, Set> out;
  for (int i = 0; i < Layout::count; ++i) {
    const auto both = reduced_sines_cosines<typename Layout::Numbers, Words>(x.r[i]);
    out.sine.r[i] = both.sine;
    out.cosine.r[i] = both.cosine;
  }
  if (!(abs(x) <= Lanes<W, Set>(largest_reduced_angle)).all()) [[unlikely]] {
    replace_far(x, out);
  }
  return out;
}

}  // namespace detail

/// As sine_cosine() (core/machine/sine_cosine.hpp), bit by bit.
template <int W, class Set>
[[gnu::always_inline]] inline Lanes<W, Set> sin(const Lanes<W, Set>& x) {
  return detail::sine_cosine_of(x).sine;
}
template <int W, class Set>
[[gnu::always_inline]] inline Lanes<W, Set> cos(const Lanes<W, Set>& x) {
  return detail::sine_cosine_of(x).cosine;
}

// Those of the standard library, one lane after the other.
template <int W, class Set>
inline Lanes<W, Set> tan(const Lanes<W, Set>& x) {
  return detail::each_lane(x, [](double a) { return std::tan(a); });
}
template <int W, class Set>
inline Lanes<W, Set> asin(const Lanes<W, Set>& x) {
  return detail::each_lane(x, [](double a) { return std::asin(a); });
}
template <int W, class Set>
inline Lanes<W, Set> acos(const Lanes<W, Set>& x) {
  return detail::each_lane(x, [](double a) { return std::acos(a); });
}
template <int W, class Set>
inline Lanes<W, Set> atan(const Lanes<W, Set>& x) {
  return detail::each_lane(x, [](double a) { return std::atan(a); });
}
template <int W, class Set>
inline Lanes<W, Set> exp(const Lanes<W, Set>& x) {
  return detail::each_lane(x, [](double a) { return std::exp(a); });
}
template <int W, class Set>
inline Lanes<W, Set> log(const Lanes<W, Set>& x) {
  return detail::each_lane(x, [](double a) { return std::log(a); });
}
template <int W, class Set>
inline Lanes<W, Set> sinh(const Lanes<W, Set>& x) {
  return detail::each_lane(x, [](double a) { return std::sinh(a); });
}
template <int W, class Set>
inline Lanes<W, Set> cosh(const Lanes<W, Set>& x) {
  return detail::each_lane(x, [](double a) { return std::cosh(a); });
}
template <int W, class Set>
inline Lanes<W, Set> tanh(const Lanes<W, Set>& x) {
  return detail::each_lane(x, [](double a) { return std::tanh(a); });
}
template <int W, class Set>
inline Lanes<W, Set> pow(const Lanes<W, Set>& x, double power) {
  return detail::each_lane(x, [power](double a) { return std::pow(a, power); });
}
template <int W, class Set>
inline Lanes<W, Set> pow(const Lanes<W, Set>& x, const Lanes<W, Set>& power) {
  Lanes<W, Set> out;
  for (int i = 0; i < W; ++i) out.set(i, std::pow(x[i], power[i]));
  return out;
}
template <int W, class Set>
inline Lanes<W, Set> atan2(const Lanes<W, Set>& y, const Lanes<W, Set>& x) {
  Lanes<W, Set> out;
  for (int i = 0; i < W; ++i) out.set(i, std::atan2(y[i], x[i]));
  return out;
}
template <int W, class Set>
inline Lanes<W, Set> hypot(const Lanes<W, Set>& a, const Lanes<W, Set>& b) {
  Lanes<W, Set> out;
  for (int i = 0; i < W; ++i) out.set(i, std::hypot(a[i], b[i]));
  return out;
}

}  // namespace daewave
