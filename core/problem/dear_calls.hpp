#pragma once
// Problems of which a call costs far more than a point of it does, as one into another language.
// Few are; those say so beside the seam of dae_problem.hpp, and methods that look at many points in
// a call are taken for them.

#include "core/problem/dae_problem.hpp"

namespace daewave {

/// A base beside DaeProblem.
class DearCalls {
 public:
  virtual ~DearCalls() = default;
  virtual bool calls_are_dear() const = 0;
  /// Evaluates what evaluations will be asked for at single points, in one call; until the next
  /// time, which may be of none. Points have t, q and, of a motion, v.
  virtual void foresee(Ask what, const Points& at) const = 0;
  /// The same where that has been evaluated. @param terms  of these points.
  virtual void know(Ask what, const Points& at, const Terms& terms) const = 0;
};

/// Null where calls of the problem are not dear.
inline const DearCalls* dear_calls_of(const DaeProblem& problem) {
  const auto* const says = dynamic_cast<const DearCalls*>(&problem);
  return says != nullptr && says->calls_are_dear() ? says : nullptr;
}

inline bool calls_are_dear(const DaeProblem& problem) { return dear_calls_of(problem) != nullptr; }

}  // namespace daewave
