#pragma once
// Problems of the literature by name; of the component `catalogue`.

#include "catalogue/boundary_catalogue.hpp"
#include "catalogue/initial_value_catalogue.hpp"
#include "problems/linear_catalogue.hpp"
