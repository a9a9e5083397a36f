#pragma once
// A curve as a guess at another: on another interval, with slopes it did not have, or without what
// it carries.

#include "bvp/curve/collocation_curve.hpp"
#include "bvp/curve/curve_of_ranks.hpp"

namespace daewave::bvp {

/// The same values with times mapped linearly onto another interval; the curve itself where it is
/// the same.
CollocationCurve stretched(const CollocationCurve& curve, const Interval& interval);

/// The same of a curve that ranks share.
SharedCurve stretched(const SharedCurve& curve, const Interval& interval);

/// Straight lines between the nodes of a curve that has no slopes.
CollocationCurve with_slopes_of_nodes(const CollocationCurve& curve);

/// Zero in place of what is carried. @param entries  of it.
CollocationCurve without_carried(const CollocationCurve& curve, int entries);

}  // namespace daewave::bvp
