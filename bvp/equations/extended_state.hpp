#pragma once
// What is solved for beside x, so that unknown parameters, integrals and states inside the interval
// become conditions at both ends:
//
//   p' = 0,                            the unknown parameters;
//   z' = h(x, t),     z(begin) = 0,    so that z(end) is the integral of h;
//   m' = x' to c, then 0, m(begin) = x(begin),   so that m(end) = x(c), where c is a node: exactly
//                                      what collocation has there, as both have the same slopes.

#include <functional>
#include <vector>

#include "bvp/curve/collocation_curve.hpp"
#include "bvp/curve/component_sizes.hpp"
#include "core/ranks/mesh_share.hpp"

namespace daewave::bvp {

/// How an extended state X = (x, p, z, m) is laid out.
struct ExtendedState {
  int nx = 0;          ///< Of the problem itself.
  int parameters = 0;  ///< Unknown ones.
  int integrals = 0;
  std::vector<double> inside{};  ///< Times c, each with nx entries of m.

  int size() const { return inside_at(static_cast<int>(inside.size())); }
  bool is_more() const { return size() > nx; }
  int integrals_at() const { return nx + parameters; }
  int inside_at(int i) const { return nx + parameters + integrals + i * nx; }
  /// p in X, without its last bits: it is the same at all nodes but for rounding, and whoever looks
  /// at a node makes of it the same problem.
  VecX unknowns(const VecX& X) const;
  static double without_last_bits(double p);

  /// A curve of x alone as a guess at X. @param share  of its mesh.
  CollocationCurve extended(const CollocationCurve& curve, const VecX& unknowns,
                            const MeshShare& share = {}) const;
  /// The same of a function.
  std::function<VecX(double)> extended(std::function<VecX(double)> x, VecX unknowns) const;
  /// Sizes of x as those of X. @param others  absolute and relative ones of p and z.
  ComponentSizes extended(const ComponentSizes& sizes, double others) const;
  /// x of a curve of X.
  CollocationCurve without_more(const CollocationCurve& curve) const;
};

}  // namespace daewave::bvp
