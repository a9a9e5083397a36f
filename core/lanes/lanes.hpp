#pragma once
// W numbers side by side as a scalar: for mathematics that is written for any scalar, such as
//
//   template <class T> struct Pendulum { using Position = VecOf<T, 2>; ... };
//
// Each operation is done in all lanes, in as many registers of the instruction set as they need. A
// lane never knows of the others, and every operation is that of IEEE 754 in the order written: so
// a lane has the same bits whatever the set, the number of lanes, and what the others hold. That
// takes -ffp-contract=off where this is compiled for a set that can contract, as FMA does.
//
// The set is part of the type, so that what is compiled for one of them is never taken by the
// linker for another one. There are comparisons, which give a mask, but no `if`.

#include <Eigen/Core>
#include <cmath>
#include <cstdint>
#include <limits>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "core/machine/simd.hpp"
#include "core/machine/sine_cosine.hpp"

namespace daewave {

// Instruction sets as types.
struct Sse2 {
  static constexpr Simd simd = Simd::sse2;
  static constexpr int numbers = 2;  ///< In one register.
};
struct Avx2 {
  static constexpr Simd simd = Simd::avx2;
  static constexpr int numbers = 4;
};
struct Avx512 {
  static constexpr Simd simd = Simd::avx512;
  static constexpr int numbers = 8;
};

/// What the file that includes this is compiled for.
#if defined(__AVX512F__) && defined(__AVX512VL__) && defined(__AVX512DQ__)
using CompiledSimd = Avx512;
#elif defined(__AVX2__) && defined(__FMA__)
using CompiledSimd = Avx2;
#else
using CompiledSimd = Sse2;
#endif

namespace detail {

template <int n>
struct RegisterOf;
template <>
struct RegisterOf<2> {
  using Numbers [[gnu::vector_size(16)]] = double;
  using Bits [[gnu::vector_size(16)]] = std::int64_t;
};
template <>
struct RegisterOf<4> {
  using Numbers [[gnu::vector_size(32)]] = double;
  using Bits [[gnu::vector_size(32)]] = std::int64_t;
};
template <>
struct RegisterOf<8> {
  using Numbers [[gnu::vector_size(64)]] = double;
  using Bits [[gnu::vector_size(64)]] = std::int64_t;
};

/// What differs from one instruction set to another. A mask is all bits of a lane, or none.
template <int each, class Set>
struct LaneOperations {
  using Numbers = typename RegisterOf<each>::Numbers;
  using Mask = typename RegisterOf<each>::Bits;

  [[gnu::always_inline]] static Mask less(Numbers a, Numbers b) { return a < b; }
  [[gnu::always_inline]] static Mask less_equal(Numbers a, Numbers b) { return a <= b; }
  [[gnu::always_inline]] static Mask equal(Numbers a, Numbers b) { return a == b; }
  [[gnu::always_inline]] static Numbers select(Mask m, Numbers a, Numbers b) {
#if defined(__AVX__)
    if constexpr (each == 4) {
      return reinterpret_cast<Numbers>(_mm256_blendv_pd(reinterpret_cast<__m256d>(b),
                                                        reinterpret_cast<__m256d>(a),
                                                        reinterpret_cast<__m256d>(m)));
    }
#endif
    return reinterpret_cast<Numbers>((reinterpret_cast<Mask>(a) & m) |
                                     (reinterpret_cast<Mask>(b) & ~m));
  }
  /// Lowest bit: lane 0.
  [[gnu::always_inline]] static unsigned bits(Mask m) {
#if defined(__AVX__)
    if constexpr (each == 4) {
      return static_cast<unsigned>(_mm256_movemask_pd(reinterpret_cast<__m256d>(m)));
    }
#endif
#if defined(__SSE2__)
    if constexpr (each == 2) {
      return static_cast<unsigned>(_mm_movemask_pd(reinterpret_cast<__m128d>(m)));
    }
#endif
    unsigned all = 0;
    for (int i = 0; i < each; ++i) all |= (m[i] < 0 ? 1U : 0U) << i;
    return all;
  }
};

#if defined(__AVX512F__) && defined(__AVX512VL__) && defined(__AVX512DQ__)
/// Masks of eight have registers of their own; those of fewer lanes are faster as above.
template <>
struct LaneOperations<8, Avx512> {
  using Numbers = RegisterOf<8>::Numbers;
  using Mask = __mmask8;

