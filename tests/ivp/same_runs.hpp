#pragma once
// Runs that are the same to the last bit.

#include "ivp/run/solution.hpp"
#include "tests/catch.hpp"
#include "tests/same_bits.hpp"

namespace daewave::testing {

inline void check_same_runs(const ivp::Solution& a, const ivp::Solution& b) {
  CHECK(same_bits(a.t, b.t));
  CHECK(same_bits(a.states, b.states));
  CHECK(same_bits(a.multipliers, b.multipliers));
  CHECK(a.report.termination == b.report.termination);
  CHECK(a.report.message == b.report.message);
  CHECK(a.report.integration.drift_position == b.report.integration.drift_position);
}

}  // namespace daewave::testing
