#pragma once
// What a guess is like over the interval.

#include <functional>

#include "bvp/options/options.hpp"
#include "core/types.hpp"

namespace daewave::bvp {

/// The first `components` of the guess, or of the solution that is the guess, at equally spaced
/// times; a column for each.
MatX guess_at_times(const std::function<VecX(double t)>& guess, const Options& options,
                    const Interval& interval, int components);

}  // namespace daewave::bvp
