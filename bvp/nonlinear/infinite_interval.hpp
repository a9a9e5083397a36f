#pragma once
// Problems on infinite intervals, [a, inf), (-inf, b] or (-inf, inf), whose conditions at an
// infinite end say what x tends to: by truncation. The conditions are posed at T, x beyond is as at
// T (or on along a line, in components that grow like one), and T is moved out until that changes
// no more than a part of the tolerance.
//
// What it changes from T to T' is seen on [a, T'], where it is the error of the former. How it
// falls from T to T' tells what is left beyond: like exp(-rate T), or only like a power of T.

#include "bvp/options/options.hpp"
#include "bvp/result/solution.hpp"
#include "bvp/statement/problem_family.hpp"

namespace daewave::bvp {

/// An end is infinite.
bool is_infinite(const Interval& interval);

/// Solves a problem on a finite interval.
using SolveOnFinite = std::function<Solution(const ProblemFamily& family, const Options& options)>;

/// @param family   of problems on one infinite interval.
/// @param options  checked.
/// @return  the solution on a finite part, with Solution::truncation; its estimate of the error has
///          that of truncation in it.
/// @throws  InvalidOption for a mesh; InvalidProblem for an interval that is none, and times inside
///          that are not finite; what `solve` throws.
Solution solve_on_infinite(const ProblemFamily& family, const Options& options,
                           const SolveOnFinite& solve);

}  // namespace daewave::bvp
