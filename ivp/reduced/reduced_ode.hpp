#pragma once
// A DAE of reduced index as formulas step it, and what a report tells of it afterwards.

#include "ivp/reduced/pivot_watch.hpp"
#include "ivp/run/ode_system.hpp"

namespace daewave::ivp {

class ReducedOde : public OdeSystem {
 public:
  /// Evaluations in which the rank guard dropped a row of G.
  virtual long guarded() const = 0;
  /// How often local state-space form has chosen its parameters, the first time included.
  virtual long parameter_choices() const = 0;
  /// Of G, of all evaluations; nothing is seen where the linear algebra has none at hand.
  virtual PivotWatch& pivots() = 0;
};

}  // namespace daewave::ivp
