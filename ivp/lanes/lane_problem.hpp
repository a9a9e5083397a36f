#pragma once
// Problems in lanes. A problem whose type is a template on its scalar,
//
//   template <class T = double> struct Pendulum {
//     using Position = VecOf<T, 2>;  using Multiplier = VecOf<T, 1>;
//     T g0 = 9.81;
//     ... M, f, g, G, g_t, curvature of Position and T, or terms(q, v, t, at) ...
//     template <class Lanes, class Member, class F>
//     static void each_parameter(Lanes& lanes, const Member& member, F f) { f(lanes.g0, member.g0);
//     }
//   };
//
// is a problem for numbers, Pendulum<double>, and one for W of them, Pendulum<Lanes<W>>.

#include "core/lanes/lanes_in_eigen.hpp"
#include "core/types.hpp"

namespace daewave {

namespace detail {

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

}  // namespace detail

/// The problem P of doubles with another scalar: P is a template on it, or names P::In<T>.
template <class P, class T>
using InLanes = typename detail::InLanesTrait<P, T>::type;

/// One problem per lane; parameters that are not named by each_parameter() are those of the type.
/// @param member  member(lane): a problem of doubles.
template <class P, class T, class Member>
InLanes<P, T> in_lanes(Member member) {
  InLanes<P, T> lanes;
  for (int lane = 0; lane < T::width; ++lane) {
    P::each_parameter(lanes, member(lane),
                      [lane](T& parameter, double value) { parameter.set(lane, value); });
  }
  return lanes;
}

/// What of a problem must be a template for it to run in lanes.
template <class P>
concept HasLanes = requires(InLanes<P, Lanes<4>>& lanes, const P& member) {
  P::each_parameter(lanes, member, [](Lanes<4>&, double) {});
};

}  // namespace daewave
