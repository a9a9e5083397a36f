#pragma once
// A mesh that ranks share: each takes some of the partitions in which the matrix is solved.

#include <optional>

#include "bvp/linear/discretization.hpp"
#include "core/problem/linear_dae.hpp"
#include "core/ranks/communicator.hpp"

namespace daewave::bvp {

/// Leaves of the mesh of a setting what this rank takes. The partitions come from the problem, its
/// mesh and the options, never from the ranks.
/// @param partitions  open: as partitions_for_ranks() has it.
/// @throws InvalidOption where there are more ranks than partitions.
void share_mesh(const LinearDae& problem, std::optional<int> partitions, const Communicator& ranks,
                Setting& setting);

}  // namespace daewave::bvp
