#pragma once
// What the polynomials of the accelerations in a window are off where they were not evaluated.

#include <vector>

#include "core/types.hpp"
#include "ivp/windows/window_formula.hpp"
#include "ivp/windows/window_places.hpp"

namespace daewave::ivp {

enum class Side { begin, end };

/// What of differences of accelerations is rounding of the largest of them. @param slope  (v, v').
double rounding_of(const VecX& slope);

/// Accelerations at the begin or end of a window less what their polynomials say; the largest such
/// number, by more than the rounding of the largest of them.
/// @param series  Legendre coefficient k of entry i at [i * nodes + k].
/// @param weight  of the entries, nq. @param slope  (v, v') there.
/// @param missed  nq of these differences.
double missed_at(Side side, const double* series, const std::vector<double>& weight,
                 const VecX& slope, std::vector<double>& missed);

/// The same number where the Legendre polynomials are known.
double missed_at(const LegendreAt& legendre, const double* series,
                 const std::vector<double>& weight, const VecX& slope);

}  // namespace daewave::ivp
