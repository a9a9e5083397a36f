#pragma once
// The right side of an ordinary equation at W points at once, of a struct that states it as a
// template on the scalar,
//
//   template <class T> VecOf<T, 2> f(const VecOf<T, 2>& x, T t) const;
//
// and df/dx: f_x where it is a template too; of with_autodiff(problem), f differentiated. A file
// that is compiled for one instruction set hands them to one that is compiled for any processor,
//
//   daewave::StructLanes<Rope> rope_lanes(daewave::CompiledSimd) {
//     return daewave::right_side_lanes_of<Rope>();
//   }
//
// as core/adapt/struct_lanes.hpp has it; problem.equations = problem_of(Rope{}, best_of(...)) takes
// them. No problem has them by itself: a right side may choose by `if`, which lanes have not.

#include <cstddef>

#include "core/adapt/lane_terms.hpp"
#include "core/adapt/struct_lanes.hpp"
#include "core/derivatives/with_f_jacobian.hpp"
#include "core/lanes/lane_memory.hpp"
#include "core/problem/dae_problem.hpp"

namespace daewave {
namespace detail {

template <class S, class X, class T>
concept StatesRightSide = requires(const S& s, const X& x, const T& t) {
  { s.f(x, t) } -> OfScalar<T>;
};
template <class S, class X, class T>
concept StatesRightSideJacobian = requires(const S& s, const X& x, const T& t) {
  { s.f_x(x, t) } -> OfScalar<T>;
};
template <class P>
inline constexpr bool differentiates_right_side = false;
template <class P>
inline constexpr bool differentiates_right_side<OrdinaryWithAutodiff<P>> = true;

/// All that P states is a template.
template <class P, class T>
consteval bool is_template() {
  if constexpr (OrdinaryEquation<P>) {
    using X = Rebind<ConfigurationOf<P>, T>;
    constexpr bool states_f_x = requires(const P& problem, const typename P::State& x) {
      problem.f_x(x, 0.0);
    };
    constexpr int most = most_rows<ConfigurationOf<P>>;
    return most != Dynamic && most <= most_on_stack && StatesRightSide<P, X, T> &&
           (differentiates_right_side<P> || StatesRightSideJacobian<P, X, T> || !states_f_x);
  }
  return false;
}
template <class P, class T>
concept RightSideInLanesOf = is_template<P, T>();

/// Batches of it.
template <class P, class T>
class RightSideBatches {
  static constexpr int W = T::width;
  using X = ConfigurationOf<P>;

 public:
  RightSideBatches(const Sizes& sizes, const P& problem) : problem_(problem), n_(sizes.nq) {
    x_.resize(n());
  }
  RightSideBatches(const RightSideBatches&) = delete;
  RightSideBatches& operator=(const RightSideBatches&) = delete;

  const Terms& evaluate(Ask what, const Points& at) {
    const bool with_f = asks(what, Ask::f), with_f_x = asks(what, Ask::f_q);
    const std::ptrdiff_t stride = at.count > W ? at.count : W;
    const std::ptrdiff_t of_f = with_f ? n() * stride : 0;
    double* const all =
        memory_.reserve(static_cast<std::size_t>(of_f + (with_f_x ? n() * n() * stride : 0)));
    double *const f = with_f ? all : nullptr, *const f_x = with_f_x ? all + of_f : nullptr;
    const auto fill = [&](int first) { fill_from(first, stride, f, f_x); };
    int first = 0;
    for (; first + W <= at.count; first += W) {
      t_ = T::load(at.t + first);
      for (int i = 0; i < n(); ++i) x_[i] = T::load(at.q + i * at.stride + first);
      fill(first);
    }
    if (first < at.count && first > 0) {
      // The last points are some of those before once more.
      first = at.count - W;
      t_ = T::load(at.t + first);
      for (int i = 0; i < n(); ++i) x_[i] = T::load(at.q + i * at.stride + first);
      fill(first);
    } else if (first < at.count) {
      for (int lane = 0; lane < W; ++lane) {
        const int p = lane < at.count ? lane : at.count - 1;
        t_.set(lane, at.t[p]);
        for (int i = 0; i < n(); ++i) x_[i].set(lane, at.q[i * at.stride + p]);
      }
      fill(0);
    }
    terms_ = Terms{};
    terms_.stride = static_cast<int>(stride);
    terms_.f = f;
    terms_.f_q = f_x;
    return terms_;
  }

 private:
  /// W points from the first, of which x and t are set.
  [[gnu::always_inline]] void fill_from(int first, std::ptrdiff_t stride, double* f, double* f_x) {
    if (f != nullptr) {
      const Rebind<X, T> slope = problem_.f(x_, t_);
      for (int i = 0; i < n(); ++i) slope[i].store(f + i * stride + first);
    }
    if (f_x == nullptr) return;
    if constexpr (StatesRightSideJacobian<P, Rebind<X, T>, T>) {
      const auto J = problem_.f_x(x_, t_);
      for (int j = 0; j < n(); ++j) {
        for (int i = 0; i < n(); ++i) J(i, j).store(f_x + (i + j * n()) * stride + first);
      }
    } else if constexpr (differentiates_right_side<P>) {
      differentiate(first, stride, f_x);
    }
  }

  DAEWAVE_FLATTEN void differentiate(int first, std::ptrdiff_t stride, double* f_x) {
    constexpr int width = rows<X> != Dynamic && rows<X> <= SomeDirections::most ? rows<X> : 8;
    using D = LaneDual<X, T, width>;
    Rebind<X, D> x;
    x.resize(n());
    for (int from = 0; from < n(); from += width) {
      for (int j = 0; j < n(); ++j) {
        x[j] = j >= from && j < from + width ? D(x_[j], j - from) : D(x_[j]);
      }
      const Rebind<X, D> slope = problem_.f(x, D(t_));
      for (int j = from; j < from + width && j < n(); ++j) {
        for (int i = 0; i < n(); ++i) {
          slope[i].derivative(j - from).store(f_x + (i + j * n()) * stride + first);
        }
      }
    }
  }

  [[gnu::always_inline]] int n() const { return n_.value(); }

  const P& problem_;
  LaneSize<rows<X>> n_;
  Rebind<X, T> x_;
  T t_;
  Terms terms_;
  LaneMemory<T> memory_;
};

template <class P, class Set>
class RightSideInLanes final : public Evaluation {
 public:
  RightSideInLanes(const Sizes& sizes, const P& problem) : batches_(sizes, problem) {}
  const Terms& evaluate(Ask what, const Points& at) override { return batches_.evaluate(what, at); }

 private:
  RightSideBatches<P, Lanes<Set::numbers, Set>> batches_;
};

template <class P, class Set>
Evaluation* right_side_in_lanes(const P& problem, const Sizes& sizes) {
  return new RightSideInLanes<P, Set>(sizes, problem);
}

}  // namespace detail

/// Lanes of an ordinary equation with the instructions this file is compiled for.
template <class P, class Set = CompiledSimd>
requires detail::RightSideInLanesOf<P, Lanes<Set::numbers, Set>> StructLanes<P>
right_side_lanes_of() {
  return {Set::simd, Set::numbers, &detail::right_side_in_lanes<P, Set>, nullptr};
}

}  // namespace daewave
