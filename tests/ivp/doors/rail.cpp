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

StickSlip::StickSlip(bool& sticks)
    : rail{[&sticks](double s, double, double) { return sticks ? 0 : 1 - s; }}, events(2) {
  events[0] = {
      .name = "slips",
      .function = [&sticks](double, const VecX& z) { return sticks ? Rail::s(z) - 2 : -1; },
      .direction = ivp::Event::Direction::rising,
      .change = [&sticks](double, const VecX& z) { return sticks = false, z; }};
  events[1] = {
      .name = "sticks",
      .function = [&sticks](double, const VecX& z) { return sticks ? -1 : Rail::ds(z) - 1; },
      .direction = ivp::Event::Direction::rising,
      .change =
          [&sticks](double, const VecX& z) {
            sticks = true;
            return Rail::state(Rail::s(z), 1);
          }};
}

}  // namespace daewave::testing
