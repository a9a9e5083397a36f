#pragma once
// The sum that an explicit Runge-Kutta formula forms for each of its stages,
//
//   out = (z + h sum_{i < last} a_i k_i) + h a_last k_last,
//
// for states long enough to be worth a call: in registers of four where the processor has them,
// which is asked once. The newest stage comes last: all else is done while it is awaited.

#include "ivp/one_step/tableaux.hpp"

namespace daewave::ivp {

/// @param k    the stages of `row`, in its order; row.count >= 1.
/// @param out  n numbers, as z and each k; none of them.
using StageSum = void (*)(const double* z, double h, const Combination& row, const double* const* k,
                          int n, double* out);

/// The one for this processor. Numbers may differ in rounding between processors of another kind,
/// and only between them.
StageSum stage_sum();

/// States shorter than that are summed in place.
inline constexpr int least_for_stage_sum = 8;

}  // namespace daewave::ivp
