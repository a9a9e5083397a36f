#pragma once
// A step of a formula that stiff parts hold back, and that sees when they do.

#include "ivp/run/step.hpp"

namespace daewave::ivp {

class NonstiffStep : public Step {
 public:
  /// Asked for, where it costs something.
  virtual void watch_stiffness(bool /*watch*/) {}
  /// Of the step last accepted: its length times the size of the largest eigenvalue, as far as the
  /// step sees it; 0 where accuracy alone holds it.
  virtual double stiffness() const = 0;
};

}  // namespace daewave::ivp
