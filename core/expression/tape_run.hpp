#pragma once
// The operations of a tape on numbers or lanes, for files that are compiled for one instruction
// set.

#include <cstddef>
#include <type_traits>
#include <utility>

#include "core/expression/compiled_tapes.hpp"
#include "core/lanes/lane_functions.hpp"
#include "core/machine/flatten.hpp"

namespace daewave::expression {

template <class T>
inline constexpr int width_of = 1;
template <int W, class Set>
inline constexpr int width_of<Lanes<W, Set>> = W;

/// What tapes make of W points at once; of T = double, of one.
template <class T, class Set>
class TapeRun {
  static constexpr int W = width_of<T>;

 public:
  /// Registers of the first point of `memory` on; numbers are there already.
  TapeRun(const Tape& tape, double* memory) : tape_(tape), memory_(memory) {
    to_ = memory + W * (tape.inputs.size() + tape.numbers.size());
  }

  void load(const Points& at, int first) {
    double* to = memory_;
    const double* const from[] = {at.t, at.q, at.v, at.w};
    for (const Input& input : tape_.inputs) {
      const double* const values =
          from[static_cast<int>(input.from)] + input.entry * at.stride + first;
      if (first + W <= at.count) {
        put(to, get(values));
      } else {
        for (int lane = 0; lane < W; ++lane) {
          to[lane] = values[first + lane < at.count ? lane : at.count - 1 - first];
        }
      }
      to += W;
    }
  }

  void run() {
    for (const Run& run : tape_.runs) operate(run);
  }

  /// One run alone, its results from a register on.
  void run_one(const Run& run, std::uint32_t to) {
    to_ = memory_ + static_cast<std::size_t>(to) * W;
    operate(run);
  }

  void store(double* out, int stride, int first) const {
    for (const Output& one : tape_.varying) {
      put(out + static_cast<std::ptrdiff_t>(one.output) * stride + first, at(one.of));
    }
  }

 private:
  static T get(const double* from) {
    if constexpr (W == 1) {
      return *from;
    } else {
      return T::load(from);
    }
  }
  static void put(double* to, const T& value) {
    if constexpr (W == 1) {
      *to = value;
    } else {
      value.store(to);
    }
  }
  T at(std::uint32_t which) const { return get(memory_ + static_cast<std::size_t>(which) * W); }

  template <class F>
  [[gnu::always_inline]] void each(const Run& run, F f) {
    const Instruction* one = tape_.instructions.data() + run.begin;
    const Instruction* const end = tape_.instructions.data() + run.end;
    double* to = to_;
    for (; one != end; ++one, to += W) put(to, f(*one));
    to_ = to;
  }
  /// Operands that lie in rows: with numbers the compiler does several at once.
  template <class F>
  [[gnu::always_inline]] void in_rows(const Run& run, F f) {
    const Instruction& first = tape_.instructions[run.begin];
    const double* const a = memory_ + static_cast<std::size_t>(first.a) * W;
    const double* const b = memory_ + static_cast<std::size_t>(first.b) * W;
    const auto count = static_cast<std::ptrdiff_t>(run.end - run.begin);
    const auto with = [&](auto step_a, auto step_b) {
      double* const to = to_;
#ifndef __clang__  // Which looks at run time whether rows overlap.
#pragma GCC ivdep
#endif
      for (std::ptrdiff_t k = 0; k < count; ++k) {
        put(to + k * W, f(get(a + k * step_a * W), get(b + k * step_b * W)));
      }
    };
    constexpr std::integral_constant<std::ptrdiff_t, 0> same{};
    constexpr std::integral_constant<std::ptrdiff_t, 1> next{};
    if (W == 1 && run.step_a == 1 && run.step_b == 1) {
      with(next, next);
    } else if (W == 1 && run.step_a == 0 && run.step_b == 1) {
      with(same, next);
    } else if (W == 1 && run.step_a == 1 && run.step_b == 0) {
      with(next, same);
    } else {
      with(static_cast<std::ptrdiff_t>(run.step_a), static_cast<std::ptrdiff_t>(run.step_b));
    }
    to_ += count * W;
  }

