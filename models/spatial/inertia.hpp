#pragma once
// The inertia of a body in space.

#include "models/mechanism/mechanism_tables.hpp"

namespace daewave::models {

/// The key `inertia`, about the centre of mass in the body's own frame, kg m^2: one number for a
/// ball, three principal moments, or a symmetric tensor of three rows.
/// @throws ModelError  where no body has it: moments are positive, each at most the sum of the
///                     other two.
std::array<std::array<double, 3>, 3> read_inertia(MechanismTables& tables, TableReader& table);

}  // namespace daewave::models
