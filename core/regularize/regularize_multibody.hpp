#pragma once
// Sequential regularization of M v' = f - G^T lambda, 0 = g: that of index 3 with B = M^-1 G^T.
//
//   invariant  [AL2] (5.3)-(5.4)   q' = v - (1/eps) B E g,   v' = M^-1 f - B lambda_s,
//                                  lambda_s = lambda_{s-1} + (1/eps) E (G v + g_t)
//   singular   [AL2] (5.5)-(5.6)   q' = v - (1/eps) B (GB)^-1 g,   v' = M^-1 f - w_s,
//                                  w_s = P w_{s-1} + (1/eps) (P v + B (GB)^-1 g_t)
//
// E = I needs M^-1 alone. Rows of nonholonomic constraints have no g: their multipliers follow
// those of g, and the same equations hold.

#include "core/regularize/multibody_point.hpp"
#include "core/regularize/regularize_index3.hpp"

namespace daewave {

namespace detail {

template <class P>
struct PointTrait {
  using type = SecondOrderPoint<P>;
};
template <Multibody P>
struct PointTrait<P> {
  using type = MultibodyPoint<P>;
};

}  // namespace detail

/// What evaluates a problem of index 3 at one state, whichever its equations are.
template <class P>
using PointOf = typename detail::PointTrait<P>::type;

/// Carries lambda, nl: invariant and baumgarte_form.
template <Multibody P>
using RegularizedMultibody = RegularizedIndex3<MultibodyPoint<P>>;

/// Carries zeta, 2 nl: invariant_reduced.
template <Multibody P>
using RegularizedReducedMultibody = RegularizedReduced<MultibodyPoint<P>>;

/// Carries B lambda, nq: singular.
template <Multibody P>
using RegularizedSingularMultibody = RegularizedSingular3<MultibodyPoint<P>>;

}  // namespace daewave
