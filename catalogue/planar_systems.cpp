#include "catalogue/makers.hpp"
#include "catalogue/mechanism_lanes.hpp"
#include "problems/acpr.hpp"
#include "problems/al2.hpp"
#include "problems/pendulum.hpp"

namespace daewave::catalogue {
namespace {

template <Multibody P>
InitialValueProblemPtr planar(const std::string& name, const P& problem,
                              const Parameters& parameters,
                              const StructLanes<P>& lanes = lanes_of<P>()) {
  Known known{name, {0, positive(parameters, "t-end")}};
  if constexpr (HasExactState<P>) {
    known.reference = [problem](double t) { return VecX(problem.z_exact(t)); };
  }
  return std::make_shared<const InitialValueProblem>(problem_of(problem, lanes),
                                                     VecX(problem.start()), known);
}

}  // namespace

InitialValueProblemPtr make_pendulum(const Parameters& parameters) {
  problems::Pendulum pendulum;
  pendulum.g0 = positive(parameters, "gravity");
  return planar("pendulum", pendulum, parameters, mechanism_lanes<problems::Pendulum>());
}

InitialValueProblemPtr make_eich_pendulum(const Parameters& parameters) {
  return planar("eich-pendulum", problems::Pendulum::of_period(2), parameters,
                mechanism_lanes<problems::Pendulum>());
}

InitialValueProblemPtr make_two_link_arm_1(const Parameters& parameters) {
  return planar("two-link-arm-1", problems::AcprCase1{}, parameters,
                mechanism_lanes<problems::AcprCase1>());
}

InitialValueProblemPtr make_two_link_arm_2(const Parameters& parameters) {
  problems::AcprCase2 arm;
  arm.omega = positive(parameters, "omega");
  return planar("two-link-arm-2", arm, parameters, mechanism_lanes<problems::AcprCase2>());
}

InitialValueProblemPtr make_al2_example6_4(const Parameters& parameters) {
  return planar("al2-example6.4", problems::Al2Example64{}, parameters);
}

}  // namespace daewave::catalogue
