#pragma once
// Boundary value problems that are compiled in files of their own.

#include "catalogue/boundary_problem.hpp"

namespace daewave::catalogue {

BoundaryProblemPtr make_al2_example6_1_bvp();
BoundaryProblemPtr make_al2_example6_3_bvp();
BoundaryProblemPtr make_pendulum_bvp(double t_end);
BoundaryProblemPtr make_two_link_arm_bvp(double to);
BoundaryProblemPtr make_slider_crank_bvp(double from, double to, double seconds);

}  // namespace daewave::catalogue
