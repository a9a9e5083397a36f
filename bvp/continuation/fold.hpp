#pragma once
// Where the parameter of a branch turns, between three solutions of it.

#include <functional>

#include "bvp/result/solution.hpp"

namespace daewave::bvp {

/// Three solutions in their order, and how others are found between them.
struct TurningStep {
  const Solution &before, &last, &next;
  double length = 1;                ///< From the first to the third.
  double tolerance = 0, range = 1;  ///< Of solutions; of the parameter, the way to go.
  std::function<double(const Solution& at)> along;          ///< Their secant, from the last one.
  std::function<double(const Solution& at)> value;          ///< Of the parameter.
  std::function<Solution(const Solution& guess)> on_plane;  ///< Across the secant, through a guess.
};

/// Where the parameter is largest or least: vertices of parabolas over the length along the secant.
/// Without values where these come to no end: of two branches.
Solution fold_between(const TurningStep& step);

}  // namespace daewave::bvp
