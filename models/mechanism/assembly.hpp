#pragma once
// A mechanism put together: moved to where its joints hold, without the rows that other rows imply.

#include <functional>

#include "models/file/text_source.hpp"
#include "models/mechanism/mechanism_equations.hpp"

namespace daewave::models {

struct Assembly {
  DaeProblemPtr problem;
  VecX start;                 ///< (q, v), on the constraints.
  double start_moved = 0;     ///< How far from the guess; of v what the file states.
  double velocity_moved = 0;  ///< How far the velocities that the file states; 0 for rounding.
  std::vector<JointRows> joints;
};

/// @param equations  of the mechanism with their interval; may be asked for twice.
/// @throws ModelError  where no start near the guess satisfies the joints.
Assembly assemble(const std::function<MechanismEquations()>& equations, const TextSource& source);

/// How far from its constraints a state may stay: of what coordinates as large can be rounded to.
double assembly_tolerance(const DaeProblem& problem, const VecX& state);

}  // namespace daewave::models
