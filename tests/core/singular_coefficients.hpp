#pragma once
// Problems whose C B loses rank at a point while the projector B (CB)^-1 C stays smooth, in the
// ways that occur: B and C are regular matrices times factors that are singular at that point.
//
//   B = V(t) F(t),   C = G(t) W(t),   W V regular:   P = V (W V)^-1 W whatever F and G are.

#include <functional>
#include <string>
#include <vector>

#include "core/types.hpp"
#include "tests/core/manufactured_dae.hpp"

namespace daewave::testing {

struct SingularKind {
  std::string name;  ///< Part of what the scan must call it.
  std::function<MatX(double)> G, F;
};

/// All ways of losing rank at t_star, for two constraints.
std::vector<SingularKind> singular_kinds(double t_star);

MatX smooth_V(double t);
MatX smooth_W(double t);
MatX smooth_projector(double t);

ManufacturedDae singular_dae(const SingularKind& kind, Interval span);

}  // namespace daewave::testing
