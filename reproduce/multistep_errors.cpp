#include "reproduce/multistep_errors.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/not_finite.hpp"
#include "ivp/multistep/blocked_multistep_step.hpp"

namespace daewave::reproduce {

LargestAndMean multistep_errors(ivp::IndexTwoSystem& system, const ivp::BlockedFormula& formula,
                                const VecX& x0, double begin, double h, int steps,
                                const ErrorAt& error) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  const LargestAndMean failed{{none, none}, {none, none}};
  ivp::BlockedMultistepStep step(system, formula, ivp::Tolerance({}, system.nx()), false);
  if (!step.start(begin, x0)) return failed;
  LargestAndMean errors;
  VecX lambda;
  for (int i = 1; i <= steps; ++i) {
    if (std::isnan(step.attempt(begin + i * h - step.t())) || !step.accept()) return failed;
    step.multiplier(lambda);
    const MultistepErrors at = error(i, step.state(), lambda);
    errors.largest = {larger(errors.largest.x, at.x), larger(errors.largest.lambda, at.lambda)};
    errors.mean.x += at.x / steps;
    errors.mean.lambda += at.lambda / steps;
  }
  return errors;
}

}  // namespace daewave::reproduce
