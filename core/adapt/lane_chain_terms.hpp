#pragma once
// The terms of an open chain at 8 points at once: of a struct with a diagonal M that states them
// for lanes, see core/problem/chain_lane_terms.hpp.

#include <cstddef>
#include <cstdint>

#include "core/adapt/structure_of.hpp"
#include "core/lanes/lane_functions.hpp"
#include "core/lanes/lane_memory.hpp"
#include "core/machine/flatten.hpp"
#include "core/problem/chain_lane_terms.hpp"
#include "core/problem/dae.hpp"
#include "core/problem/dae_problem.hpp"

namespace daewave {

namespace detail {

template <class P, class T>
concept StatesChainTerms = requires(const P& p, const T* x, const T& t,
                                    const ChainLaneTerms<T>& at) {
  p.chain_terms(x, x, t, at);
};
template <class P, class T>
concept ChainInLanesOf =
    StatesChainTerms<P, T> && Multibody<P> && StructureOf<P>::chain && StructureOf<P>::diagonal;

/// Batches of points of a chain, 8 at a time.
template <class P, class Set>
class LaneChainEvaluation final : public Evaluation {
  static constexpr int W = 8;
  using T = Lanes<W, Set>;

 public:
  LaneChainEvaluation(const P& problem, const Sizes& sizes)
      : problem_(problem), bodies_(sizes.nq / 3) {
    T* at = lanes(one_, 16 * bodies_);
    for (int a = 0; a < arrays; ++a, at += size_of(a - 1)) all_.*lanes_of_terms[a] = at;
    own_.stride = W;
  }

  const Terms& evaluate(Ask what, const Points& at) override {
    if (at.count <= W) {
      fill(what, at, 0);
      for (int a = 0; a < arrays; ++a) {
        own_.*members[a] = asks(what, asked[a]) ? numbers(all_.*lanes_of_terms[a]) : nullptr;
      }
      return own_;
    }
    return evaluate_many(what, at);
  }

 private:
  static constexpr int arrays = 6;
  static constexpr Ask asked[arrays] = {Ask::f, Ask::M, Ask::G, Ask::g, Ask::g_t, Ask::curvature};
  static constexpr T* ChainLaneTerms<T>::*lanes_of_terms[arrays] = {
      &ChainLaneTerms<T>::f, &ChainLaneTerms<T>::M,   &ChainLaneTerms<T>::G,
      &ChainLaneTerms<T>::g, &ChainLaneTerms<T>::g_t, &ChainLaneTerms<T>::curvature};
  static constexpr const double* Terms::*members[arrays] = {
      &Terms::f, &Terms::M, &Terms::G, &Terms::g, &Terms::g_t, &Terms::curvature};

  /// Entries of an array; none before the first.
  int size_of(int array) const {
    constexpr int per_body[] = {3, 3, 4, 2, 2, 2};
    return array < 0 ? 0 : per_body[array] * bodies_;
  }
  static T* lanes(LaneMemory<T>& memory, int count) {
    return reinterpret_cast<T*>(memory.reserve(static_cast<std::size_t>(W) * count));
  }
  static const double* numbers(const T* lanes) { return reinterpret_cast<const double*>(lanes); }

  /// Points from the first on, the last one repeated where there are less.
  DAEWAVE_FLATTEN void fill(Ask what, const Points& at, int first) {
    ChainLaneTerms<T> wanted;
    for (int a = 0; a < arrays; ++a) {
      if (asks(what, asked[a])) wanted.*lanes_of_terms[a] = all_.*lanes_of_terms[a];
    }
    if (at.stride == W && at.count == W && at.v != nullptr && aligned(at.q) && aligned(at.v)) {
      return problem_.chain_terms(reinterpret_cast<const T*>(at.q),
                                  reinterpret_cast<const T*>(at.v), T::load(at.t), wanted);
    }
    T t(0);
    T *const q = lanes(state_, 6 * bodies_), *const v = q + 3 * bodies_;
    for (int lane = 0; lane < W; ++lane) {
      const int p = first + lane < at.count ? first + lane : at.count - 1;
      t.set(lane, at.t[p]);
      for (int i = 0; i < 3 * bodies_; ++i) q[i].set(lane, at.q[i * at.stride + p]);
      for (int i = 0; i < 3 * bodies_; ++i) {
        v[i].set(lane, at.v == nullptr ? 0.0 : at.v[i * at.stride + p]);
      }
    }
    problem_.chain_terms(q, v, t, wanted);
  }
  static bool aligned(const double* at) {
    return reinterpret_cast<std::uintptr_t>(at) % alignof(T) == 0;
  }

  const Terms& evaluate_many(Ask what, const Points& at) {
    const int stride = (at.count + W - 1) / W * W;
    double* const all =
        memory_.reserve(static_cast<std::size_t>(16 * bodies_) * static_cast<std::size_t>(stride));
    many_.stride = stride;
    for (int first = 0; first < at.count; first += W) {
      fill(what, at, first);
      double* to = all;
      for (int a = 0; a < arrays; ++a) {
        many_.*members[a] = nullptr;
        if (!asks(what, asked[a])) continue;
        const T* const from = all_.*lanes_of_terms[a];
        for (int i = 0; i < size_of(a); ++i) from[i].store(to + i * stride + first);
        many_.*members[a] = to;
        to += static_cast<std::ptrdiff_t>(size_of(a)) * stride;
      }
    }
    return many_;
  }

  const P& problem_;
  int bodies_;
  LaneMemory<T> state_, one_;
  ChainLaneTerms<T> all_;  ///< Everything, of 8 points.
  Terms own_, many_;
  LaneMemory<T> memory_;
};

template <class P, class Set>
Evaluation* chain_evaluation_in_lanes(const P& problem, const Sizes& sizes) {
  return new LaneChainEvaluation<P, Set>(problem, sizes);
}

}  // namespace detail

}  // namespace daewave
