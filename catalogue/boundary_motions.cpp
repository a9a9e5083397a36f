// Boundary value problems of index 2 and 3.

#include "catalogue/boundary_makers.hpp"
#include "catalogue/erased_boundary.hpp"
#include "problems/boundary_motion.hpp"

namespace daewave::catalogue {

BoundaryProblemPtr make_al2_example6_1_bvp() {
  return erase_boundary(problems::Al2Example61Boundary{});
}
BoundaryProblemPtr make_al2_example6_3_bvp() {
  return erase_boundary(problems::Al2Example63Boundary{});
}
BoundaryProblemPtr make_pendulum_bvp(double t_end) {
  problems::PendulumBetween problem;
  problem.t_end = t_end;
  return erase_boundary(problem);
}
BoundaryProblemPtr make_two_link_arm_bvp(double to) {
  problems::ArmBetween problem;
  problem.last_angle = to;
  return erase_boundary(problem);
}
BoundaryProblemPtr make_slider_crank_bvp(double from, double to, double seconds) {
  problems::CrankBetween problem;
  problem.first_angle = from;
  problem.last_angle = to;
  problem.seconds = seconds;
  return erase_boundary(problem);
}

}  // namespace daewave::catalogue
