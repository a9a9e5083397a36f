#pragma once
// The sums of a Runge-Kutta formula over its stages,
//
//   out = (z + h sum_{i < last} a_i k_i) + h a_last k_last,   and without z,
//
// of states of any length: in registers of four where the processor has them, which is asked once.
// The newest stage comes last: all else is done while it is awaited.

#include "ivp/one_step/tableaux.hpp"

namespace daewave::ivp {

/// @param a, k  of the terms, in their order.
/// @param z     n numbers, as each k; null for a sum without z.
/// @param out   n numbers; none of them.
using StageSum = void (*)(const double* z, double h, const double* a, const double* const* k, int n,
                          double* out);

/// Those for this processor. Numbers may differ in rounding between processors of another kind, and
/// only between them.
/// @param terms  1..most_stages.
StageSum stage_sum(int terms);
/// Of sums without z.
StageSum stage_sum_alone(int terms);

}  // namespace daewave::ivp
