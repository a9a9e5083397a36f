#pragma once
// Forward Euler for linear DAEs, in the frame of the collocation schemes.

#include "core/time/collocation_scheme.hpp"

namespace daewave::ivp {

/// Stages on both nodes, of which the left one alone moves x:
///
///   x_i = x_{i-1} + h (A x_{i-1}^s - B y_{i-1}^s + q),  then B y_i^s from x_i^s.    [AL1] (3.16)
///
/// No matrix is inverted but that of the multiplier equation. Order 1, for h below what the
/// regularization allows.
Collocation forward_euler();

}  // namespace daewave::ivp
