#pragma once
// A curve on a longer interval: as a guess beyond the ends of its own.

#include "bvp/curve/collocation_curve.hpp"

namespace daewave::bvp {

/// x beyond an end goes on along a line; what is carried stays as it was at the last stage. Steps
/// double from that at the end on.
/// @param before, after  slopes of x before the begin and after the end.
CollocationCurve lengthened(const CollocationCurve& curve, const Interval& interval,
                            const VecX& before, const VecX& after);

}  // namespace daewave::bvp
