#pragma once
// Boundary values of a model as C++: conditions, also inside of the interval, guesses, and what is
// known exactly.

#include <string>

#include "models/model.hpp"

namespace daewave::models {

struct BoundaryText {
  std::string of_struct;  ///< Functions of the struct of the model.
  std::string behind;     ///< What stands behind it.
};

/// Of a model with boundary values. @param type  of its state, "Vec<4>".
BoundaryText cpp_of_boundary(const Model& model, const std::string& struct_name,
                             const std::string& type);

}  // namespace daewave::models
