#include "catalogue/makers.hpp"
#include "problems/acpr.hpp"
#include "problems/al2.hpp"
#include "problems/pendulum.hpp"

namespace daewave::catalogue {
namespace {

template <Multibody P>
InitialValueProblemPtr planar(const std::string& name, const P& problem,
                              const Parameters& parameters) {
  Known known{name, {0, positive(parameters, "t-end")}};
  if constexpr (HasExactState<P>) {
    known.reference = [problem](double t) { return VecX(problem.z_exact(t)); };
  }
  return std::make_shared<const InitialValueProblem>(problem_of(problem), VecX(problem.start()),
                                                     known);
}

}  // namespace

InitialValueProblemPtr make_pendulum(const Parameters& parameters) {
  problems::Pendulum pendulum;
  pendulum.g0 = positive(parameters, "gravity");
  return planar("pendulum", pendulum, parameters);
}

InitialValueProblemPtr make_eich_pendulum(const Parameters& parameters) {
  return planar("eich-pendulum", problems::Pendulum::of_period(2), parameters);
}

InitialValueProblemPtr make_two_link_arm_1(const Parameters& parameters) {
  return planar("two-link-arm-1", problems::AcprCase1{}, parameters);
}

InitialValueProblemPtr make_two_link_arm_2(const Parameters& parameters) {
  problems::AcprCase2 arm;
  arm.omega = positive(parameters, "omega");
  return planar("two-link-arm-2", arm, parameters);
}

InitialValueProblemPtr make_al2_example6_4(const Parameters& parameters) {
  return planar("al2-example6.4", problems::Al2Example64{}, parameters);
}

}  // namespace daewave::catalogue
