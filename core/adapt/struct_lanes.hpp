#pragma once
// Batches of points of a struct in SIMD lanes of one instruction set: what a file that is compiled
// for that set hands to one that is compiled for any processor.
//
//   daewave::StructLanes<Arm> arm_lanes(daewave::CompiledSimd) { return daewave::lanes_of<Arm>(); }
//
// compiled by daewave_add_lanes(target file.cpp), and taken where the program runs:
//
//   auto problem = daewave::problem_of(Arm{}, daewave::best_of([](auto set) {
//     return arm_lanes(set); }));

#include <cstddef>
#include <type_traits>

#include "core/adapt/lane_chain_terms.hpp"
#include "core/adapt/lane_terms.hpp"
#include "core/lanes/instruction_set.hpp"
#include "core/lanes/lane_memory.hpp"
#include "core/machine/flatten.hpp"

namespace daewave {

/// Makes evaluations in lanes; empty for a struct that has none.
template <class P>
struct StructLanes {
  Simd simd = Simd::sse2;
  int lanes = 1;
  /// Of one struct, or of `lanes` of them with parameters of their own, which must outlive what
  /// the caller deletes; null where that is not possible.
  Evaluation* (*of_one)(const P& problem, const Sizes& sizes) = nullptr;
  Evaluation* (*of_members)(const P* const* members, int count, const Sizes& sizes) = nullptr;
};

namespace detail {

/// A struct with another type of parameters: P is a template on it, or names P::In<T>.
template <class P, class T>
struct InLanesTrait {};
template <template <class> class Problem, class T>
struct InLanesTrait<Problem<double>, T> {
  using type = Problem<T>;
};
template <class P, class T>
requires requires { typename P::template In<T>; }
struct InLanesTrait<P, T> {
  using type = typename P::template In<T>;
};

/// Parameters may differ from lane to lane:
///
///   template <class Number = double> struct PendulumOf { Number length = 1; ...
///     template <class Lanes, class Member, class F>
///     static void each_parameter(Lanes& lanes, const Member& member, F f) {
///       f(lanes.length, member.length); } };
template <class P, class T>
concept ParametersInLanes = requires(typename InLanesTrait<P, T>::type& lanes, const P& member) {
  P::each_parameter(lanes, member, [](T&, double) {});
};

/// Batches in lanes of T. @tparam S  the struct, by reference, or one with parameters in lanes.
template <class P, class T, class S>
class LaneBatches {
  static constexpr int W = T::width;

 public:
  LaneBatches(const Sizes& sizes, S problem) : problem_(problem), terms_(sizes) {
    const auto address = [](const auto& matrix) {
      return reinterpret_cast<const double*>(matrix.data());
    };
    const auto& at = terms_.at;
    const int nq = sizes.nq, nl = sizes.nl();
    own_.stride = W;
    own_.f = address(at.f);
    if constexpr (Multibody<P>) {
      if constexpr (is_diagonal_mass<MassOf<P>>) {
        own_.M = address(at.M.diagonal());
        mass_ = nq;
      } else {
        own_.M = address(at.M);
        mass_ = nq * nq;
      }
    } else {
      own_.B = address(at.B);
    }
    own_.G = address(at.G);
    own_.g = address(at.position);
    own_.g_t = address(at.g_t);
    if constexpr (!SemiExplicitDae<P>) own_.curvature = address(at.curvature);
    nq_ = nq;
    nl_ = nl;
  }
  LaneBatches(const LaneBatches&) = delete;
  LaneBatches& operator=(const LaneBatches&) = delete;

  DAEWAVE_FLATTEN const Terms& evaluate(Ask what, const Points& at) {
    if (at.count <= W) {
      take(at, 0);
      terms_.fill(problem_, what);
      return own_;
    }
    return evaluate_many(what, at);
  }

 private:
  /// W points from the first; the last one repeated where there are less.
  [[gnu::always_inline]] void take(const Points& at, int first) {
    if (first + W <= at.count) {
      terms_.t = T::load(at.t + first);
      for (int i = 0; i < nq_; ++i) terms_.q[i] = T::load(at.q + i * at.stride + first);
      if constexpr (!SemiExplicitDae<P>) {
        if (at.v != nullptr) {
          for (int i = 0; i < nq_; ++i) terms_.v[i] = T::load(at.v + i * at.stride + first);
        }
      }
      return;
    }
    for (int lane = 0; lane < W; ++lane) {
      const int p = first + lane < at.count ? first + lane : at.count - 1;
      terms_.t.set(lane, at.t[p]);
      for (int i = 0; i < nq_; ++i) terms_.q[i].set(lane, at.q[i * at.stride + p]);
      if (SemiExplicitDae<P> || at.v == nullptr) continue;
      for (int i = 0; i < nq_; ++i) terms_.v[i].set(lane, at.v[i * at.stride + p]);
    }
  }