  [[gnu::always_inline]] static Mask less(Numbers a, Numbers b) {
    return _mm512_cmp_pd_mask(a, b, _CMP_LT_OS);
  }
  [[gnu::always_inline]] static Mask less_equal(Numbers a, Numbers b) {
    return _mm512_cmp_pd_mask(a, b, _CMP_LE_OS);
  }
  [[gnu::always_inline]] static Mask equal(Numbers a, Numbers b) {
    return _mm512_cmp_pd_mask(a, b, _CMP_EQ_OQ);
  }
  [[gnu::always_inline]] static Numbers select(Mask m, Numbers a, Numbers b) {
    return _mm512_mask_blend_pd(m, b, a);
  }
  [[gnu::always_inline]] static unsigned bits(Mask m) { return m; }
};
#endif

/// How W lanes lie in registers.
template <int W, class Set>
struct LaneLayout {
  static_assert(W == 2 || W == 4 || W == 8 || W == 16, "lanes come in 2, 4, 8 or 16");
  static constexpr int each = W < Set::numbers ? W : Set::numbers;
  static constexpr int count = W / each;
  using Operations = LaneOperations<each, Set>;
  using Numbers = typename RegisterOf<each>::Numbers;
  using Bits = typename RegisterOf<each>::Bits;
  using Mask = typename Operations::Mask;
};

/// a > b ? a : b, as the instruction has it.
template <int each, class Numbers>
[[gnu::always_inline]] inline Numbers larger(Numbers a, Numbers b) {
#if defined(__AVX512F__)
  if constexpr (each == 8) {
    // All lanes; the form without a mask makes some compilers warn of their own header.
    return reinterpret_cast<Numbers>(
        _mm512_maskz_max_pd(0xff, reinterpret_cast<__m512d>(a), reinterpret_cast<__m512d>(b)));
  }
#endif
#if defined(__AVX__)
  if constexpr (each == 4) {
    return reinterpret_cast<Numbers>(
        _mm256_max_pd(reinterpret_cast<__m256d>(a), reinterpret_cast<__m256d>(b)));
  }
#endif
#if defined(__SSE2__)
  if constexpr (each == 2) {
    return reinterpret_cast<Numbers>(
        _mm_max_pd(reinterpret_cast<__m128d>(a), reinterpret_cast<__m128d>(b)));
  }
#endif
  for (int i = 0; i < each; ++i) a[i] = a[i] > b[i] ? a[i] : b[i];
  return a;
}

template <int each, class Numbers>
[[gnu::always_inline]] inline Numbers square_root(Numbers x) {
#if defined(__AVX512F__)
  if constexpr (each == 8) {
    return reinterpret_cast<Numbers>(_mm512_sqrt_pd(reinterpret_cast<__m512d>(x)));
  }
#endif
#if defined(__AVX__)
  if constexpr (each == 4) {
    return reinterpret_cast<Numbers>(_mm256_sqrt_pd(reinterpret_cast<__m256d>(x)));
  }
#endif
#if defined(__SSE2__)
  if constexpr (each == 2) {
    return reinterpret_cast<Numbers>(_mm_sqrt_pd(reinterpret_cast<__m128d>(x)));
  }
#endif
  for (int i = 0; i < each; ++i) x[i] = std::sqrt(x[i]);
  return x;
}

/// (last of `before`, then all of `x` but its last).
template <int each, class Numbers>
[[gnu::always_inline]] inline Numbers moved_up(Numbers before, Numbers x) {
  if constexpr (each == 2) {
    return __builtin_shufflevector(before, x, 1, 2);
  } else if constexpr (each == 4) {
    return __builtin_shufflevector(before, x, 3, 4, 5, 6);
  } else {
    return __builtin_shufflevector(before, x, 7, 8, 9, 10, 11, 12, 13, 14);
  }
}

}  // namespace detail

/// Yes or no in each lane.
template <int W, class Set>
struct LaneMask {
  using Layout = detail::LaneLayout<W, Set>;
  typename Layout::Mask r[Layout::count];

