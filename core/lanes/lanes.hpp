#pragma once
// W numbers side by side as a scalar: for mathematics that is written for any scalar, such as
//
//   template <class T> VecOf<T, 1> g(const VecOf<T, 2>& q, T t) const;
//
// Each operation is done in all lanes, in as many registers of the instruction set as they need. A
// lane never knows of the others, and every operation is that of IEEE 754 in the order written: so
// a lane has the same bits whatever the set, the number of lanes, and what the others hold. That
// takes -ffp-contract=off where this is compiled for a set that can contract, as FMA does.
//
// There are comparisons, which give a mask, but no `if`: select(a < b, x, y) does for lanes and for
// numbers. Sines and the like are in lane_functions.hpp.

#include <cstdint>
#include <limits>
#include <type_traits>

#include "core/lanes/registers.hpp"
#include "core/select.hpp"

namespace daewave {

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
  /// Lanes may differ: no `if` can be taken by all of them.
  template <class Bool>
  requires(std::is_same_v<Bool, bool>) explicit operator Bool() const {
    static_assert(!std::is_same_v<Bool, bool>,
                  "there is no `if` for SIMD lanes: write daewave::select(a < b, x, y), or say "
                  "`static constexpr bool in_lanes = false;` in the problem");
    return false;
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

  /// A register at any address. Copied as bytes it would be moved in halves, and what is stored in
  /// halves and loaded as a whole has to be waited for.
  struct [[gnu::packed, gnu::may_alias]] InMemory {
    typename Layout::Numbers numbers;
  };

  Lanes() = default;
  /// The same in all lanes.
  [[gnu::always_inline]] Lanes(double x) {  // NOLINT: numbers are lanes, as they are T elsewhere.
    for (int i = 0; i < Layout::count; ++i) r[i] = x - typename Layout::Numbers{};
  }

  /// Of W numbers side by side, wherever they are.
  [[gnu::always_inline]] static Lanes load(const double* from) {
    Lanes x;
    for (int i = 0; i < Layout::count; ++i) {
      x.r[i] = reinterpret_cast<const InMemory*>(from + i * Layout::each)->numbers;
    }
    return x;
  }
  [[gnu::always_inline]] void store(double* to) const {
    for (int i = 0; i < Layout::count; ++i) {
      reinterpret_cast<InMemory*>(to + i * Layout::each)->numbers = r[i];
    }
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

template <class T>
inline constexpr bool is_lanes = false;
template <int W, class Set>
inline constexpr bool is_lanes<Lanes<W, Set>> = true;

}  // namespace daewave
