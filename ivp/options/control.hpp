#pragma once
// Constants of the rule for the length of the next step (ivp/run/step_control.hpp).

namespace daewave::ivp {

/// Constants of the rule.
struct Control {
  double safety = 0.9;  ///< In (0, 1).
  double beta = 0;      ///< >= 0, of the error one step before; 0.04 damps oscillating steps.
  double shrink = 0.2;  ///< Least factor, in (0, 1).
  double grow = 10;     ///< Largest factor, > 1.
};

}  // namespace daewave::ivp
