#pragma once
// The method of an initial value solve, and what it is told, from a dictionary.

#include <pybind11/pybind11.h>

#include "ivp/options/method.hpp"

namespace daewave::python {

namespace py = pybind11;

/// @param asked  "method", and options of methods by their names.
/// @throws InvalidOption for an option that the method does not have, naming the methods that do.
ivp::Method method_asked_for(const py::dict& asked);

}  // namespace daewave::python
