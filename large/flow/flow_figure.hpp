#pragma once
// Lines of equal stream function and vorticity, chosen so that their number stays readable.

#include <vector>

#include "large/flow/contours.hpp"

namespace daewave::flow {

/// Lines of a stream function: evenly between 0 and its extremes, and closer towards 0, where
/// vortices of corners are.
std::vector<Contour> stream_lines(const CornerField& psi);
/// Lines of vorticity: 0.5, 1, 2, 3, 4, 5 of both signs in the unit of speed / width, and 0, as in
/// the figures of Ghia, Ghia and Shin.
std::vector<Contour> vorticity_lines(const CornerField& vorticity, double unit);

}  // namespace daewave::flow
