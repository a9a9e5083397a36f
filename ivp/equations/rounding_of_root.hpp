#pragma once
// How exactly rounding lets a root w of 0 = r(z, w, t) be known: an entry near zero, between terms
// that are not, is known to their rounding and not to its own.

#include "core/eigen_memory.hpp"

#include <limits>

#include "core/derivatives/invariant_derivatives.hpp"
#include "core/problem/invariant_terms.hpp"

namespace daewave::ivp {

/// |dr/dw|^-1 times what r moves by where z, w and t move by a few units of rounding. Not finite
/// where r is not. Two evaluations more than the one at w.
template <InvariantDae P>
typename P::Algebraic rounding_of_root(const P& problem, const typename P::State& z,
                                       const typename P::Algebraic& w, double t,
                                       const AlgebraicJacobian<P>& inverse) {
  constexpr double unit = 4 * std::numeric_limits<double>::epsilon();
  const auto moved = [](auto values, double by) {
    for (Eigen::Index i = 0; i < values.size(); ++i) values[i] *= 1 + (i % 2 == 0 ? by : -by);
    return values;
  };
  typename P::Algebraic r = w, other = w, noise = w;
  fill_r(problem, z, w, t, r);
  noise.setZero();
  for (const double by : {unit, -unit}) {
    fill_r(problem, moved(z, by), moved(w, by), t * (1 - by), other);
    noise = noise.cwiseMax((other - r).cwiseAbs());
  }
  return inverse.cwiseAbs() * noise;
}

}  // namespace daewave::ivp
