#pragma once
// Where a derivative of the right side jumps. Collocation is accurate on both sides of such a time
// and of low order across it, so that meshes become fine there without end; a node ends that.
//
// The residual along a collocation polynomial is smooth within its interval but where the right
// side is not. Fourth differences at 33 points fall with the fourth power of their distance where
// it is smooth, and as d^p where its derivative p jumps, p = 1, 2, 3: there, again and again, is
// looked more closely, until they are rounding.

#include <vector>

#include "bvp/residual/unresolved.hpp"

namespace daewave::bvp {

/// Increasing, at most one in each interval; as exact as the rounding of the residual lets it be.
/// @param polynomials  through the points of an interval at which the equations are satisfied.
/// @param intervals    to look in.
std::vector<double> kinks(const Mesh& mesh, const StagePolynomials& polynomials,
                          const Residual& residual, const std::vector<int>& intervals);

/// The same of a mesh that may be a part of another one.
/// @param length  of the interval of the problem.
std::vector<double> kinks(const Mesh& mesh, double length, const StagePolynomials& polynomials,
                          const Residual& residual, const std::vector<int>& intervals);

}  // namespace daewave::bvp
