#pragma once
// Problems as text: model files; of the component `models`.

#include "daewave/problem.hpp"
#include "models/model.hpp"
