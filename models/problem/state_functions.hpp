#pragma once
// Expressions of t and the state as functions, one call for all of them.

#include <vector>

#include "core/types.hpp"
#include "models/expression/compiled_tapes.hpp"
#include "models/problem/variables.hpp"

namespace daewave::models {

/// May be called from several threads at once.
class StateFunctions {
 public:
  /// @param variables  those that the expressions have, no unknowns w.
  StateFunctions(const Graph& graph, const std::vector<Ref>& expressions,
                 const Variables& variables);

  int count() const { return tape_.outputs; }
  /// @param state  x, or (q, v).
  VecX operator()(double t, const VecX& state) const;
  /// The same. @param v  null where there are no velocities. @param out  count() numbers.
  void evaluate(double t, const double* q, const double* v, double* out) const;

 private:
  Tape tape_;
  TapeFunctions functions_ = tape_functions();
  int nq_;
};

}  // namespace daewave::models
