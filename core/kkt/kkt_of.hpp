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

}  // namespace daewave
