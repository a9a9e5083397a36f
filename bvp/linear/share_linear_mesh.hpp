#pragma once
// The mesh of a linear problem that ranks share.

#include "bvp/linear/discretization.hpp"
#include "bvp/options/options.hpp"
#include "core/problem/linear_dae.hpp"

namespace daewave::bvp {

/// Leaves of the mesh of a setting what this rank takes, as share_mesh() of bvp/mesh has it.
/// @param options  with ranks.
void share_linear_mesh(const LinearDae& problem, const Options& options, Setting& setting);

}  // namespace daewave::bvp
