#pragma once
// Initial value problems: ivp::solve, its options and its solution.

#include "daewave/problem.hpp"
#include "ivp/sensitivities.hpp"
#include "ivp/solve.hpp"
