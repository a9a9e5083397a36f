#pragma once
// Unknowns without a derivative are eliminated from a Jacobian: of f(z, w), 0 = r(z, w), r_w
// regular,
//
//   d f(z, w(z)) / dz = f_z - f_w r_w^-1 r_z.

#include "core/kkt/dense_factors.hpp"
#include "core/types.hpp"

namespace daewave {

/// Holds the memory: after the first call none is asked for.
class AlgebraicElimination {
 public:
  /// @param all  the derivative of (f, r) with respect to (z, w), nz + nw square. @param J  nz x
  /// nz.
  /// @return false where r_w is singular, or something is not finite.
  bool eliminate(const MatX& all, int nz, MatX& J);

 private:
  DenseLu lu_;
  MatX r_w_;
  VecX right_, solved_;
};

}  // namespace daewave
