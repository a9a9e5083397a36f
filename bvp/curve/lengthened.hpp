#pragma once
// A curve on a longer interval: as a guess beyond the ends of its own.

#include "bvp/curve/collocation_curve.hpp"
#include "bvp/curve/curve_of_ranks.hpp"

namespace daewave::bvp {

/// x beyond an end goes on along a line; what is carried stays as it was at the last stage. Steps
/// double from that at the end on.
/// @param before, after  slopes of x before the begin and after the end.
CollocationCurve lengthened(const CollocationCurve& curve, const Interval& interval,
                            const VecX& before, const VecX& after);

/// The same of a curve that ranks share: what is beyond an end the rank has that has that end.
SharedCurve lengthened(const SharedCurve& curve, const Interval& interval, const VecX& before,
                       const VecX& after);

/// x' beyond both ends of a curve that ranks may share: its mean over the eighth of the interval at
/// that end, zero in components that tend to a value. Along the slope at the end itself an error of
/// x, which makes one of x' at the scale of its modes, would grow with the length. All ranks call
/// it, and know it.
struct Growth {
  VecX at_begin, at_end;
};
Growth growth(const CollocationCurve& curve, const MeshShare& share);

}  // namespace daewave::bvp
