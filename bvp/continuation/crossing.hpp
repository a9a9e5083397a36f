#pragma once
// Whether a step at whose ends a branch is the other way round (bvp/nonlinear/orientation.hpp)
// passes where branches cross, or leaps from one to another that it nearly meets: halves of it come
// together on a branch, and stay apart at a leap.

#include <functional>

#include "bvp/result/solution.hpp"

namespace daewave::bvp {

/// A step and what lies on its way.
struct TurnedStep {
  const Solution &last, &next;
  int at_last = 0;  ///< Its orientation there; at the next one it is the other.
  /// A solution between two others. @param part  of the way from one to the other, within (0, 1).
  std::function<Solution(const Solution& from, const Solution& to, double part)> between;
  std::function<int(const Solution& at)> orientation;
  std::function<double(const Solution& a, const Solution& b)> distance;
  /// What both may be off, in the unit of distances.
  std::function<double(const Solution& a, const Solution& b)> error;
};

enum class Crossing {
  passed,
  leapt,   ///< Or nothing is found between.
  stopped  ///< By the caller, while a solution between was looked for.
};

/// @param least  the part of the step at which what still comes together is a crossing; a hundredth
///              of that where errors allow to see smaller gaps.
Crossing crossing(const TurnedStep& step, double least);

}  // namespace daewave::bvp
