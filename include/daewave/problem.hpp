#pragma once
// How problems are stated: as structs, with derivatives by hand, automatic or by differences, or as
// functions of batches of points known at run time.

#include "core/adapt/problem_from_functions.hpp"
#include "core/adapt/problem_of.hpp"
#include "core/derivatives/autodiff.hpp"
#include "core/derivatives/differences.hpp"
#include "core/derivatives/with_f_jacobian.hpp"
#include "core/error.hpp"
#include "core/problem/boundary.hpp"
#include "core/problem/dae_problem.hpp"
#include "core/problem/linear_as_semi_explicit.hpp"
#include "core/problem/linear_problem.hpp"
#include "core/start/linear_start.hpp"
#include "core/types.hpp"
