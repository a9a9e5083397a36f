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

}  // namespace daewave::catalogue
