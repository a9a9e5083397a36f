#pragma once
// Words of a projection onto the invariants h(z, t) = 0.           [Eich] section 2, (2.5)-(2.6)

#include <optional>
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

/// Where the metric is left open: with steps that are controlled weighted, as orthogonal moves of
/// positions and velocities together depend on the unit of time: where velocities are large
/// numbers, positions pay for them, along the constraints, and nobody controls that. With fixed
/// steps, which have no weights, and in turn, orthogonal.
ProjectionMetric metric_of(std::optional<ProjectionMetric> asked, Onto onto, bool controlled);

}  // namespace daewave::ivp
