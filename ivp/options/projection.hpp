#pragma once
// Words of a projection onto the invariants h(z, t) = 0.           [Eich] section 2, (2.5)-(2.6)

#include <string>

namespace daewave::ivp {

enum class Onto {
  both,      ///< At once.
  in_turn,   ///< Positions, then velocities, by the problem's own factorization: for large systems.
  position,  ///< These alone.
  velocity,
  nothing,
};

const char* name_of(Onto onto);
/// @throws InvalidOption naming the known ones. "in-turn", with - for _.
Onto onto_named(const std::string& name);

/// What is smallest: |dz|, |dz_i / weight_i| with the weights of the error test, or dz^T M dz.
enum class ProjectionMetric { orthogonal, weighted, mass };

}  // namespace daewave::ivp
