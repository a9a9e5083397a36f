#pragma once
// Problems of the literature by name; of the component `catalogue`.

#include "catalogue/boundary_catalogue.hpp"
#include "catalogue/catalogue.hpp"
#include "problems/catalogue.hpp"
