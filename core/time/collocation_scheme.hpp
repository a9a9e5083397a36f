#pragma once
// Collocation families: stages c, the integration matrix a and the weights b on the unit interval.
//
// The polynomial of degree k that satisfies the equations at the stages c_1..c_k has
//   X_j = x + h sum_l a_jl F_l,  x_new = x + h sum_l b_l F_l,
//   a_jl = integral of the Lagrange polynomial l over [0, c_j], b_l over [0, 1].     [AL1] 4.1

#include <string>
#include <vector>

#include "core/types.hpp"

namespace daewave {

enum class Scheme {
  gauss,     ///< k = 1..8, order 2k, symmetric.
  radau,     ///< Radau IIA, k = 1..8, order 2k - 1, damps; k = 1 is backward Euler.
  lobatto,   ///< Lobatto IIIA, k = 2..5, order 2k - 2, symmetric; k = 2 is the trapezoidal rule.
  midpoint,  ///< The same as gauss with one stage.
};

const char* name_of(Scheme scheme);

/// @throws InvalidOption naming the known schemes.
Scheme scheme_named(const std::string& name);

/// Every scheme, for tests and lists.
const std::vector<Scheme>& all_schemes();

/// Smallest and largest number of stages of a family.
struct StageRange {
  int least;
  int most;
};
StageRange stage_range(Scheme scheme);

/// A collocation family with a given number of stages.
struct Collocation {
  Scheme scheme = Scheme::gauss;
  int stages = 0;
  VecX c;     ///< Stage positions in [0, 1], increasing; k.
  MatX a;     ///< k x k; its first row is zero for lobatto.
  VecX b;     ///< k.
  int order;  ///< Of the nodes for ordinary equations.

  bool starts_at_node() const { return c[0] == 0.0; }
  bool ends_at_node() const { return c[stages - 1] == 1.0; }
  /// |R(infinity)| = 0: modes much faster than the step are damped, whichever way they grow.
  bool damps() const { return scheme == Scheme::radau; }
  /// Least h lambda > 0 at which |R| = 1: a mode that grows slower than that grows in steps of h
  /// too, one that is faster decays. Infinite for schemes that do not damp.
  double growing_up_to() const;

  /// b_l(theta) = integral of Lagrange polynomial l over [0, theta]; k.
  VecX integrated_weights(double theta) const;
  /// Value at theta of the Lagrange polynomials through the stages; k.
  VecX interpolation_weights(double theta) const;
};

/// @throws InvalidOption when the family does not exist with that number of stages.
Collocation collocation(Scheme scheme, int stages);

}  // namespace daewave
