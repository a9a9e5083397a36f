#pragma once
// Boundary value problems: bvp::solve, its options and its solution.

#include "bvp/linear/shooting_back.hpp"
#include "bvp/linear_ordinary.hpp"
#include "bvp/solve.hpp"
#include "daewave/problem.hpp"
