#pragma once
// The explicit method references are computed with: Gragg, Bulirsch, Stoer; no step control.

#include <array>

namespace daewave::problems {

/// The increment y(t + h) - y(t) of y' = rhs(t, y), local error O(h^17).
///
/// Midpoint rules of 2, 4, ..., 16 substeps have an error in powers of h^2, which extrapolation
/// removes. It is increments that are extrapolated, so rounding stays at 1e-14 of the increment.
/// Costs 72 evaluations. State is a fixed-size Eigen vector.
template <class State, class Rhs>
State extrapolation_step(const Rhs& rhs, double t, double h, const State& y) {
  constexpr int columns = 8;
  std::array<State, columns> column;
  const State slope = rhs(t, y);
  for (int k = 0; k < columns; ++k) {
    const int substeps = 2 * (k + 1);
    const double d = h / substeps;
    State before = State::Zero(y.size()), now = d * slope;
    for (int i = 1; i < substeps; ++i) {
      const State next = before + 2 * d * rhs(t + i * d, State(y + now));
      before = now;
      now = next;
    }
    column[k] = now;
    for (int j = k - 1; j >= 0; --j) {  // Aitken and Neville, in powers of h^2.
      const double ratio = static_cast<double>(k + 1) / (j + 1);
      column[j] = column[j + 1] + (column[j + 1] - column[j]) / (ratio * ratio - 1);
    }
  }
  return column[0];
}

}  // namespace daewave::problems
