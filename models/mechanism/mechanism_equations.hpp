#pragma once
// The equations of a mechanism with what is known beside them.

#include <functional>
#include <string>
#include <vector>

#include "models/file/text_source.hpp"
#include "models/mechanism/stated_velocities.hpp"
#include "models/problem/equations.hpp"

namespace daewave::models {

/// Rows of g, or of w after them, that a joint makes.
struct JointRows {
  std::string name;
  int first = 0, count = 0;
  int redundant = 0;  ///< Rows beside these that follow from other rows: they are left out.
  Place place{};
};

/// Where the equations of a mechanism do not hold beyond, and a run is to end.
struct EndOfEquations {
  std::string name;                                         ///< What is there.
  std::string advice;                                       ///< What helps.
  std::function<double(double t, const VecX& state)> left;  ///< Falls through zero there.
};

struct MechanismEquations {
  Equations equations{};
  std::vector<JointRows> joints{};
  std::vector<EndOfEquations> ends{};
  VecX guess{};  ///< (q, v) as the file states it, and as joints say where it does not.
  /// What the file itself states of v, in a configuration: rates of Euler parameters belong to one.
  std::function<StatedVelocities(const VecX& state)> stated{};
};

}  // namespace daewave::models