  const Terms& evaluate_many(Ask what, const Points& at) {
    const int stride = (at.count + W - 1) / W * W;
    const int sizes[] = {nq_, mass_, nq_ * nl_, nq_ * nl_, nl_, nl_, nl_};
    constexpr const double* Terms::*members[] = {
        &Terms::f, &Terms::M, &Terms::B, &Terms::G, &Terms::g, &Terms::g_t, &Terms::curvature};
    int total = 0;
    for (int size : sizes) total += size;
    double* const all =
        memory_.reserve(static_cast<std::size_t>(total) * static_cast<std::size_t>(stride));
    many_ = Terms{};
    many_.stride = stride;
    for (int first = 0; first < at.count; first += W) {
      take(at, first);
      terms_.fill(problem_, what);
      double* to = all;
      for (int m = 0; m < 7; ++m) {
        const double* const from = own_.*members[m];
        if (from == nullptr) continue;
        for (int i = 0; i < sizes[m]; ++i) T::load(from + i * W).store(to + i * stride + first);
        many_.*members[m] = to;
        to += static_cast<std::ptrdiff_t>(sizes[m]) * stride;
      }
    }
    return many_;
  }

  S problem_;
  LaneTerms<P, T> terms_;
  Terms own_, many_;
  int nq_ = 0, nl_ = 0, mass_ = 0;
  LaneMemory<T> memory_;
};

template <class P, class Set, class S>
class LaneEvaluation final : public Evaluation {
 public:
  LaneEvaluation(const Sizes& sizes, S problem) : batches_(sizes, problem) {}
  const Terms& evaluate(Ask what, const Points& at) override { return batches_.evaluate(what, at); }

 private:
  LaneBatches<P, Lanes<Set::numbers, Set>, S> batches_;
};

/// Four points would leave half a register empty, and take long to be laid into it.
template <class P, class S>
class LaneEvaluation<P, Avx512, S> final : public Evaluation {
  static constexpr bool shared = std::is_reference_v<S>;  // Not with parameters in 8 lanes.

 public:
  LaneEvaluation(const Sizes& sizes, S problem) : eight_(sizes, problem), four_(sizes, problem) {}
  const Terms& evaluate(Ask what, const Points& at) override {
    if constexpr (shared) {
      if (at.count <= 4) return four_.evaluate(what, at);
    }
    return eight_.evaluate(what, at);
  }

 private:
  struct None {
    None(const Sizes&, S) {}
  };
  LaneBatches<P, Lanes<8, Avx512>, S> eight_;
  std::conditional_t<shared, LaneBatches<P, Lanes<4, Avx512>, S>, None> four_;
};

template <class P, class Set>
Evaluation* evaluation_in_lanes(const P& problem, const Sizes& sizes) {
  return new LaneEvaluation<P, Set, const Stated<P>&>(sizes, problem);
}

template <class P, class Set>
Evaluation* members_in_lanes(const P* const* members, int count, const Sizes& sizes) {
  using T = Lanes<Set::numbers, Set>;
  using S = typename InLanesTrait<Stated<P>, T>::type;
  if (count > T::width) return nullptr;
  S lanes;
  for (int lane = 0; lane < T::width; ++lane) {
    const Stated<P>& member = *members[lane < count ? lane : count - 1];
    Stated<P>::each_parameter(lanes, member,
                              [lane](T& parameter, double value) { parameter.set(lane, value); });
  }
  return new LaneEvaluation<P, Set, S>(sizes, lanes);
}

}  // namespace detail

/// True where every function of the struct is a template on the scalar, and sizes are fixed or
/// bounded.
template <class P, class Set = CompiledSimd>
concept HasLanes = detail::InLanesOf<P, Lanes<Set::numbers, Set>>;

/// Lanes of a struct with the instructions this file is compiled for; none where it has none.
template <class P, class Set = CompiledSimd>
StructLanes<P> lanes_of() {
  if constexpr (detail::ChainInLanesOf<P, Lanes<8, Set>>) {
    return {Set::simd, 8, &detail::chain_evaluation_in_lanes<P, Set>, nullptr};
  } else if constexpr (HasLanes<P, Set>) {
    using T = Lanes<Set::numbers, Set>;
    StructLanes<P> lanes{Set::simd, T::width, &detail::evaluation_in_lanes<P, Set>, nullptr};
    if constexpr (detail::ParametersInLanes<detail::Stated<P>, T>) {
      lanes.of_members = &detail::members_in_lanes<P, Set>;
    }
    return lanes;
  } else {
    return {};
  }
}

}  // namespace daewave
