#pragma once
// What each file adds to the module.

#include <pybind11/pybind11.h>

namespace daewave::python {

void bind_boundary(pybind11::module_& module);
void bind_branch(pybind11::module_& module);
void bind_initial(pybind11::module_& module);
void bind_model(pybind11::module_& module);
void bind_page(pybind11::module_& module);
void bind_symbolic(pybind11::module_& module);

}  // namespace daewave::python
