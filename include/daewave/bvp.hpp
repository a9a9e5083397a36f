#pragma once
// Boundary value problems: bvp::solve, its options and its solution.

#include "bvp/linear/shooting_back.hpp"
#include "bvp/linear/solve.hpp"
#include "bvp/nonlinear/solve.hpp"
#include "daewave/problem.hpp"
