#pragma once
// Solutions of a family followed over one of its parameters: to where no guess leads by itself, or
// around folds.
//
//   bvp::Branch branch = bvp::follow(layer, {.parameter = "e", .to = 1e-6}, {.tolerance = 1e-8});
//   bvp::Branch around = bvp::follow(bratu, {.to = 4, .arclength = true});

#include "bvp/continuation/branch.hpp"
#include "bvp/options/options.hpp"
#include "bvp/statement/problem_family.hpp"

namespace daewave::bvp {

/// Follows the solution at family.p, each solve starting from the one before: x, x', what is
/// carried and the mesh.
///
/// Steps grow where they succeed and are taken again, shorter, where they do not. By arclength the
/// parameter is an unknown, on the plane across the last secant,
///
///   mean over t and j of (x_j - x_pred,j) s_j / S_j^2 + (p - p_pred) s_p / P^2 = 0,
///
/// with S_j = max |x_j| + min(1, the largest |x_j| so far) and P the way to go; where the parameter
/// turns, the fold is found.
///                                                                        [Keller] section 4
///
/// @return  report.usable(): the end is reached, and `last` meets the tolerance. Else `last` is the
///          last one found, and the report says why the next one was not.
/// @throws  InvalidOption for a parameter that is none of the family's or is unknown in it, and
///          numbers out of range, and a first mesh without a tolerance; what solve() throws for the
///          first problem.
Branch follow(const ProblemFamily& family, const Continuation& how, const Options& options = {});

}  // namespace daewave::bvp
