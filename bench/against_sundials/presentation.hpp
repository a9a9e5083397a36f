#pragma once
// Results as text, JSON and a picture.

#include <string>
#include <vector>

#include "bench/against_sundials/measurement.hpp"

namespace daewave::bench {

inline constexpr const char* ours_name = "daewave";
/// The errors at which solvers are compared; the picture's file has the first.
inline constexpr double compared_error = 1e-5, finer_error = 1e-7;

/// Every run.
std::string runs_text(const std::vector<CaseResult>& results);

/// CPU time at these errors, and its ratios to ours.
std::string ratios_text(const std::vector<CaseResult>& results);

/// work-precision.json and work-precision.svg in a folder that exists. @throws FileError
void write_results(const std::string& folder, const std::vector<CaseResult>& results);

}  // namespace daewave::bench
