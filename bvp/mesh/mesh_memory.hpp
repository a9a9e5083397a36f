#pragma once
// What a mesh takes of memory, before it is taken: matrix, factors and stages of each interval.

#include <string>

#include "core/stages/stage_system.hpp"

namespace daewave::bvp {

/// Of linear problems. @param slopes  whether x is asked for between the stages.
/// @param solver  by name, such as "auto".
double bytes_per_interval(const StageLayout& layout, KeepSlopes slopes, const std::string& solver);
/// Of nonlinear ones, with nx entries of x and `carried` multipliers.
double bytes_per_interval(int nx, int carried, int stages);

/// @param intervals  that were asked for. @throws InvalidOption where they would not fit.
void check_memory(int intervals, double bytes_per_interval);

/// Why a mesh of a refinement would not fit, in words; empty where it would.
std::string beyond_memory(int intervals, double bytes_per_interval);

}  // namespace daewave::bvp
