#pragma once
// The motion in a window, or in a piece of one: the polynomial whose accelerations are those at the
// nodes, in Legendre polynomials.

#include "core/machine/aligned.hpp"
#include "core/types.hpp"
#include "ivp/windows/window_formula.hpp"

namespace daewave::ivp {

struct WindowPolynomial {
  static constexpr int nodes = WindowFormula::nodes;

  VecX begin;            ///< (q, v).
  double h = 0;          ///< Length; may be negative.
  AlignedVector series;  ///< Coefficient k of entry i of v' at [i * nodes + k].

  /// (q, v) at begin + theta h. @param legendre  at theta.
  void at(double theta, const LegendreAt& legendre, VecX& z) const;
  /// Entry i of q there.
  double position(int i, double theta, const LegendreAt& legendre) const {
    double twice = 0;
    for (int k = nodes; k-- > 0;) twice += legendre.twice[k] * series[i * nodes + k];
    return begin[i] + h * (theta * begin[begin.size() / 2 + i] + h * twice);
  }
  void at(double theta, VecX& z) const { at(theta, LegendreAt(theta), z); }
};

}  // namespace daewave::ivp
