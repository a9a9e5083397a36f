#pragma once
// Index reduction of x'' = f - B y, 0 = g(x, t).                                  [AL2] (4.1)-(4.3)

#include "ivp/equations/second_order_equations.hpp"
#include "ivp/reduced/reduced_system.hpp"

namespace daewave::ivp {

template <SecondOrderDae P>
using ReducedSecondOrder = ReducedSystem<SecondOrderEquations<P>>;

}  // namespace daewave::ivp
