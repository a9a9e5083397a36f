#pragma once
// What of the options lanes can do.

#include <string>

#include "core/report/report.hpp"
#include "ivp/one_step/tableaux.hpp"
#include "ivp/options/options.hpp"

namespace daewave::ivp {

/// What is asked of a regularization in lanes; null where options ask for none.
const Srm* asked_in_lanes(const Options& options);

/// @throws InvalidOption for what lanes cannot do, with the way out.
void check_lanes(const Options& options, Stepper stepper, int iterates, int most_iterates);

/// The set asked for, or the widest. @throws InvalidOption where this machine lacks it.
/// @param asked  in lanes.
Simd chosen_simd(const Srm& asked);

/// The narrowest registers of this machine that hold one number of each iterate; else the widest.
Simd simd_for(int iterates);

/// What was used; with the text that says how.
Choice lanes_choice(const Srm& asked, std::string how);

}  // namespace daewave::ivp
