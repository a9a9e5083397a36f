#pragma once
// What of the options lanes can do.

#include "core/report/report.hpp"
#include "ivp/lanes/lane_run.hpp"
#include "ivp/one_step/tableaux.hpp"
#include "ivp/options/options.hpp"

namespace daewave::ivp {

/// @throws InvalidOption for Order::lanes, or a set of instructions, where there are none.
void refuse_lanes(const Options& options);

/// @throws InvalidOption for what Order::lanes cannot do, with the way out.
void check_lanes(const Options& options, Method method, Stepper stepper, int iterates,
                 int most_iterates);

/// The set asked for, or the widest. @throws InvalidOption where this machine lacks it.
Simd chosen_simd(const Options& options);

/// The narrowest registers of this machine that hold one number of each iterate; else the widest.
Simd simd_for(int iterates);

/// What was used.
Choice lanes_choice(const Options& options, Simd simd, const LaneShape& shape, int iterates);

}  // namespace daewave::ivp
