#pragma once
// Gauss collocation with 8 stages, of order 16, as whole-interval windows need it: nodes side by
// side, so that each may be a SIMD lane.
//
//   V_i = v + H sum_j A_ij a_j,  Q_i = q + c_i H v + H^2 sum_j (A A)_ij a_j,
//   v_new = v + H sum_j b_j a_j, q_new = q + H v + H^2 sum_j b_j (1 - c_j) a_j          [HW2] II.7

#include <array>

namespace daewave::ivp {

struct WindowFormula {
  static constexpr int nodes = 8;
  static constexpr int order = 2 * nodes;
  using Row = std::array<double, nodes>;

  alignas(64) Row c;                         ///< In (0, 1), increasing.
  alignas(64) std::array<Row, nodes> once;   ///< A_ij at [j][i].
  alignas(64) std::array<Row, nodes> twice;  ///< (A A)_ij at [j][i].
  alignas(64) Row b, end;                    ///< b_j, and b_j (1 - c_j).
  /// Coefficient k in Legendre polynomials of what has values a_j at the nodes: sum_j [j][k] a_j.
  alignas(64) std::array<Row, nodes> coefficient;
};

/// Made once, in long double.
const WindowFormula& window_formula();

/// At theta, of the Legendre polynomials on [0, 1] of degrees 0 to 7: their values, their integrals
/// from 0 to theta, and those of these. Inlined, so that what is not asked for is not computed, and
/// without divisions, each of which the next would wait for.
struct LegendreAt {
  [[gnu::always_inline]] explicit LegendreAt(double theta) {
    constexpr int nodes = WindowFormula::nodes;
    const double x = 2 * theta - 1;
    double P[nodes + 2] = {1, x}, J[nodes + 1] = {theta};
    for (int k = 1; k <= nodes; ++k) {
      P[k + 1] = ((2 * k + 1) / (k + 1.0) * x) * P[k] - k / (k + 1.0) * P[k - 1];
      J[k] = 0.5 / (2 * k + 1) * (P[k + 1] - P[k - 1]);
    }
    next = P[nodes];
    value[0] = 1;
    once[0] = theta;
    twice[0] = 0.5 * theta * theta;
    for (int k = 1; k < nodes; ++k) {
      value[k] = P[k];
      once[k] = J[k];
      twice[k] = 0.5 / (2 * k + 1) * (J[k + 1] - J[k - 1]);
    }
  }

  WindowFormula::Row value, once, twice;
  double next;  ///< The value of the polynomial of degree 8.
};

}  // namespace daewave::ivp
