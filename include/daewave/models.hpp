#pragma once
// Problems as text: model files; of the component `models`.

#include "daewave/problem.hpp"
#include "models/boundary_as.hpp"
#include "models/model.hpp"
