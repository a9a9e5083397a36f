#pragma once
// The equations of a DAE in a model file: its index is seen, and B is the coefficient of the
// multipliers.
//
//   no algebraic equation           ordinary; of order 2 as x' = v, v' = ...
//   unknowns in algebraic ones      index 1: 0 = r(x, w, t)
//   none in them                    index 2, of order 2 index 3: 0 = g(x, t), and the right sides
//                                   are linear in the multipliers

#include <optional>

#include "models/dae/statement.hpp"
#include "models/problem/equations.hpp"

namespace daewave::models {

/// @throws ModelError with the place of what is wrong.
Equations dae_equations(const DaeStatement& statement, const TextSource& source,
                        const Parameters& parameters);

/// Numbers of [dae.start], of the state and of the algebraic unknowns; 0 where it says none.
/// @param needed  each entry of the state has to be said. @throws ModelError
std::pair<VecX, VecX> dae_start(const DaeStatement& statement, const TextSource& source,
                                const Parameters& parameters, bool needed);

}  // namespace daewave::models
