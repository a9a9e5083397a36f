#pragma once
// How a mechanism looks, as a dictionary of Python and back.

#include <pybind11/pybind11.h>

#include "core/report/drawing.hpp"

namespace daewave::python {

/// {"spatial", "frames": [(name, first)], "parts": [{"kind", "name", "points": [(frame, at)],
/// "axis", "radius"}]}
pybind11::dict dict_of(const Drawing& drawing);

/// Of such a dictionary, or of an empty one. @throws py::value_error for a kind that there is not.
Drawing drawing_of(const pybind11::dict& said);

}  // namespace daewave::python
