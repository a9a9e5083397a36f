#pragma once
// A problem made of functions of Python, each of a batch of points.

#include <atomic>
#include <memory>
#include <string>

#include "core/adapt/problem_from_functions.hpp"
#include "python/module/callback.hpp"

namespace daewave::python {

/// @throws InvalidOption for a name that is no kind.
Kind kind_named(const std::string& name);

/// @param functions  f, M, B, g, G, f_q and, of index 1, r, h and their derivatives, as in
///   ProblemFunctions; None: not given. Of (t, q), f of (t, q, v) where there are velocities, all
///   of (t, z, w) with unknowns w: t of m points, the others rows by m. They return (rows, m), or
///   (rows, columns, m) for matrices, (rows, columns) for one that is the same at all points. A
///   matrix that is no function is constant.
/// @param dear  Calls cost far more than a point: functions take many points at once.
/// @param evaluated  Points at which f was called, counted from now on; null: not counted.
ProblemFunctions problem_functions_of(Kind kind, const Sizes& sizes, const py::dict& functions,
                                      bool dear, const std::shared_ptr<Raised>& raised,
                                      const std::shared_ptr<std::atomic<long>>& evaluated = {});

}  // namespace daewave::python
