#pragma once
// Errors of multistep formulas with equal steps over an interval.

#include <functional>

#include "ivp/equations/index_two_system.hpp"
#include "ivp/multistep/blocked_formula.hpp"

namespace daewave::reproduce {

/// Of x and lambda at one node, or over all of them.
struct MultistepErrors {
  double x = 0;
  double lambda = 0;
};

/// Errors of x and lambda at node i, t = begin + i h.
using ErrorAt = std::function<MultistepErrors(int i, const VecX& x, const VecX& lambda)>;

struct LargestAndMean {
  MultistepErrors largest, mean;  ///< Over nodes 1..steps; NaN where a step fails.
};

/// Steps of h from a consistent x0.
LargestAndMean multistep_errors(ivp::IndexTwoSystem& system, const ivp::BlockedFormula& formula,
                                const VecX& x0, double begin, double h, int steps,
                                const ErrorAt& error);

}  // namespace daewave::reproduce
