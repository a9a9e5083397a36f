#pragma once
// A model as C++: a header with the struct that ivp::solve or bvp::solve takes, derivatives written
// out, parameters as the numbers they are.

#include <string>

#include "models/model.hpp"

namespace daewave::models {

/// Names of the state stand in a comment; functions are those of core/problem/dae.hpp, and of
/// bvp/solve.hpp. Parts that occur many times are written many times.
/// @throws InvalidProblem  for more than 300 coordinates, and for events.
std::string cpp_of(const Model& model);

/// "SliderCrank" of "slider-crank.toml"; "ModelMass" of "mass.toml", as structs have a Mass.
std::string cpp_name_of(const std::string& file);

}  // namespace daewave::models
