#pragma once
// A problem made of functions of Python, each of a batch of points.

#include <memory>
#include <string>

#include "core/adapt/problem_from_functions.hpp"
#include "python/module/callback.hpp"

namespace daewave::python {

/// @throws InvalidOption for a name that is no kind, or that of one with unknowns of index 1.
Kind kind_named(const std::string& name);

/// @param functions  f, M, B, g, G and f_q, as in ProblemFunctions; None: not given. Of (t, q), f
/// of
///   (t, q, v) where there are velocities: t of m points, the others rows by m. They return (rows,
///   m), or (rows, columns, m) for matrices.
ProblemFunctions problem_functions_of(Kind kind, const Sizes& sizes, const py::dict& functions,
                                      const std::shared_ptr<Raised>& raised);

}  // namespace daewave::python
