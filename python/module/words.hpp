#pragma once
// What the library says, in the words of the package: options that it calls by other names, and
// ways out that are other calls here. All texts pass by here: of reports where they are read, of
// errors where they are raised.

#include <string>

#include "core/report/report.hpp"

namespace daewave::python {

std::string in_python(std::string text);
Report in_python(Report report);

}  // namespace daewave::python
