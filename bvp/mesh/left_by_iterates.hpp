#pragma once
// What iterates leave of an error, by what another one changes.

#include "core/time/collocation_scheme.hpp"

namespace daewave::bvp {

/// What B y, or y, is off in the layer that iterates with alpha1 = 0 leave at the begin, and there
/// stays off, in units of the largest change by iterate s >= 2: the largest of e exp(-tau)
/// (L_{s-1}(tau) - L_{s-2}(tau)), Laguerre polynomials of tau = (t - begin) alpha2 / epsilon, is
/// e / (2.72 (s - 1)^(3/4)) to 6 %.
double open_over_change(int iterates);

/// The same on steps of any length: those much longer than the layer with a scheme that damps
/// leave about epsilon / step of it with each iterate.
///
/// @param width       epsilon / alpha2.
/// @param first_step  at the begin.
double open_over_change(const Collocation& scheme, double width, double first_step, int iterates);

/// Elsewhere: as changes fall, from `before` to `change`. Where they do not fall they have come to
/// the level of rounding: what is more than that is above any tolerance by itself.
double left_over_change(double change, double before);

}  // namespace daewave::bvp
