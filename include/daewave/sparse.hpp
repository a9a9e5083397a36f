#pragma once
// Problems of thousands of unknowns, by sparse matrices; flows, networks.

#include "large/flow/field.hpp"
#include "large/flow/flow_catalogue.hpp"
#include "large/flow/pressure_correction.hpp"
#include "large/network/power_grid.hpp"
#include "sparse/solve.hpp"
