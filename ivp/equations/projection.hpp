#pragma once
// What a projection onto the invariants h(z, t) = 0 after each step does, of whichever method.
//                                                                    [Eich] section 2, (2.5)-(2.6)

#include "ivp/options/projection.hpp"

namespace daewave::ivp {

struct Projection {
  Onto onto = Onto::both;
  ProjectionMetric metric = ProjectionMetric::orthogonal;
  bool energy = false;    ///< Keep the energy of the start too. (2.2)
  bool estimate = false;  ///< Test the part of the error that lies in the manifold only. 4.1
};

}  // namespace daewave::ivp
