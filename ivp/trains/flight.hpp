#pragma once
// A window in flight: what is known of its motion so far.

#include <cmath>
#include <memory>
#include <vector>

#include "ivp/trains/known_terms.hpp"
#include "ivp/trains/term_slopes.hpp"
#include "ivp/windows/window_polynomial.hpp"

namespace daewave::ivp {

struct Flight {
  double t = 0, h = 0;
  AlignedVector a;                    ///< Accelerations, entry i at node p at [i * nodes + p].
  WindowPolynomial motion;            ///< Of these, from where the window begins.
  std::vector<double> weight;         ///< Of changes of a, in units of the tolerance.
  VecX free_end;                      ///< Where the polynomial ends,
  VecX end;                           ///< and that brought back to the constraints.
  double error = 0, inner_error = 0;  ///< At the end and inside, in units of the tolerance.
  double rate = 0;                    ///< Of the sweeps.
  double pivot = 0;                   ///< The smallest of G.

  bool known = false;  ///< Terms were evaluated, at its nodes and at its end.
  KnownTerms nodes, at_end;
  std::shared_ptr<const TermSlopes> slopes;
  int slopes_taken = 0;
  double change = 0;  ///< What they changed, as part of a velocity.
  /// How far its motion was off them when that was looked at last, in units of the tolerance.
  double off = INFINITY;

  // Once it has landed.
  VecX multiplier;
  double drift_position = 0, drift_velocity = 0;
};

}  // namespace daewave::ivp
