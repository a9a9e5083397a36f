#include "problems/andrews.hpp"

#include "catalogue/makers.hpp"
#include "catalogue/mechanism_lanes.hpp"

namespace daewave::catalogue {

InitialValueProblemPtr make_andrews(const Parameters& parameters) {
  const problems::Andrews andrews;
  const Known known{andrews.name(), {0, positive(parameters, "t-end")}};
  return std::make_shared<const InitialValueProblem>(
      problem_of(andrews, mechanism_lanes<problems::Andrews>()), VecX(andrews.start()), known);
}

InitialValueProblemPtr make_car_axis(const Parameters& parameters) {
  const problems::CarAxis axis;
  const Known known{axis.name(), {0, positive(parameters, "t-end")}};
  return std::make_shared<const InitialValueProblem>(
      problem_of(axis, mechanism_lanes<problems::CarAxis>()), VecX(axis.start()), known);
}

}  // namespace daewave::catalogue
