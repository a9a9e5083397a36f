#pragma once
// The DaeSystem of a problem whose type is known: of a kernel, that of the problem it stands for,
// which is compiled already.

#include <memory>

#include "ivp/equations/dae_system_of.hpp"
#include "ivp/equations/invariant_as_dae.hpp"
#include "ivp/equations/motion_dae.hpp"
#include "ivp/equations/semi_explicit_dae.hpp"

namespace daewave::ivp {

namespace detail {

template <class P>
struct DaeSystemTrait {
  using type = MotionDae<MultibodyEquations<P>>;
};
template <SemiExplicitDae P>
struct DaeSystemTrait<P> {
  using type = SemiExplicitAsDae<P>;
};
template <SecondOrderDae P>
struct DaeSystemTrait<P> {
  using type = MotionDae<SecondOrderEquations<P>>;
};

}  // namespace detail

/// @param problem  kept by reference. @param z0  a state at t, for sizes.
template <Dae P>
std::unique_ptr<DaeSystem> dae_system_of(const P& problem, const StateOf<P>& z0, double t,
                                         MultiplierForm form = MultiplierForm::eliminated,
                                         double rank_tolerance = 1e-12) {
  if constexpr (requires { problem.erased(); }) {
    return dae_system_of(problem.erased(), VecX(z0), t, form, rank_tolerance);
  } else {
    using System = typename detail::DaeSystemTrait<P>::type;
    return std::make_unique<System>(problem, z0, t, form, rank_tolerance);
  }
}

/// @param w0  algebraic unknowns near those of z0.
template <InvariantDae P>
std::unique_ptr<DaeSystem> dae_system_of(const P& problem, const typename P::State& z0,
                                         const typename P::Algebraic& w0, double t,
                                         MultiplierForm form = MultiplierForm::index_1) {
  if constexpr (requires { problem.erased(); }) {
    return dae_system_of(problem.erased(), VecX(z0), VecX(w0), t, form);
  } else {
    return std::make_unique<InvariantAsDae<P>>(problem, z0, w0, t, form);
  }
}

}  // namespace daewave::ivp
