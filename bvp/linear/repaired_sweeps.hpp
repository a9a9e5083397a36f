#pragma once
// Iterates on one mesh that leave no layer: forward, back over the layer from behind it, where B y
// is good, and forward again.                                             [AL1] section 4.1, (4.5)
//
// The pass back begins where the layer of its own start, which decays within as many epsilon, does
// not reach the other one, not at the end of the interval: what it amplifies on so short a way is
// next to nothing, whatever the terminal value problem does.

#include <memory>

#include "bvp/linear/discretization.hpp"
#include "bvp/linear/sweeps.hpp"

namespace daewave::bvp {

/// As Sweeps::run. Where the layer cannot be repaired, the forward iterates as they are, with a
/// warning that says why.
Solution run_repaired(const std::shared_ptr<const LinearDae>& problem,
                      const Discretization& discretization, const Waveform& By_0,
                      const Options& options, const SweepControl& control, const Report& report);

}  // namespace daewave::bvp
