#pragma once
// Events that a run came through, in words and as JSON.

#include <string>

#include "catalogue/initial_value_problem.hpp"

namespace daewave::cli {

/// A line for each event of the problem: how often it happened, and when. Empty where it has none.
std::string event_lines(const catalogue::InitialValueProblem& problem,
                        const ivp::Solution& solution);

/// @param json  an object. @return it with "events_passed": of each its name, t, rising, and the
///              state after it where it changed.
std::string with_events(const std::string& json, const catalogue::InitialValueProblem& problem,
                        const ivp::Solution& solution);

}  // namespace daewave::cli
