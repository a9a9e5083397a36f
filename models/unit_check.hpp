#pragma once
// What does not fit together in a model file by its units: sums, comparisons, arguments of
// functions, and what its tables are to be in.
//
//   [units]                      # of parameters, and of t where that is not s
//   l = "m"
//   k = "N/m"
//
// Bodies have SI units; of equations, [dae.units] says those of the unknowns.

#include <string>
#include <vector>

#include "models/model.hpp"

namespace daewave::models {

struct UnitCheck {
  std::vector<std::string> wrong;      ///< Each with its place, line and mark.
  std::vector<std::string> unchecked;  ///< Names that have no unit, or one that is not known.
  int expressions = 0;                 ///< Looked at.
};

/// @param text  of the file that `model` was read from. @throws ModelError
UnitCheck check_units(const std::string& text, const Model& model);

}  // namespace daewave::models
