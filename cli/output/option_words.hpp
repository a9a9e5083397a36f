#pragma once
// What the library says, in the words of the command line: options that it calls by the names of
// its structs. All of its texts pass by here: of reports where a solve has returned, of errors
// where they are caught.

#include <string>
#include <utility>

#include "core/report/report.hpp"

namespace daewave::cli {

/// "raise max_intervals" as "raise --max-intervals", "estimate_error = true" as "--estimate-error".
std::string in_options(std::string text);

/// The same of an error about an option, which begins with its name: "stages = 0: must be >= 1" as
/// "--stages 0: must be >= 1".
std::string error_in_options(std::string text);

Report in_options(Report report);

/// Of whatever a solve gives.
template <class Solution>
Solution in_options(Solution solution) requires requires {
  solution.report;
}
{
  solution.report = in_options(std::move(solution.report));
  return solution;
}

}  // namespace daewave::cli
