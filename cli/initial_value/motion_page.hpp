#pragma once
// The page of an initial value solve.

#include <string>

#include "catalogue/initial_value_problem.hpp"
#include "cli/options/command_line.hpp"
#include "ivp/run/solution.hpp"
#include "page/page.hpp"

namespace daewave::cli {

/// Rows that were given out, and between them as many as a screen shows where there is dense
/// output.
/// @param json  of the report.
page::Run motion_run(const ivp::Solution& solution, const catalogue::InitialValueProblem& problem,
                     const std::string& label, const std::string& json);

page::Page motion_page(const SolveCommand& command, const ivp::Solution& solution,
                       const catalogue::InitialValueProblem& problem, const std::string& json);

/// What a run must keep for its page, or a picture.
void keep_to_draw(const SolveCommand& command, ivp::Options& options);

}  // namespace daewave::cli
