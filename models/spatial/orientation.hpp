#pragma once
// Orientations as a file states them, and turns between directions.

#include <optional>

#include "models/mechanism/mechanism_tables.hpp"
#include "models/spatial/quaternion.hpp"

namespace daewave::models {

/// The key `orientation`, which is one of
///
///   { axis = [x, y, z], angle = a }
///   { quaternion = [e0, e1, e2, e3] }
///   { euler = [a, b, c], sequence = "zxz" }    about the body's own axes, one after the other
///
/// @return  of unit length; empty where the key is not there. @throws ModelError
std::optional<Quaternion<double>> read_orientation(MechanismTables& tables, TableReader& table);

/// About an axis of unit length.
Quaternion<double> turn_about(const Vector<double>& axis, double angle);

/// The shortest turn of a direction into another, both of unit length.
Quaternion<double> shortest_turn(const Vector<double>& from, const Vector<double>& to);

/// The same direction with unit length; empty where it has none.
std::optional<Vector<double>> unit(const Vector<double>& direction);

}  // namespace daewave::models
