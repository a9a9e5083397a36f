#pragma once
// Points of an interval at which a solution is looked at, and its polynomials there.

#include <vector>

#include "bvp/curve/stage_polynomials.hpp"

namespace daewave::bvp {

/// What the polynomials of a solution are at points of [0, 1]; points x polynomials, both.
struct PolynomialsAt {
  MatX values;     ///< Of the Lagrange polynomials, one column each.
  MatX integrals;  ///< Of their integrals from the left node, in units of the step.

  PolynomialsAt() = default;
  PolynomialsAt(const StagePolynomials& polynomials, const VecX& theta) { set(polynomials, theta); }
  void set(const StagePolynomials& polynomials, const VecX& theta) {
    polynomials.values(theta, values);
    polynomials.integrals(theta, integrals);
  }
};

/// Points of one interval, and the polynomials of a solution there, which are kept elsewhere:
/// intervals of all meshes share them.
struct Places {
  std::vector<double> t;
  const PolynomialsAt* polynomials = nullptr;
  const PolynomialsAt* with_stages = nullptr;  ///< The same behind those at the stages; or null.

  const MatX& values() const { return polynomials->values; }
  const MatX& integrals() const { return polynomials->integrals; }
};

}  // namespace daewave::bvp
