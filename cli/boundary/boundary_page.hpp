#pragma once
// The page of a boundary value solve.

#include <functional>
#include <string>
#include <vector>

#include "bvp/result/solution.hpp"
#include "cli/options/command_line.hpp"
#include "page/page.hpp"

namespace daewave::cli {

/// @param exact  x at t; may be empty. @param units  of x; empty: not known.
/// @param json  of the report.
page::Run boundary_run(const bvp::Solution& solution, const std::function<VecX(double t)>& exact,
                       const std::vector<std::string>& units, const std::string& label,
                       const std::string& json);

page::Page boundary_page(const SolveCommand& command, const bvp::Solution& solution,
                         const std::function<VecX(double t)>& exact, const std::string& json);

}  // namespace daewave::cli
