#include "tests/ivp/doors/rail.hpp"

#include "ivp/solve.hpp"

namespace daewave::testing {

using ivp::Options;
using ivp::Solution;

Solution run(const Rail& rail, const VecX& start, const Interval& span, const Options& options) {
  return ivp::solve(rail, start, span, options);
}

Solution oscillate(const Options& options, const Interval& span) {
  return run({[](double s, double, double) { return -s; }}, Rail::state(1, 0), span, options);
}

Solution drop(const Options& options, double end) {
  return run({[](double, double, double) { return -1.0; }}, Rail::state(0.5, 0), {0, end}, options);
}

}  // namespace daewave::testing
