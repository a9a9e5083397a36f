#pragma once
// How long the next step is.
//
//   h_new = h min(grow, max(shrink, safety err^{-(e - 0.75 beta)} err_before^{beta})),
//   e = 1 / (order of the estimate),
//
// never more than h after a rejection. With beta = 0 the elementary rule.

#include <algorithm>
#include <cmath>

#include "ivp/options/control.hpp"

namespace daewave::ivp {

/// Lengths of steps from errors in units of the tolerance.
class StepControl {
 public:
  /// @param error_order  h^(error_order + 1) is the order of the errors.
  StepControl(const Control& control, int error_order)
      : control_(control), exponent_(1.0 / (error_order + 1) - 0.75 * control.beta) {}

  /// The factor on h after a step with that error was accepted.
  double after_accepted(double error) {
    double factor = control_.grow;
    if (error > 0) {
      factor = control_.safety * std::pow(error, -exponent_);
      if (control_.beta > 0) factor *= std::pow(before_, control_.beta);
      factor = std::clamp(factor, control_.shrink, control_.grow);
    }
    if (rejected_) factor = std::min(factor, 1.0);
    remember_accepted(error);
    return factor;
  }

  /// And after it was rejected; an error that is not a number gives the least factor.
  double after_rejected(double error) {
    remember_rejected();
    if (!(error < INFINITY)) return control_.shrink;
    return std::clamp(control_.safety * std::pow(error, -exponent_), control_.shrink, 0.99);
  }

  /// Where the factor is not asked for.
  void remember_accepted(double error) {
    before_ = std::max(error, 1e-4);
    rejected_ = false;
  }
  void remember_rejected() { rejected_ = true; }

 private:
  Control control_;
  double exponent_;
  double before_ = 1e-4;
  bool rejected_ = false;
};

}  // namespace daewave::ivp
