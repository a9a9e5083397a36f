#pragma once
// Index reduction of a constrained multibody system.                          [ACPR] (1.1)-(1.6)

#include "ivp/equations/multibody_equations.hpp"
#include "ivp/reduced/reduced_system.hpp"

namespace daewave::ivp {

template <Multibody P>
using ReducedMultibody = ReducedSystem<MultibodyEquations<P>>;

}  // namespace daewave::ivp