  template <class F>
  [[gnu::always_inline]] void unary(const Run& run, F f) {
    if (run.in_rows) return in_rows(run, [&](const T& a, const T&) { return f(a); });
    each(run, [&](const Instruction& one) { return f(at(one.a)); });
  }
  template <class F>
  [[gnu::always_inline]] void binary(const Run& run, F f) {
    if (run.in_rows) return in_rows(run, f);
    each(run, [&](const Instruction& one) { return f(at(one.a), at(one.b)); });
  }
  /// One lane after the other.
  void by_numbers(const Run& run) {
    each(run, [&](const Instruction& one) {
      if constexpr (W == 1) {
        return value_of(run.operation, at(one.a), at(one.b), at(one.c));
      } else {
        const T a = at(one.a), b = at(one.b), c = at(one.c);
        T out;
        for (int lane = 0; lane < W; ++lane) {
          out.set(lane, value_of(run.operation, a[lane], b[lane], c[lane]));
        }
        return out;
      }
    });
  }

  void sines_cosines(const Run& run) {
    const Instruction* one = tape_.instructions.data() + run.begin;
    const Instruction* const end = tape_.instructions.data() + run.end;
    double* sine = to_;
    double* cosine = to_ + W * (end - one);
    to_ += 2 * W * (end - one);
    if constexpr (W > 1) {
      for (; one != end; ++one, sine += W, cosine += W) {
        const auto both = detail::sine_cosine_of(at(one->a));
        both.sine.store(sine);
        both.cosine.store(cosine);
      }
    } else {
      constexpr int side_by_side = Set::numbers;
      for (; end - one >= side_by_side; one += side_by_side) {
        angles_side_by_side<side_by_side>(one, side_by_side, sine, cosine);
      }
      // Of few, narrow lanes are at hand sooner.
      for (; end - one > side_by_side / 2; one = end) {
        angles_side_by_side<side_by_side>(one, static_cast<int>(end - one), sine, cosine);
      }
      for (; one < end; one += 2) {
        angles_side_by_side<2>(one, end - one > 1 ? 2 : 1, sine, cosine);
      }
    }
  }

  /// `count` angles in n lanes.
  template <int n>
  [[gnu::always_inline]] void angles_side_by_side(const Instruction* one, int count, double*& sine,
                                                  double*& cosine) {
    const auto both =
        detail::sine_cosine_of(angles_of<n>(one, count, std::make_integer_sequence<int, n>()));
    if (count == n) {
      both.sine.store(sine);
      both.cosine.store(cosine);
    } else {
      for (int i = 0; i < count; ++i) {
        sine[i] = both.sine[i];
        cosine[i] = both.cosine[i];
      }
    }
    sine += count;
    cosine += count;
  }
  /// From where they are into a register, without a way by memory that has to be waited for.
  template <int n, int... i>
  [[gnu::always_inline]] Lanes<n, Set> angles_of(const Instruction* one, int count,
                                                 std::integer_sequence<int, i...>) const {
    using Numbers = typename Lanes<n, Set>::Layout::Numbers;
    Lanes<n, Set> angles;
    angles.r[0] = Numbers{at(one[i < count ? i : 0].a)...};
    return angles;
  }

  template <class Mask>
  static T yes_or_no(const Mask& mask) {
    if constexpr (W == 1) {
      return mask ? 1 : 0;
    } else {
      return select(mask, T(1), T(0));
    }
  }
  static T root(const T& x) {
    if constexpr (W == 1) {
      return std::sqrt(x);
    } else {
      return sqrt(x);
    }
  }

  void operate(const Run& run) {
    switch (run.operation) {
      case Operation::add:
        return binary(run, [](const T& a, const T& b) { return a + b; });
      case Operation::subtract:
        return binary(run, [](const T& a, const T& b) { return a - b; });
      case Operation::multiply:
        return binary(run, [](const T& a, const T& b) { return a * b; });
      case Operation::divide:
        return binary(run, [](const T& a, const T& b) { return a / b; });
      case Operation::negate:
        return unary(run, [](const T& a) { return -a; });
      case Operation::square_root:
        return unary(run, [](const T& a) { return root(a); });
      case Operation::sine:
        return sines_cosines(run);
      case Operation::less:
        return binary(run, [](const T& a, const T& b) { return yes_or_no(a < b); });
      case Operation::less_equal:
        return binary(run, [](const T& a, const T& b) { return yes_or_no(a <= b); });
      case Operation::select:
        return each(run, [&](const Instruction& one) {
          const T a = at(one.a), b = at(one.b), c = at(one.c);
          if constexpr (W == 1) {
            return a != 0 ? b : c;
          } else {
            return select(a != T(0), b, c);
          }
        });
      default:
        return by_numbers(run);
    }
  }

  const Tape& tape_;
  double* memory_;
  double* to_;
};

}  // namespace daewave::expression