  /// Lowest bit: lane 0.
  [[gnu::always_inline]] unsigned bits() const {
    unsigned all = 0;
    for (int i = 0; i < Layout::count; ++i) {
      all |= Layout::Operations::bits(r[i]) << (i * Layout::each);
    }
    return all;
  }
  [[gnu::always_inline]] bool any() const { return bits() != 0; }
  [[gnu::always_inline]] bool all() const { return bits() == (1U << W) - 1; }

  [[gnu::always_inline]] friend LaneMask operator&(LaneMask a, const LaneMask& b) {
    for (int i = 0; i < Layout::count; ++i) {
      a.r[i] = static_cast<typename Layout::Mask>(a.r[i] & b.r[i]);
    }
    return a;
  }
  [[gnu::always_inline]] friend LaneMask operator|(LaneMask a, const LaneMask& b) {
    for (int i = 0; i < Layout::count; ++i) {
      a.r[i] = static_cast<typename Layout::Mask>(a.r[i] | b.r[i]);
    }
    return a;
  }
  [[gnu::always_inline]] friend LaneMask operator!(LaneMask a) {
    for (int i = 0; i < Layout::count; ++i) {
      a.r[i] = static_cast<typename Layout::Mask>(~a.r[i]);
    }
    return a;
  }
};

template <int W, class Set = CompiledSimd>
struct Lanes {
  using Layout = detail::LaneLayout<W, Set>;
  using Mask = LaneMask<W, Set>;
  using InstructionSet = Set;
  static constexpr int width = W;

  typename Layout::Numbers r[Layout::count];

  Lanes() = default;
  /// The same in all lanes.
  [[gnu::always_inline]] Lanes(double x) {  // NOLINT: numbers are lanes, as they are T elsewhere.
    for (int i = 0; i < Layout::count; ++i) r[i] = x - typename Layout::Numbers{};
  }

  [[gnu::always_inline]] double operator[](int lane) const {
    return r[lane / Layout::each][lane % Layout::each];
  }
  [[gnu::always_inline]] void set(int lane, double x) {
    r[lane / Layout::each][lane % Layout::each] = x;
  }

  [[gnu::always_inline]] Lanes& operator+=(const Lanes& b) {
    for (int i = 0; i < Layout::count; ++i) {
      r[i] += b.r[i];
    }
    return *this;
  }
  [[gnu::always_inline]] Lanes& operator-=(const Lanes& b) {
    for (int i = 0; i < Layout::count; ++i) {
      r[i] -= b.r[i];
    }
    return *this;
  }
  [[gnu::always_inline]] Lanes& operator*=(const Lanes& b) {
    for (int i = 0; i < Layout::count; ++i) {
      r[i] *= b.r[i];
    }
    return *this;
  }
  [[gnu::always_inline]] Lanes& operator/=(const Lanes& b) {
    for (int i = 0; i < Layout::count; ++i) {
      r[i] /= b.r[i];
    }
    return *this;
  }
  [[gnu::always_inline]] friend Lanes operator+(Lanes a, const Lanes& b) { return a += b; }
  [[gnu::always_inline]] friend Lanes operator-(Lanes a, const Lanes& b) { return a -= b; }
  [[gnu::always_inline]] friend Lanes operator*(Lanes a, const Lanes& b) { return a *= b; }
  [[gnu::always_inline]] friend Lanes operator/(Lanes a, const Lanes& b) { return a /= b; }
  [[gnu::always_inline]] friend Lanes operator-(Lanes a) {
    for (int i = 0; i < Layout::count; ++i) {
      a.r[i] = -a.r[i];
    }
    return a;
  }
  [[gnu::always_inline]] friend Lanes operator+(const Lanes& a) { return a; }

