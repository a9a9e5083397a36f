#pragma once
// The pendulum through the front door, compiled once for all tests of it, and what they ask of a
// solution.

#include <string>

#include "ivp/options/options.hpp"
#include "ivp/run/solution.hpp"
#include "problems/pendulum.hpp"

namespace daewave::testing {

inline constexpr double swing_end = 0.5;

/// Options by which every method is stable with the steps of these tests.
ivp::Options with(ivp::Method method, ivp::Stepper stepper);
/// The sequential regularization that they ask for.
ivp::Srm& srm(ivp::Options& options);

/// From the start of the pendulum to `end`.
ivp::Solution swing(const ivp::Options& options, double end = swing_end);
ivp::Solution swing_from(const Vec<4>& start, const Interval& span, const ivp::Options& options);
/// From the start and over the interval that the problem gives.
ivp::Solution swing_as_given(const problems::Pendulum& pendulum, const ivp::Options& options);

/// Max norm, where the run came to.
double end_error(const ivp::Solution& solution);
/// Of the multiplier given out at time number i.
double multiplier_error(const ivp::Solution& solution, int i);
/// Fails the test where there is none of this name.
const Choice& choice(const ivp::Solution& solution, const std::string& name);
/// What the report tells of a run that gave out every step is what the states say.
void check_report(const ivp::Solution& solution);

}  // namespace daewave::testing
