#pragma once
// Which solver of linear systems a multibody system has.

#include "core/kkt/kkt.hpp"

namespace daewave {

namespace detail {

template <class P>
struct KktTrait {
  using type = NullSpaceKkt<typename P::Position, MultiplierOf<P>>;
};
template <class P>
requires requires { typename P::Kkt; }
struct KktTrait<P> {
  using type = typename P::Kkt;
};

}  // namespace detail

/// What solves the linear systems of a multibody system: `typename P::Kkt` where the problem has a
/// solver of its own, with the interface of NullSpaceKkt.
template <class P>
using KktOf = typename detail::KktTrait<P>::type;

/// Kkt::eliminate(), with M where the solver chooses its pivots by it.
template <class Kkt, class Jacobian, class Mass>
void eliminate_in_metric(Kkt& kkt, const Jacobian& G, const Mass& M, double rank_tolerance) {
  if constexpr (requires { kkt.eliminate(G, M, rank_tolerance); }) {
    kkt.eliminate(G, M, rank_tolerance);
  } else {
    kkt.eliminate(G, rank_tolerance);
  }
}

}  // namespace daewave