  [[gnu::always_inline]] friend Mask operator<(const Lanes& a, const Lanes& b) {
    Mask m;
    for (int i = 0; i < Layout::count; ++i) {
      m.r[i] = Layout::Operations::less(a.r[i], b.r[i]);
    }
    return m;
  }
  [[gnu::always_inline]] friend Mask operator<=(const Lanes& a, const Lanes& b) {
    Mask m;
    for (int i = 0; i < Layout::count; ++i) {
      m.r[i] = Layout::Operations::less_equal(a.r[i], b.r[i]);
    }
    return m;
  }
  [[gnu::always_inline]] friend Mask operator==(const Lanes& a, const Lanes& b) {
    Mask m;
    for (int i = 0; i < Layout::count; ++i) {
      m.r[i] = Layout::Operations::equal(a.r[i], b.r[i]);
    }
    return m;
  }
  [[gnu::always_inline]] friend Mask operator>(const Lanes& a, const Lanes& b) { return b < a; }
  [[gnu::always_inline]] friend Mask operator>=(const Lanes& a, const Lanes& b) { return b <= a; }
  [[gnu::always_inline]] friend Mask operator!=(const Lanes& a, const Lanes& b) {
    return !(a == b);
  }
};

/// a where the mask says yes, b elsewhere.
template <int W, class Set>
[[gnu::always_inline]] inline Lanes<W, Set> select(const LaneMask<W, Set>& m,
                                                   const Lanes<W, Set>& a, const Lanes<W, Set>& b) {
  Lanes<W, Set> out;
  using Layout = typename Lanes<W, Set>::Layout;
  for (int i = 0; i < Layout::count; ++i) {
    out.r[i] = Layout::Operations::select(m.r[i], a.r[i], b.r[i]);
  }
  return out;
}

/// Lane i takes what lane i - 1 had, and lane 0 takes `first`.
template <int W, class Set>
[[gnu::always_inline]] inline Lanes<W, Set> moved_up(const Lanes<W, Set>& x, double first) {
  using Layout = typename Lanes<W, Set>::Layout;
  Lanes<W, Set> out;
  for (int i = 0; i < Layout::count; ++i) {
    if (i > 0) out.r[i] = detail::moved_up<Layout::each>(x.r[i - 1], x.r[i]);
  }
  out.r[0] = detail::moved_up<Layout::each>(first - typename Layout::Numbers{}, x.r[0]);
  return out;
}

template <int W, class Set>
[[gnu::always_inline]] inline Lanes<W, Set> abs(const Lanes<W, Set>& x) {
  using Layout = typename Lanes<W, Set>::Layout;
  using Bits = typename Layout::Bits;
  Lanes<W, Set> out;
  for (int i = 0; i < Layout::count; ++i) {
    out.r[i] = reinterpret_cast<typename Layout::Numbers>(reinterpret_cast<Bits>(x.r[i]) &
                                                          std::numeric_limits<std::int64_t>::max());
  }
  return out;
}
/// a where one of them is not a number.
template <int W, class Set>
[[gnu::always_inline]] inline Lanes<W, Set> max(Lanes<W, Set> a, const Lanes<W, Set>& b) {
  using Layout = typename Lanes<W, Set>::Layout;
  for (int i = 0; i < Layout::count; ++i) a.r[i] = detail::larger<Layout::each>(b.r[i], a.r[i]);
  return a;
}
/// max(a, b); NaN where one of them is.
template <int W, class Set>
[[gnu::always_inline]] inline Lanes<W, Set> larger(const Lanes<W, Set>& a, const Lanes<W, Set>& b) {
  return select(b == b, max(a, b), b);
}
template <int W, class Set>
[[gnu::always_inline]] inline Lanes<W, Set> min(const Lanes<W, Set>& a, const Lanes<W, Set>& b) {
  return -max(-a, -b);
}
template <int W, class Set>
[[gnu::always_inline]] inline Lanes<W, Set> sqrt(Lanes<W, Set> x) {
  using Layout = typename Lanes<W, Set>::Layout;
  for (int i = 0; i < Layout::count; ++i) {
    x.r[i] = detail::square_root<Layout::each>(x.r[i]);
  }
  return x;
}
/// Lanes that are neither infinite nor not a number.
template <int W, class Set>
[[gnu::always_inline]] inline LaneMask<W, Set> finite_in(const Lanes<W, Set>& x) {
  return abs(x) < Lanes<W, Set>(std::numeric_limits<double>::infinity());
}

namespace detail {

/// One lane after the other.
template <int W, class Set, class Function>
[[gnu::always_inline]] inline Lanes<W, Set> each_lane(const Lanes<W, Set>& x, Function function) {
  Lanes<W, Set> out;
  for (int i = 0; i < W; ++i) out.set(i, function(x[i]));
  return out;
}

template <bool sine, int W, class Set>
inline Lanes<W, Set> sine_or_cosine(const Lanes<W, Set>& x) {
  using Layout = typename Lanes<W, Set>::Layout;
  using Words [[gnu::vector_size(8 * Layout::each)]] = std::uint64_t;
  const auto near = abs(x) <= Lanes<W, Set>(largest_reduced_angle);
  if (!near.all()) [[unlikely]] {
    const Lanes<W, Set> far =
        each_lane(x, [](double angle) { return sine ? std::sin(angle) : std::cos(angle); });
    return select(near, sine_or_cosine<sine>(select(near, x, Lanes<W, Set>(0))), far);
  }
  Lanes<W, Set> out;
  for (int i = 0; i < Layout::count; ++i) {
    const auto both = reduced_sines_cosines<typename Layout::Numbers, Words>(x.r[i]);
    out.r[i] = sine ? both.sine : both.cosine;
  }
  return out;
}

}  // namespace detail

/// As sine_cosine() (core/machine/sine_cosine.hpp), bit by bit.
template <int W, class Set>
[[gnu::always_inline]] inline Lanes<W, Set> sin(const Lanes<W, Set>& x) {
  return detail::sine_or_cosine<true>(x);
}
template <int W, class Set>
[[gnu::always_inline]] inline Lanes<W, Set> cos(const Lanes<W, Set>& x) {
  return detail::sine_or_cosine<false>(x);
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

template <class T>
inline constexpr bool is_lanes = false;
template <int W, class Set>
inline constexpr bool is_lanes<Lanes<W, Set>> = true;

}  // namespace daewave

template <int W, class Set>
struct Eigen::NumTraits<daewave::Lanes<W, Set>> : Eigen::GenericNumTraits<double> {
  using Real = daewave::Lanes<W, Set>;
  using NonInteger = daewave::Lanes<W, Set>;
  using Nested = daewave::Lanes<W, Set>;
  using Literal = double;
  enum { IsComplex = 0, IsInteger = 0, IsSigned = 1, RequireInitialization = 0 };
  enum { ReadCost = 1, AddCost = 1, MulCost = 1 };
};

// Numbers among lanes.
template <int W, class Set, class Operation>
struct Eigen::ScalarBinaryOpTraits<double, daewave::Lanes<W, Set>, Operation> {
  using ReturnType = daewave::Lanes<W, Set>;
};
template <int W, class Set, class Operation>
struct Eigen::ScalarBinaryOpTraits<daewave::Lanes<W, Set>, double, Operation> {
  using ReturnType = daewave::Lanes<W, Set>;
};

// Lanes are aligned by themselves, as wide as their registers are.
template <int W, class Set, int size>
requires(size !=
         Eigen::Dynamic) struct Eigen::internal::compute_default_alignment<daewave::Lanes<W, Set>,
                                                                           size> {
  enum { value = 0 };
};
